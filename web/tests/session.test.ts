import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Session, View } from "../src/lib/types";
import type * as State from "../src/pages/session/state";

/** The settings look at the browser when they are read. */
let state: typeof State;
beforeAll(async () => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  state = await import("../src/pages/session/state");
});

const seat = { kind: "guest", name: "Ana", level: null, connected: true };

function session(changes: object = {}): Session {
  return {
    status: "playing",
    geometry: { kind: "square" },
    seats: { 1: seat, 2: { ...seat, name: "Rui" } },
    your_seats: [1],
    view: { turn: 1, colours: { 1: "white", 2: "black" }, moves: [{ text: "a1" }], outcome: null, prompt: null },
    history: [{ ply: 1, text: "b2", player: 2 }],
    clock: null,
    ...changes,
  } as unknown as Session;
}

const over = (winner: number | null, code: string, score: number[] | null = null): Partial<View> => ({
  ...session().view,
  outcome: { winner, reason: { code, pt: "", en: "no moves left" }, score } as unknown as View["outcome"],
});

describe("the state of a session's page", () => {
  it("offers moves to the player to move, and to nobody who looks back", () => {
    const shown = state.sessionState(session(), null, false);
    expect(shown).toMatchObject({ isMyTurn: true, rival: 2, isAlone: false, ply: 1, isPresent: true });
    expect(shown.offered).toHaveLength(1);
    const looking = state.sessionState(session(), { ply: 0, view: session().view }, false);
    expect(looking).toMatchObject({ ply: 0, isPresent: false, offered: [] });
    expect(state.sessionState(session({ your_seats: [2] }), null, false)).toMatchObject({ isMyTurn: false, offered: [] });
    expect(state.sessionState(session({ your_seats: [] }), null, false).rival).toBeNull();
  });

  it("shows player 2 the board from the other side, unless its sides are nobody's", () => {
    const two = session({ your_seats: [2] });
    expect(state.sessionState(two, null, false)).toMatchObject({ flipped: true, near: 2 });
    expect(state.sessionState(two, null, true)).toMatchObject({ flipped: false, near: 1 });
    const hex = session({ your_seats: [2], geometry: { kind: "rhombus" } });
    expect(state.sessionState(hex, null, false)).toMatchObject({ flipped: false, near: 2 });
  });

  it("says who won and why", () => {
    const result = (view: Partial<View>, yours = [1]) =>
      state.sessionState(session({ status: "over", view, your_seats: yours }), null, false).result;
    expect(result(over(1, "blocked", [3, 1]))).toEqual({ title: "You won!", text: "White: no moves left (3–1)." });
    expect(result(over(2, "resignation", [3, 1]))?.text).toBe("No moves left.");
    expect(result(over(null, "agreement"))?.title).toBe("A draw");
    expect(result(over(2, "blocked"), [])?.title).toContain("Rui");
  });

  it("tells a screen reader the last move and whose turn it is", () => {
    const said = state.announcementOf(state.sessionState(session(), null, false));
    expect(said).toContain("Rui");
    expect(said).toContain("b2");
    expect(said).toContain("Your turn");
  });

  it("lets the running clock run", () => {
    const timed = session({ clock: { left: { 1: 60, 2: 30 }, running: 1 } });
    expect(state.secondsLeft(timed, 1, 2500)).toBe(57.5);
    expect(state.secondsLeft(timed, 2, 2500)).toBe(30);
    expect(state.secondsLeft(timed, 1, 90_000)).toBe(0);
    expect(state.secondsLeft(session(), 1, 0)).toBeNull();
  });
});
