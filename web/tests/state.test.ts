import { describe, expect, it } from "vitest";
import { boardState, choose, type Given, IDLE, letGo, lift, press, pull, scenes, settle, walk } from "../src/board/state";
import { type Offer, offersOf } from "../src/board/selection";
import type { Geometry, Move, Point, View } from "../src/lib/types";

const move = (text: string, ...clicks: number[]): Move => ({ text, clicks, motions: [[clicks[0]!, clicks.at(-1)!]] });
const NO_PIECES = { pieces: [] };
const [AB, AC, BC] = [move("a-b", 0, 1), move("a-c", 0, 2), move("b-c", 1, 2)];
const MOVES = offersOf([AB, AC, BC], NO_PIECES);
/** Moves of one touch. */
const placed = (text: string, cell: number): Move => ({ text, clicks: [cell], motions: [] });
const [D, E] = [placed("d", 3), placed("e", 4)];
const PUT = offersOf([D, E], NO_PIECES);

function geometry(cells = 9): Geometry {
  return { kind: "square", cells: Array.from({ length: cells }, (_, cell) => ({ name: `c${cell}`, x: cell % 3, y: Math.floor(cell / 3) })) } as Geometry;
}

function view(last?: Move, pieces: { cell: number; kind: string }[] = []): View {
  return { pieces: pieces.map((piece) => ({ ...piece }) as View["pieces"][number]), marks: [{ cell: 2, text: "1" }], last: last ?? null } as View;
}

const given = (offers: Offer[]): Given => ({
  geometry: geometry(),
  view: view(BC, [{ cell: 0, kind: "man" }]),
  seen: view(BC),
  offers,
  pending: null,
  ply: 0,
  isMoving: false,
  planned: [],
  isPickingTogether: false,
  highlights: [],
  arrows: [],
  numbers: [],
});

describe("what a board shows", () => {
  it("is where a move may begin, and once begun, where it may go", () => {
    const idle = boardState(given(MOVES), IDLE);
    expect([...idle.beginnings]).toEqual([0, 1]);
    expect([...idle.hinted]).toEqual([0, 1]);
    expect(idle.targets.size).toBe(0);
    const begun = boardState(given(MOVES), { ...IDLE, picked: [0] });
    expect([...begun.targets]).toEqual([1, 2]);
    expect(begun.hinted.size).toBe(0);
  });

  it("does not say where to begin when that is nearly everywhere", () => {
    const everywhere = offersOf(Array.from({ length: 9 }, (_, cell) => placed(`m${cell}`, cell)), NO_PIECES);
    expect(boardState(given(everywhere), IDLE).hinted.size).toBe(0);
    expect(boardState(given(everywhere), IDLE).beginnings.size).toBe(9);
  });

  it("tells what stands where, what is marked, and the last move", () => {
    const board = boardState(given(MOVES), IDLE);
    expect(board.standing.get(0)?.kind).toBe("man");
    expect(board.marked.get(2)).toBe("1");
    expect([...board.last]).toEqual([1, 2]);
    const sown = view({ text: "a", clicks: [0], motions: [[0, 1], [0, 2], [2, 8]] });
    expect([...boardState({ ...given(MOVES), seen: sown }, IDLE).last]).toEqual([0, 2]);
  });
});

describe("a hand", () => {
  it("makes a move by choosing its cells", () => {
    const { hand, move: none } = choose(IDLE, MOVES, 0);
    expect([hand.picked, none]).toEqual([[0], null]);
    expect(choose(hand, MOVES, 2)).toEqual({ hand: { ...hand, picked: [] }, move: AC, missed: null });
  });

  it("picks a piece when it is pressed, and keeps it when lifted on the spot", () => {
    const down = press(IDLE, MOVES, 0, [5, 5]);
    expect(down).toMatchObject({ picked: [0], cursor: 0, drag: { cell: 0, fresh: true, moved: false } });
    expect(lift(down, MOVES, 0)).toEqual({ hand: { ...down, drag: null }, move: null, missed: null });
  });

  it("puts a piece down that is touched again", () => {
    const again = press({ ...IDLE, picked: [0] }, MOVES, 0, [5, 5]);
    expect(lift(again, MOVES, 0)).toMatchObject({ hand: { picked: [] }, move: null });
  });

  it("makes a move of one touch when it is lifted, not when it is pressed", () => {
    const down = press(IDLE, PUT, 3, [5, 5]);
    expect(down.picked).toEqual([]);
    expect(lift(down, PUT, 3).move).toBe(D);
    // A finger that trembles on the cell still means it.
    expect(lift(pull(down, [25, 5], 3, 1), PUT, 3).move).toBe(D);
  });

  it("carries a piece that is dragged, and drops it on a target or nowhere", () => {
    const dragged = pull(press(IDLE, MOVES, 0, [0, 0]), [20, 10], 1, 2);
    expect(dragged.drag).toMatchObject({ moved: true, offset: [40, 20] });
    expect(boardState(given(MOVES), dragged)).toMatchObject({ carried: { cells: new Set([0]), offset: [40, 20] }, goal: 1 });
    expect(lift(dragged, MOVES, 1).move).toBe(AB);
    expect(lift(dragged, MOVES, 7).missed).toEqual([0, 7]);
    for (const nowhere of [7, null]) expect(lift(dragged, MOVES, nowhere)).toMatchObject({ hand: { picked: [0] }, move: null });
  });

  it("may tremble", () => {
    const trembling = pull(press(IDLE, MOVES, 0, [0, 0]), [3, 3], 0, 1);
    expect(trembling.drag?.moved).toBe(false);
    expect(boardState(given(MOVES), trembling).carried).toBeNull();
  });

  it("lets go beside the cells, and of moves that are no longer offered", () => {
    const holding = { ...IDLE, picked: [0] };
    expect(press(holding, MOVES, null, [0, 0]).picked).toEqual([]);
    expect(letGo(holding).picked).toEqual([]);
    expect(settle(holding, PUT, 9).picked).toEqual([]);
    expect(settle(holding, MOVES, 9)).toBe(holding);
    expect(settle({ ...IDLE, cursor: 8 }, MOVES, 4).cursor).toBe(0);
  });

  it("walks with the arrows along its line", () => {
    const centres = geometry().cells.map(({ x, y }): Point => [x, y]);
    const right = walk(IDLE, centres, [1, 0]);
    expect(right).toMatchObject({ cursor: 1, walk: [0, 0] });
    expect(walk(walk(right, centres, [1, 0]), centres, [1, 0]).cursor).toBe(2);
  });
});

describe("from view to view", () => {
  const board = geometry();
  const start = view();
  const after = view(AB);
  const at = (seen: View, ply: number, pending?: Move) => ({ geometry: board, view: seen, ply, pending: pending ?? null });
  const [, opened] = scenes(null, at(start, 0));

  it("a first view, or one of another board, is simply there", () => {
    expect(scenes(null, at(start, 0))[0]).toEqual([{ isCut: true, motions: [], view: start }]);
    expect(scenes(opened, { ...at(after, 1), geometry: geometry(4) })[0]).toMatchObject([{ isCut: true, view: after }]);
  });

  it("a move is shown, also backwards", () => {
    const [played, then] = scenes(opened, at(after, 1));
    expect(played).toEqual([{ isCut: false, motions: [[0, 1]], view: after }]);
    expect(scenes(then, at(start, 0))[0]).toEqual([{ isCut: false, motions: [[1, 0]], view: start }]);
  });

  it("seeds do not go back the way they came", () => {
    const sown = view(AB, [{ cell: 1, kind: "seeds" }]);
    const [, then] = scenes(opened, at(sown, 1));
    expect(scenes(then, at(start, 0))[0]).toMatchObject([{ motions: [] }]);
  });

  it("an own move is shown before the server confirms it, once", () => {
    const [played, hoping] = scenes(opened, at(start, 0, AB));
    expect(played).toEqual([{ isCut: false, motions: [[0, 1]], view: null }]);
    expect(scenes(hoping, at(start, 0, AB))[0]).toEqual([]);
    expect(scenes(hoping, at(after, 1))[0]).toEqual([{ isCut: false, motions: [], view: after }]);
    const reply = view(BC);
    expect(scenes(hoping, at(reply, 2))[0]).toEqual([{ isCut: false, motions: [[1, 2]], view: reply }]);
  });

  it("a refused move is taken back", () => {
    const [, hoping] = scenes(opened, at(start, 0, AB));
    const [played, then] = scenes(hoping, at(start, 0));
    expect(played).toEqual([{ isCut: false, motions: [], view: start }]);
    expect(then.anticipated).toBeNull();
  });

  it("steps of several moves show no way", () => {
    expect(scenes(opened, at(after, 5))[0]).toMatchObject([{ motions: [] }]);
  });
});
