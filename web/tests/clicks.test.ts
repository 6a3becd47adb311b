import { expect, it } from "vitest";
import { buttonMoves } from "../src/lib/clicks";

it("moves without cells are buttons", () => {
  const swap = { text: "swap", clicks: [], motions: [] };
  expect(buttonMoves([{ text: "a1", clicks: [0], motions: [] }, swap])).toEqual([swap]);
});
