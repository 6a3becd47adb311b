import { describe, expect, it } from "vitest";
import { bySchool } from "../src/championship/statistics";

const person = (school: string) => ({ name: "x", school, class: "", arrangements: [] });
const pairing = (one: number, two: number | null, winner: number | null, how = "played") => ({
  table: 1,
  one,
  two,
  why: { pt: "", en: "" },
  games: [{ how, winner, text: "", reason: "" }],
  result: "1-0",
  winner,
  session: null,
});

describe("figures by school", () => {
  const people = { 1: person("Norte"), 2: person("Sul"), 3: person("Norte") };
  const groups = [{ members: [1, 2, 3], rounds: [{ number: 1, pairings: [pairing(1, 2, 2), pairing(3, null, 1, "bye")] }, { number: 2, pairings: [pairing(2, 3, 1), pairing(1, 3, 1, "forfeit")] }] }];

  it("counts wins at the board, and each pupil once", () => {
    const figures = bySchool([...groups, { members: [1], rounds: [] }], people, []);
    expect(figures).toEqual([
      { name: "Sul", players: 1, wins: 2, podiums: 0 },
      { name: "Norte", players: 2, wins: 0, podiums: 0 },
    ]);
  });

  it("puts podiums before wins", () => {
    const [first] = bySchool(groups, people, [{ podium: [{ place: 1, person: 3 }] }, { podium: null }]);
    expect(first).toEqual({ name: "Norte", players: 2, wins: 0, podiums: 1 });
  });
});
