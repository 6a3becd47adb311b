import { describe, expect, it } from "vitest";
import { GENTLEST, nextLevel, STRONGEST, usualLevel } from "../src/lib/levels";
import type { SessionSummary } from "../src/lib/types";

const person = { kind: "guest", name: null, erased: false, level: null, connected: true } as const;

function against(level: number, winner: 1 | 2 | null, more: Partial<SessionSummary> = {}): SessionSummary {
  const computer = { kind: "engine", name: null, erased: false, level, connected: true } as const;
  const text = { pt: "", en: "" };
  const outcome = winner && { winner, reason: { code: "line", ...text }, text, score: null, cells: [], motions: [] };
  return {
    id: "x", game: "hex", status: winner ? "over" : "playing", turn: 1, your_seats: [1], plies: 9, updated: 0,
    seats: { 1: person, 2: computer }, outcome, ...more,
  };
}

describe("the level of the computer", () => {
  it("is the gentlest for who is new to a game", () => {
    expect(usualLevel([], "hex")).toBe(GENTLEST);
    expect(usualLevel([against(5, 1)], "ouri")).toBe(GENTLEST);
  });

  it("is that of the last game", () => {
    expect(usualLevel([against(4, null), against(2, 1)], "hex")).toBe(4);
    expect(usualLevel([against(4, null, { seats: { 1: person, 2: person } }), against(2, 1)], "hex")).toBe(2);
  });

  it.each([
    ["after two wins", [against(1, 1), against(1, 1)], 2],
    ["also past a game that goes on", [against(1, null), against(1, 1), against(1, 1)], 2],
    ["not after one", [against(1, 1)], null],
    ["not after a loss", [against(1, 1), against(1, 2), against(1, 1)], null],
    ["not after wins at two levels", [against(2, 1), against(1, 1)], null],
    ["not beyond the last", [against(STRONGEST, 1), against(STRONGEST, 1)], null],
  ])("goes up %s", (_, sessions, level) => {
    expect(nextLevel(sessions, "hex")).toBe(level);
  });
});
