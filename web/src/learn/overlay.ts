import type { Overlay } from "../lib/schema";
import type { Geometry } from "../lib/types";
import { w } from "./words";

export const NOTHING: Overlay = { dominoes: [], regions: [], values: [] };

/** What is drawn over a board, for who does not see it. */
export function overlayInWords({ dominoes, regions, values }: Overlay, { cells }: Geometry): string {
  const name = (cell: number): string => cells[cell]!.name;
  const said: string[] = [];
  if (dominoes.length) said.push(w("dominoes_are", { pairs: dominoes.map((pair) => pair.map(name).join("-")).join(", ") }));
  for (const { cells: inside, label } of regions) said.push(w("region_is", { label, cells: inside.map(name).join(", ") }));
  if (values.length) said.push(w("values_are", { values: values.map(({ cell, text }) => `${name(cell)} ${text}`).join(", ") }));
  return said.join(" ");
}
