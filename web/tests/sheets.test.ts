import { describe, expect, it } from "vitest";
import type { PaperTask } from "../src/lib/schema";
import { boardWidth, cellHeight, GRIDS, pages, type PerPage } from "../src/teach/sheets";

/** A board of so many cells, and a question of so many letters. */
function task(columns: number, rows: number, letters: number): PaperTask {
  const cells = Array.from({ length: columns * rows }, (_, cell) => ({ name: String(cell), x: cell % columns, y: Math.floor(cell / columns) }));
  const corner = 0.5;
  const geometry = {
    kind: "square",
    cells,
    outline: [[-corner, -corner], [corner, -corner], [corner, corner], [-corner, corner]],
    labels: [],
    edges: [],
    lines: [],
    owned: [],
    steps: {},
  };
  const said = "m".repeat(letters);
  return { geometry, ask: { pt: said, en: said }, view: { description: { pt: "Joga o jogador 1.", en: "Player 1 to move." } } } as unknown as PaperTask;
}

describe("a worksheet", () => {
  it("has so many tasks on each sheet, the rest on the last", () => {
    expect(pages([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(pages([], 6)).toEqual([]);
  });

  it.each(Object.keys(GRIDS).map((key) => Number(key) as PerPage))("leaves room for the question with %s boards a sheet", (perPage) => {
    for (const [columns, rows] of [[7, 7], [4, 3], [11, 4], [9, 10]] as const) {
      for (const letters of [20, 60, 100]) {
        const width = boardWidth(task(columns, rows, letters), perPage, "pt");
        expect(width).toBeGreaterThan(12);
        expect(width).toBeLessThanOrEqual(184 / GRIDS[perPage][0]);
        expect((width * rows) / columns).toBeLessThan(cellHeight(perPage) - 10);
      }
    }
  });
});
