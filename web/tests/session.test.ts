import { describe, expect, it } from "vitest";
import type { BoardState } from "../src/board/state";
import type { Session, View } from "../src/lib/types";
import type { Captured } from "../src/pages/session/tray";
import * as state from "../src/pages/session/state";

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
  outcome: { winner, reason: { code, pt: "", en: "no moves left" }, text: { pt: "", en: "White won: Black has no moves." }, score } as unknown as View["outcome"],
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
    expect(result(over(1, "blocked", [3, 1]))).toEqual({ title: "You won!", text: "White won: Black has no moves." });
    expect(result(over(null, "agreement"))?.title).toBe("A draw");
    expect(result(over(2, "blocked"), [])?.title).toBe("The game is over");
  });

  it("tells a screen reader the last move and whose turn it is", () => {
    const said = state.announcementOf(state.sessionState(session(), null, false));
    expect(said).toContain("Rui");
    expect(said).toContain("b2");
    expect(said).toContain("Your turn");
  });

  it("says what was captured, and what a move without cells has changed", () => {
    const piece = { name: { pt: "peça negra", en: "black piece" } } as Captured["piece"];
    const seen = state.sessionState(session(), null, false);
    expect(state.announcementOf(seen, [{ piece, count: 2 }])).toContain("Captured: 2, black piece.");
    const swapped = session({
      history: [{ ply: 1, text: "swap", player: 2 }],
      view: { ...session().view, last: { text: "swap", clicks: [], motions: [] } },
    });
    expect(state.wordOfLastMove(state.sessionState(swapped, null, false))).toBe("Rui swapped colours: you now play White.");
    expect(state.wordOfLastMove(state.sessionState({ ...swapped, your_seats: [1, 2] }, null, false))).toBe("The colours were swapped.");
  });

  it("says what is picked and where it may go", () => {
    const names = { cells: ["a1", "a2", "b1"].map((name) => ({ name })) };
    const hand = { picked: [0], targets: new Set([1]), joining: new Set([2]), ways: [], choices: [], geometry: names } as unknown as BoardState;
    expect(state.announcementOfHand(hand)).toBe("Picked: a1. Targets: a2. Can join: b1.");
    expect(state.announcementOfHand({ ...hand, picked: [] })).toBe("");
  });

  it("knows when an offer was declined: by an answer or by a move, not by an end or a move of one's own", () => {
    const asked = session({ offers: { draw: 1, takeback: null } });
    const answered = session({ offers: { draw: null, takeback: null } });
    expect(state.declinedBetween(asked, answered)).toBe("draw");
    expect(state.declinedBetween(answered, asked)).toBeNull();
    const played = (player: number) => session({ ...answered, history: [...session().history, { ply: 2, text: "a1", player }] });
    expect(state.declinedBetween(asked, played(2))).toBe("draw");
    expect(state.declinedBetween(asked, played(1))).toBeNull();
    expect(state.declinedBetween(asked, session({ ...answered, status: "over" }))).toBeNull();
    expect(state.declinedBetween(session({ offers: { draw: null, takeback: 1 } }), session({ ...answered, history: [] }))).toBeNull();
  });

  it("calls time short for its length", () => {
    const timed = (initial: number) => session({ clock: { initial } });
    expect(state.isShort(timed(10), 9)).toBe(false);
    expect(state.isShort(timed(10), 2)).toBe(true);
    expect(state.isShort(timed(600), 19)).toBe(true);
    expect(state.isShort(timed(600), 21)).toBe(false);
  });

  it("lets the running clock run", () => {
    const timed = session({ clock: { left: { 1: 60, 2: 30 }, running: 1 } });
    expect(state.secondsLeft(timed, 1, 2500)).toBe(57.5);
    expect(state.secondsLeft(timed, 2, 2500)).toBe(30);
    expect(state.secondsLeft(timed, 1, 90_000)).toBe(0);
    expect(state.secondsLeft(session(), 1, 0)).toBeNull();
  });
});
