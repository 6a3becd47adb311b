import { readMovetext, type SentNode } from "./tree";
import type { Player } from "../lib/types";

/** An analysed game in the fragment of an address: who has the address has everything, and nothing is kept anywhere. */

export interface Linked {
  game: string;
  options: Record<string, string>;
  start: string | null;
  nodes: SentNode[];
  /** The place of the node looked at, in the order of the movetext. */
  at: number;
  /** Who won, where people ended the game rather than the rules. */
  winner: Player | null;
}

const OPTION = "option.";

export function written(linked: Omit<Linked, "nodes"> & { moves: string }): string {
  const values = new URLSearchParams({ game: linked.game });
  for (const [name, value] of Object.entries(linked.options)) values.set(OPTION + name, value);
  if (linked.start !== null) values.set("start", linked.start);
  if (linked.moves) values.set("moves", linked.moves);
  if (linked.at) values.set("at", String(linked.at));
  if (linked.winner) values.set("winner", String(linked.winner));
  return `#${values}`;
}

/** Null for a fragment that tells of no game. */
export function read(fragment: string): Linked | null {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  const game = values.get("game");
  const nodes = readMovetext(values.get("moves") ?? "");
  if (!game || !nodes) return null;
  const at = Number(values.get("at"));
  const winner = values.get("winner");
  return {
    game,
    options: Object.fromEntries(
      [...values].filter(([name]) => name.startsWith(OPTION)).map(([name, value]) => [name.slice(OPTION.length), value]),
    ),
    start: values.get("start"),
    nodes,
    at: Number.isInteger(at) && at >= 0 && at <= nodes.length ? at : 0,
    winner: winner === "1" ? 1 : winner === "2" ? 2 : null,
  };
}
