import { expect, it } from "vitest";
import type { View } from "../src/lib/types";
import { capturedOf, takenBetween } from "../src/pages/session/tray";

const pieces = (...sorts: [string, string, number][]) =>
  ({
    pieces: sorts.flatMap(([colour, kind, count]) => Array.from({ length: count }, () => ({ colour, kind }))),
    score: null,
  }) as unknown as View;
const EARLY = [pieces(), pieces(["white", "man", 8], ["white", "king", 1], ["black", "man", 8])];

it("captured pieces are those that are gone, of each sort", () => {
  const now = pieces(["white", "man", 6], ["white", "king", 1], ["black", "man", 8]);
  expect(capturedOf(EARLY, now, "white")).toMatchObject([{ piece: { kind: "man" }, count: 2 }]);
  expect(capturedOf(EARLY, now, "black")).toEqual([]);
  expect(capturedOf(EARLY, now, null)).toEqual([]);
});

it("where points are counted, or pieces only come, nothing is captured", () => {
  expect(capturedOf(EARLY, { ...pieces(), score: [3, 0] }, "white")).toEqual([]);
  expect(capturedOf([pieces()], pieces(["white", "stone", 5]), "white")).toEqual([]);
});

it("a move takes what was there before and is not after", () => {
  expect(takenBetween(pieces(["black", "man", 3]), pieces(["black", "man", 2]))).toMatchObject([{ count: 1 }]);
  expect(takenBetween(pieces(["", "seeds", 3]), pieces(["", "seeds", 2]))).toEqual([]);
});
