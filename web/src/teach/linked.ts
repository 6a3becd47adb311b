import { read } from "../analysis/link";
import { lineThrough } from "../analysis/tree";

/** A line of play as the server takes it. */
export interface LinkedLine {
  game: string;
  options: Record<string, string>;
  start: string | null;
  moves: string[];
}

/** The place in a game to which a link of an analysis, a diagram or an embedded board leads; null for other texts. */
export function linkedLine(text: string): LinkedLine | null {
  const hash = text.indexOf("#");
  const found = hash < 0 ? null : read(text.slice(hash).trim());
  if (!found) return null;
  const { moves, ply } = lineThrough(found.nodes, found.at);
  return { game: found.game, options: found.options, start: found.start, moves: moves.slice(0, ply) };
}
