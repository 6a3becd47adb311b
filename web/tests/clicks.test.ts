import { describe, expect, it } from "vitest";
import { buttonMoves, nextCells, touch } from "../src/lib/clicks";
import type { Move } from "../src/lib/types";

const move = (text: string, ...clicks: number[]): Move => ({ text, clicks, motions: [] });
const STEPS = [move("a-b", 0, 1), move("a-c", 0, 2), move("d-c", 3, 2)];

describe("picking cells", () => {
  it("offers the beginnings, then what follows them", () => {
    expect([...nextCells(STEPS, [])].sort()).toEqual([0, 3]);
    expect([...nextCells(STEPS, [0])].sort()).toEqual([1, 2]);
    expect(nextCells(STEPS, [1]).size).toBe(0);
  });

  it("completes a move with its last cell", () => {
    expect(touch(STEPS, [], 0)).toEqual({ picked: [0], move: null });
    expect(touch(STEPS, [0], 2)).toEqual({ picked: [], move: STEPS[1] });
  });

  it("completes a move of one cell at once", () => {
    expect(touch([move("d4", 7)], [], 7).move?.text).toBe("d4");
  });

  it("picks another piece, or puts the picked one down", () => {
    expect(touch(STEPS, [0], 3)).toEqual({ picked: [3], move: null });
    expect(touch(STEPS, [0], 0)).toEqual({ picked: [], move: null });
    expect(touch(STEPS, [0], 9)).toEqual({ picked: [], move: null });
    expect(touch(STEPS, [], 9)).toEqual({ picked: [], move: null });
  });

  it("never makes a move of one cell by a touch that misses", () => {
    const moves = [...STEPS, move("K@e", 5)];
    expect(touch(moves, [0], 5)).toEqual({ picked: [], move: null });
    expect(touch(moves, [], 5).move?.text).toBe("K@e");
  });

  it("tells moves of three cells from moves of two", () => {
    const moves = [move("in line", 0, 3), move("broadside", 0, 2, 5)];
    expect(touch(moves, [0], 2)).toEqual({ picked: [0, 2], move: null });
    expect(touch(moves, [0, 2], 5).move?.text).toBe("broadside");
    expect(touch(moves, [0], 3).move?.text).toBe("in line");
  });

  it("keeps moves without cells apart", () => {
    const swap = move("swap");
    expect(buttonMoves([...STEPS, swap])).toEqual([swap]);
    expect(nextCells([swap], []).size).toBe(0);
    expect(touch([swap], [], 0).move).toBeNull();
  });
});
