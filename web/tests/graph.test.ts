import { describe, expect, it } from "vitest";
import { area, chanceOf, chanceOfOne, curve, HEIGHT, plyAt, WIDTH, xOf, yOf } from "../src/analysis/graph";

const score = { worth: null, plies: null, points: 0, chance: 0.8 };

describe("the graph", () => {
  it("is of player 1, whoever is to move", () => {
    expect(chanceOfOne({ turn: 1, score })).toBeCloseTo(0.8);
    expect(chanceOfOne({ turn: 2, score })).toBeCloseTo(0.2);
    expect(chanceOf(2, { turn: 2, score })).toBeCloseTo(0.8);
  });

  it("goes from left to right and from loss to win", () => {
    expect([xOf(0, 10), xOf(10, 10), xOf(0, 0)]).toEqual([0, WIDTH, 0]);
    expect([yOf(0), yOf(1)]).toEqual([HEIGHT, 0]);
    expect(curve([0, 1])).toBe(`M0 ${HEIGHT}L${WIDTH} 0`);
  });

  it("leaves open what is not known yet", () => {
    expect(curve([null, 0.5, 0.5, null, 1]).match(/M/g)).toHaveLength(2);
    expect(curve([null, null])).toBe("");
    expect(area([0.5, 0.5])).toMatch(/^M0 60L.*Z$/);
  });

  it("finds the ply under a finger", () => {
    expect([plyAt(-1, 10), plyAt(0.24, 10), plyAt(0.26, 10), plyAt(2, 10)]).toEqual([0, 2, 3, 10]);
  });
});
