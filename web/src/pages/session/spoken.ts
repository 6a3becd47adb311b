import { moveText, t } from "../../lib/settings.svelte";
import type { Dangers, Geometry, Move } from "../../lib/types";

/** Moves and dangers as sentences. */

/** One line for each piece that can go somewhere, `d2: d3, e3`; moves of a single touch in one line. */
export function movesInWords(moves: Move[], geometry: Geometry): string[] {
  const name = (cell: number): string => geometry.cells[cell]!.name;
  const lines = new Map<string, string[]>();
  for (const { text, clicks } of moves) {
    const first = clicks.length > 1 ? clicks.slice(0, -1).map(name).join(" + ") : "";
    lines.set(first, [...(lines.get(first) ?? []), clicks.length ? name(clicks.at(-1)!) : moveText(text)]);
  }
  return [...lines.entries()].map(([first, targets]) => (first ? `${first}: ${targets.join(", ")}` : targets.join(", ")));
}

export function dangersInWords({ attacked, wins }: Dangers, geometry: Geometry): string {
  const cells = attacked.map((cell) => geometry.cells[cell]!.name).join(", ");
  const said = [cells ? t("dangers_are", { cells }) : t("dangers_none")];
  if (wins?.length) said.push(t("dangers_wins", { moves: wins.map(moveText).join(", ") }));
  return said.join(" ");
}
