import { describe, expect, it } from "vitest";
import * as guide from "../src/pages/session/guide";
import type { SessionState } from "../src/pages/session/state";

const steps = ["one", "two"].map((en) => ({ pt: "", en }));
const playing = (plies: number, more: Partial<SessionState> = {}): SessionState =>
  ({
    session: {
      first_steps: steps,
      history: Array.from({ length: plies }, (_, ply) => ({ player: (ply % 2) + 1 })),
      seats: { 1: { kind: "guest", name: "Ana" }, 2: { kind: "engine", level: 1 } },
      view: { turn: 2, colours: {} },
      your_seats: [1],
    },
    yours: [1],
    isPlaying: true,
    isMyTurn: true,
    isPresent: true,
    ...more,
  }) as unknown as SessionState;
const idle = { picked: [], choices: [], ways: [], hinted: new Set([1]), isMoving: false, planned: [], isPickingTogether: false };

describe("a first game", () => {
  it("is told what to do now, stage by stage", () => {
    const now = (state: SessionState, hand: object) => {
      const { stages, stage } = guide.guideOf(state, { ...idle, ...hand })!;
      return stages[stage]!;
    };
    const hands = [
      {},
      { hinted: new Set() },
      { picked: [1] },
      { picked: [1, 2], ways: [[1, 2]] },
      { choices: [{}] },
      { picked: [1], isPickingTogether: true },
    ];
    expect(new Set(hands.map((hand) => now(playing(0), hand))).size).toBe(6);
    expect(now(playing(1, { isMyTurn: false }), {})).toContain("Seed");
  });

  it("is not told that it is one's turn before one may move", () => {
    const now = (hand: object) => {
      const { stages, stage } = guide.guideOf(playing(0), { ...idle, ...hand })!;
      return stages[stage]!;
    };
    expect(now({})).toContain("your turn");
    for (const hand of [{ isMoving: true }, { isMoving: true, planned: [1] }]) expect(now(hand)).not.toContain("your turn");
    expect(now({ isMoving: true, planned: [1] })).toContain("chosen");
  });

  it("is told one thing about the game at each own move", () => {
    expect(guide.guideOf(playing(0), idle)!.tips).toEqual(["one", "two"]);
    expect([0, 2, 4].map((plies) => guide.guideOf(playing(plies), idle)!.tip)).toEqual([0, 1, 0]);
  });

  it("is not explained to those who watch, look back or have ended it", () => {
    for (const more of [{ yours: [] }, { isPresent: false }, { isPlaying: false }]) expect(guide.guideOf(playing(0, more), idle)).toBeNull();
  });
});
