import { describe, expect, it } from "vitest";
import { layout, strewn, turned } from "../src/board/layout";
import type { Geometry } from "../src/lib/types";

const board = (columns: number, rows: number): Geometry => ({
  kind: "square",
  cells: Array.from({ length: columns * rows }, (_, i) => ({
    name: `${i}`,
    x: i % columns,
    y: Math.floor(i / columns),
  })),
  outline: [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ],
  labels: [{ text: "a", x: 0, y: rows - 0.2, kind: "coordinate" }],
  edges: [],
  owned: [],
  lines: [],
  steps: {},
});

describe("the layout of a board", () => {
  it("holds every cell and label within its box", () => {
    const { box, centres, labels } = layout(board(4, 3), 0, true);
    for (const [x, y] of [...centres, ...labels.map(({ at }) => at)]) {
      expect(x).toBeGreaterThan(box.x);
      expect(x).toBeLessThan(box.x + box.width);
      expect(y).toBeGreaterThan(box.y);
      expect(y).toBeLessThan(box.y + box.height);
    }
  });

  it("turns by quarters", () => {
    expect(turned([2, 1], 1)).toEqual([-1, 2]);
    expect(turned(turned([2, 1], 1), 3)).toEqual([2, 1]);
    const [lying, standing] = [layout(board(4, 3), 0, false).box, layout(board(4, 3), 1, false).box];
    expect([standing.width, standing.height]).toEqual([lying.height, lying.width]);
  });

  it("gives neighbouring squares different tones", () => {
    const { tones } = layout(board(4, 3), 0, false);
    expect(tones[0]).not.toBe(tones[1]);
    expect(tones[0]).not.toBe(tones[4]);
  });

  it("has a place for every seed, none outside the pit and none twice", () => {
    for (let count = 0; count <= 48; count++) {
      const places = strewn(count, 1, count > 20);
      expect(places).toHaveLength(count);
      expect(new Set(places.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`)).size).toBe(count);
      for (const [x, y] of places) expect(Math.hypot(x, y)).toBeLessThanOrEqual(1);
    }
  });
});
