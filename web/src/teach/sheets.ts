import { layout } from "../board/layout";
import type { PaperTask } from "../lib/schema";
import type { Language } from "../lib/types";

/** How tasks lie on sheets of A4. All lengths are millimetres. */

/** Within the margins, less the head of a sheet. */
const WIDTH = 184;
const HEIGHT = 238;
/** Between the columns, and around what is in one cell. */
const GAP = 6;
const PAD = 4;
/** A line of text, how wide a letter of it is on average, and the line for the answer. */
const LINE = 4.7;
const LETTER = 1.85;
const ANSWER = 10;

/** Columns and rows, by the number of boards on a sheet. */
export const GRIDS = { 2: [1, 2], 4: [2, 2], 6: [2, 3], 9: [3, 3], 12: [3, 4] } as const;
export type PerPage = keyof typeof GRIDS;

/** Tasks by sheet. */
export function pages<Task>(tasks: Task[], perPage: number): Task[][] {
  return Array.from({ length: Math.ceil(tasks.length / perPage) }, (_, page) => tasks.slice(page * perPage, (page + 1) * perPage));
}

export function cellHeight(perPage: PerPage): number {
  return HEIGHT / GRIDS[perPage][1];
}

/** The width at which a board leaves room for what is said about it. */
export function boardWidth(task: PaperTask, perPage: PerPage, language: Language): number {
  const [columns] = GRIDS[perPage];
  const width = (WIDTH - (columns - 1) * GAP) / columns;
  const lines = Math.ceil((task.ask[language].length + task.view.description[language].length + 6) / (width / LETTER));
  const { box } = layout(task.geometry, 0, true);
  return Math.min(width, (cellHeight(perPage) - lines * LINE - ANSWER - PAD) * (box.width / box.height));
}
