import { describe, expect, it } from "vitest";
import { DIRECTIONS, step } from "../src/board/cursor";
import type { Point } from "../src/lib/types";

const walk = (centres: Point[], from: number, keys: string[]): number[] => {
  const cells: number[] = [];
  let here = from;
  let goal: Point | null = null;
  for (const key of keys) {
    const way = DIRECTIONS[key]!;
    goal ??= centres[here]!;
    goal = way[0] === 0 ? [goal[0], centres[here]![1]] : way[1] === 0 ? [centres[here]![0], goal[1]] : centres[here]!;
    here = step(centres, here, way, goal);
    cells.push(here);
  }
  return cells;
};

const square = Array.from({ length: 9 }, (_, i): Point => [i % 3, Math.floor(i / 3)]);
const up = Math.sqrt(3) / 2;
/** Rows of 3, 4, 3 hexagons. */
const hexagon: Point[] = [
  [0.5, 0], [1.5, 0], [2.5, 0],
  [0, up], [1, up], [2, up], [3, up],
  [0.5, 2 * up], [1.5, 2 * up], [2.5, 2 * up],
];

describe("walking over a board", () => {
  it("goes straight and diagonally on squares", () => {
    expect(walk(square, 4, ["ArrowUp"])).toEqual([1]);
    expect(walk(square, 4, ["ArrowRight"])).toEqual([5]);
    expect(walk(square, 4, ["Home"])).toEqual([0]);
    expect(walk(square, 4, ["PageDown"])).toEqual([8]);
  });

  it("stays at the rim", () => {
    expect(walk(square, 0, ["ArrowUp", "ArrowLeft", "Home"])).toEqual([0, 0, 0]);
    expect(walk(square, 2, ["ArrowRight"])).toEqual([2]);
  });

  it("has six ways on hexagons", () => {
    const ways = ["ArrowLeft", "ArrowRight", "Home", "PageUp", "End", "PageDown"];
    expect(ways.map((key) => walk(hexagon, 4, [key])[0])).toEqual([3, 5, 0, 1, 7, 8]);
  });

  it("keeps its column when rows are shifted", () => {
    expect(walk(hexagon, 1, ["ArrowDown", "ArrowDown"]).at(-1)).toBe(8);
    expect(walk(hexagon, 8, ["ArrowUp", "ArrowUp"]).at(-1)).toBe(1);
  });

  it("reaches every cell of a board from every other", () => {
    for (const board of [square, hexagon]) {
      const reached = new Set([0]);
      const waiting = [0];
      while (waiting.length) {
        const here = waiting.pop()!;
        for (const way of Object.values(DIRECTIONS)) {
          const next = step(board, here, way, board[here]!);
          if (!reached.has(next)) {
            reached.add(next);
            waiting.push(next);
          }
        }
      }
      expect(reached.size).toBe(board.length);
    }
  });
});
