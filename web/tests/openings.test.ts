import { describe, expect, it } from "vitest";
import { choices, shares } from "../src/openings/list";
import { Explored } from "../src/openings/explored.svelte";
import type { KnownValues, OpeningResults, Openings } from "../src/openings/api";

const results = (one: number, two: number, draws = 0, unfinished = 0): OpeningResults => ({
  games: one + two + draws + unfinished,
  one,
  two,
  draws,
  unfinished,
});

const score = (worth: "win" | "draw" | "loss") => ({ worth, plies: null, points: null, chance: worth === "win" ? 1 : 0 });

describe("the moves of a position", () => {
  const counted: Openings = {
    played: { results: results(2, 1), moves: [{ move: "a1", results: results(1, 0) }] },
    engines: {
      results: results(9, 3),
      moves: [
        { move: "b2", results: results(6, 3) },
        { move: "a1", results: results(3, 0) },
      ],
    },
  };
  const known: KnownValues = {
    score: score("win"),
    moves: [
      { move: "a1", score: score("loss") },
      { move: "c3", score: score("win") },
      { move: "d4", score: score("loss") },
    ],
  };

  it("come in the order of how often they were played, then what is proven to be good", () => {
    expect(choices(counted, known).map(({ move }) => move)).toEqual(["b2", "a1", "c3"]);
  });

  it("hold what is known from everywhere", () => {
    const [, a1] = choices(counted, known);
    expect(a1).toEqual({ move: "a1", played: results(1, 0), engines: results(3, 0), score: score("loss") });
  });

  it("are told before anything is proven", () => {
    expect(choices(counted, null).map(({ move }) => move)).toEqual(["b2", "a1"]);
  });
});

describe("shares", () => {
  it("make a hundred", () => {
    for (const each of [results(1, 2), results(1, 1, 1), results(2, 3, 2), results(1, 0), results(997, 1, 2)]) {
      const [one, draws, two] = shares(each);
      expect(one + draws + two).toBe(100);
      expect(Math.min(one, draws, two)).toBeGreaterThanOrEqual(0);
    }
  });

  it("leave out what did not end", () => {
    expect(shares(results(0, 0, 0, 3))).toEqual([0, 0, 0]);
    expect(shares(results(1, 1, 0, 2))).toEqual([50, 0, 50]);
  });
});

describe("a line in an address", () => {
  it("is read as it was written", () => {
    expect(Explored.movesIn("#d4-d5xh5+K%3De+swap")).toEqual(["d4-d5xh5", "K=e", "swap"]);
    expect(Explored.movesIn("")).toEqual([]);
  });
});
