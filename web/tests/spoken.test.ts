import { expect, it } from "vitest";
import type { Geometry } from "../src/lib/types";
import * as spoken from "../src/pages/session/spoken";

const board = { cells: ["a1", "a2", "b1", "b2"].map((name) => ({ name })) } as unknown as Geometry;
const move = (text: string, ...clicks: number[]) => ({ text, clicks, motions: [] });

it("moves are listed piece by piece", () => {
  const moves = [move("a1-a2", 0, 1), move("a1-b2", 0, 3), move("b1a1a2", 2, 0, 1), move("b2", 3), move("swap")];
  expect(spoken.movesInWords(moves, board)).toEqual(["a1: a2, b2", "b1 + a1: a2", "b2, swap"]);
});

it("dangers are told by name", () => {
  expect(spoken.dangersInWords({ attacked: [1, 2], wins: null }, board)).toBe("Can be captured at once: a2, b1.");
  expect(spoken.dangersInWords({ attacked: [], wins: ["b2"] }, board)).toContain("threatens to win with b2");
});
