import { describe, expect, it } from "vitest";
import { withChange } from "../src/lib/changes";
import type { SessionChange } from "../src/lib/schema";
import type { Session } from "../src/lib/types";

const made = (...texts: string[]) => texts.map((text, place) => ({ ply: place + 1, text, player: 1 }));
const before = {
  id: "abc",
  number: 3,
  status: "playing",
  geometry: { cells: [] },
  view: { position: "before" },
  history: made("a1", "b2", "c3"),
} as unknown as Session;

function change(kept: number, moves: object[], more: object = {}): SessionChange {
  return { number: 4, history: { kept, moves }, ...more } as unknown as SessionChange;
}

describe("a change of a session", () => {
  it("adds a move and keeps what it does not name", () => {
    const after = withChange(before, change(3, [{ ply: 4, text: "d4", player: 2 }], { view: { position: "after" } }));
    expect(after?.history.map((move) => move.text)).toEqual(["a1", "b2", "c3", "d4"]);
    expect(after).toMatchObject({ id: "abc", number: 4, status: "playing", view: { position: "after" } });
    expect(after?.geometry).toBe(before.geometry);
    expect(before.history).toHaveLength(3);
  });

  it("takes moves back, and puts others in their place", () => {
    expect(withChange(before, change(1, []))?.history.map((move) => move.text)).toEqual(["a1"]);
    expect(withChange(before, change(2, made("x")))?.history.map((move) => move.text)).toEqual(["a1", "b2", "x"]);
  });

  it("keeps the position where none is told", () => {
    const after = withChange(before, change(3, [], { spectators: 2, status: "over" }));
    expect(after?.view).toBe(before.view);
    expect(after).toMatchObject({ spectators: 2, status: "over" });
  });

  it("is not applied to a session that lacks moves before it", () => {
    expect(withChange(before, change(4, []))).toBeNull();
  });
});
