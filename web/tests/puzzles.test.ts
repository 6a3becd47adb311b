import { describe, expect, it } from "vitest";
import { clock, p } from "../src/learn/puzzles/words";

describe("the clock of a storm", () => {
  it.each([
    [180, "3:00"],
    [61.2, "1:02"],
    [0.3, "0:01"],
    [0, "0:00"],
    [-4, "0:00"],
  ])("%s seconds are %s", (seconds, shown) => {
    expect(clock(seconds)).toBe(shown);
  });
});

describe("the words", () => {
  it("are filled in", () => {
    expect(p("best", { count: 7 })).toMatch(/7/);
  });
});
