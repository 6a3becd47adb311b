import { expect, it } from "vitest";
import { collected, scenes } from "../src/board/state";
import type { Geometry, Move, View } from "../src/lib/types";

const seeds = (cell: number, count: number) => ({ cell, count, kind: "seeds", colour: "", symbol: String(count) });
const last: Move = { text: "f", clicks: [5], motions: [[5, 6]] };
const ended = {
  pieces: [seeds(0, 3), seeds(2, 4), seeds(12, 20)],
  marks: [],
  last,
  outcome: { motions: [[0, 12], [2, 12]] },
} as unknown as View;
const board = {} as Geometry;

it("what is collected at the end lies in the store", () => {
  expect(collected(ended).pieces).toEqual([seeds(12, 27)]);
  const going = { ...ended, outcome: null } as View;
  expect(collected(going)).toBe(going);
});

it("it is seen to be collected, after the last move; who comes later finds it there", () => {
  const before = { ...ended, last: null, outcome: null } as View;
  const [, shown] = scenes(null, { geometry: board, view: before, ply: 0, pending: null });
  const [played] = scenes(shown, { geometry: board, view: ended, ply: 1, pending: null });
  expect(played.map(({ motions }) => motions)).toEqual([last.motions, ended.outcome!.motions]);
  expect(played.at(-1)!.view!.pieces).toEqual([seeds(12, 27)]);
  expect(scenes(null, { geometry: board, view: ended, ply: 1, pending: null })[0][0]!.view!.pieces).toEqual([seeds(12, 27)]);
});
