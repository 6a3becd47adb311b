import { expect, it } from "vitest";
import { fulfilled, NO_PLAN, planned, queued } from "../src/board/plan";
import { offersOf } from "../src/board/selection";
import type { Move } from "../src/lib/types";

const OWN = new Set([0, 1]);
const moves: Move[] = [
  { text: "0-5", clicks: [0, 5], motions: [[0, 5]] },
  { text: "7", clicks: [7], motions: [] },
];
const offers = offersOf(moves, { pieces: [] });

it("a plan is a piece and a target, or one cell", () => {
  const begun = planned(NO_PLAN, OWN, 0);
  expect(begun).toEqual({ cells: [0], isWhole: false });
  const plan = planned(begun, OWN, 5);
  expect(plan).toEqual({ cells: [0, 5], isWhole: true });
  expect(fulfilled(plan, offers)).toBe(moves[0]);
  expect(fulfilled(planned(NO_PLAN, OWN, 7), offers)).toBe(moves[1]);
});

it("a plan is given up by touching it, and replaced by touching elsewhere", () => {
  const plan = { cells: [0, 5], isWhole: true };
  expect(planned(plan, OWN, 5)).toBe(NO_PLAN);
  expect(planned(plan, OWN, 7)).toEqual({ cells: [7], isWhole: true });
});

it("a plan that is half made, or can no longer be made, is no move", () => {
  expect(fulfilled({ cells: [0], isWhole: false }, offers)).toBeNull();
  expect(fulfilled({ cells: [1, 5], isWhole: true }, offers)).toBeNull();
});

it("a choice made too early waits, is given up by touching it and replaced by another", () => {
  const sown: Move[] = [
    { text: "a", clicks: [0], motions: [[0, 1]] },
    { text: "b", clicks: [1], motions: [[1, 2]] },
  ];
  const coming = offersOf(sown, { pieces: [] });
  const first = queued(NO_PLAN, coming, 0)!;
  expect(first).toEqual({ cells: [0], isWhole: true });
  expect(fulfilled(first, coming)).toBe(sown[0]);
  expect(queued(first, coming, 0)).toBe(NO_PLAN);
  expect(queued(first, coming, 1)).toEqual({ cells: [1], isWhole: true });
  // What can mean no move is no choice, and takes none away.
  expect(queued(first, coming, 9)).toBeNull();
  expect(queued(NO_PLAN, [], 0)).toBeNull();
});

it("a choice made too early may be of several cells", () => {
  const begun = queued(NO_PLAN, offers, 0)!;
  expect(begun).toEqual({ cells: [0], isWhole: false });
  expect(queued(begun, offers, 5)).toEqual({ cells: [0, 5], isWhole: true });
});
