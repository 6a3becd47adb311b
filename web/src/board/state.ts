import { nextCells, touch } from "../lib/clicks";
import type { Cell, Geometry, Motion, Move, Point, View } from "../lib/types";
import { step } from "./cursor";

/**
 * All that a board shows and all that a player does to it, as plain values. Components draw parts of a `BoardState`;
 * what a touch or a key changes is a function from one `Hand` to the next. No rules: the moves are given.
 */

/** What the player is doing. */
export interface Hand {
  /** The cells touched so far for a move that is not complete. */
  picked: Cell[];
  /** The cell with the keyboard's focus. */
  cursor: Cell;
  /** The line on which a walk with the arrow keys began. */
  walk: Point | null;
  drag: Drag | null;
}

export interface Drag {
  cell: Cell;
  /** Where it began, in pixels of the page, and how far it has come, in units of the board. */
  from: Point;
  offset: Point;
  /** Far enough to be no mere touch. */
  moved: boolean;
  /** It picked its cell, which letting go of it there must not undo. */
  fresh: boolean;
}

/** What the board is given to show. */
export interface Given {
  geometry: Geometry;
  view: View;
  /** The moves that may be made now. */
  moves: Move[];
  /** A move made here that the server has not confirmed yet. */
  pending: Move | null;
  highlights: Cell[];
  arrows: Motion[];
  /** Cells in the order in which their numbers, from 1 on, are written on them. */
  numbers: Cell[];
}

export interface BoardState extends Given, Hand {
  /** Where a move may begin, and where the one begun may go on. */
  beginnings: ReadonlySet<Cell>;
  targets: ReadonlySet<Cell>;
  /** The beginnings that are shown. */
  hinted: ReadonlySet<Cell>;
  standing: ReadonlyMap<Cell, View["pieces"][number]>;
  marked: ReadonlyMap<Cell, string>;
  /** The cells of the last move. */
  last: ReadonlySet<Cell>;
  /** The drag that carries a piece. */
  carried: Drag | null;
}

/** Pixels that a finger may tremble without dragging. */
const TREMBLE = 8;
const NOWHERE: ReadonlySet<Cell> = new Set();

export const IDLE: Hand = { picked: [], cursor: 0, walk: null, drag: null };

export function boardState(given: Given, hand: Hand): BoardState {
  const { geometry, view, moves } = given;
  const { picked, drag } = hand;
  const beginnings = nextCells(moves, []);
  // Where one may begin is shown unless that is nearly everywhere.
  const isTelling = picked.length === 0 && beginnings.size * 5 <= geometry.cells.length * 2;
  return {
    ...given,
    ...hand,
    beginnings,
    targets: picked.length ? nextCells(moves, picked) : NOWHERE,
    hinted: isTelling ? beginnings : NOWHERE,
    standing: new Map(view.pieces.map((piece) => [piece.cell, piece])),
    marked: new Map(view.marks.map(({ cell, text }) => [cell, text])),
    last: new Set(view.last?.clicks ?? []),
    carried: drag?.moved && picked.at(-1) === drag.cell ? drag : null,
  };
}

// -------------------------------------------------------------------------------------------------- what a player does

/** The hand afterwards, and the move that it has made. */
export interface Done {
  hand: Hand;
  move: Move | null;
}

/** A cell chosen, by touch or by key. */
export function choose(hand: Hand, moves: Move[], cell: Cell): Done {
  const { picked, move } = touch(moves, hand.picked, cell);
  return { hand: { ...hand, picked }, move };
}

/** A finger or a mouse button comes down, on a cell or beside them all. */
export function press(hand: Hand, moves: Move[], cell: Cell | null, at: Point): Hand {
  if (cell === null) return letGo(hand);
  const isPart = hand.picked.includes(cell) || (hand.picked.length > 0 && nextCells(moves, hand.picked).has(cell));
  const begins = !isPart && nextCells(moves, []).has(cell);
  // A move of one touch is made when the finger is lifted.
  const fresh = begins && touch(moves, [], cell).move === null;
  return {
    picked: fresh ? [cell] : hand.picked,
    cursor: cell,
    walk: null,
    drag: { cell, from: at, offset: [0, 0], moved: false, fresh },
  };
}

/** It moves; `scale` is how many units of the board a pixel is. */
export function pull(hand: Hand, at: Point, scale: number): Hand {
  if (!hand.drag) return hand;
  const { from, moved } = hand.drag;
  const [dx, dy] = [at[0] - from[0], at[1] - from[1]];
  const offset: Point = [dx * scale, dy * scale];
  return { ...hand, drag: { ...hand.drag, offset, moved: moved || Math.hypot(dx, dy) > TREMBLE } };
}

/** It is lifted, over a cell or beside them all. */
export function lift(hand: Hand, moves: Move[], over: Cell | null): Done {
  if (!hand.drag) return { hand, move: null };
  const { cell, moved, fresh } = hand.drag;
  const still: Hand = { ...hand, drag: null };
  if (over === null) return { hand: still, move: null };
  if (moved && over !== cell) {
    const isTarget = hand.picked.length > 0 && nextCells(moves, hand.picked).has(over);
    return isTarget ? choose(still, moves, over) : { hand: still, move: null };
  }
  return fresh ? { hand: still, move: null } : choose(still, moves, cell);
}

/** One step with an arrow key. The walk stays on its line: its column for up and down, its row for left and right. */
export function walk(hand: Hand, centres: Point[], way: Point): Hand {
  const here = centres[hand.cursor]!;
  const [x, y] = hand.walk ?? here;
  const line: Point = way[0] === 0 ? [x, here[1]] : way[1] === 0 ? [here[0], y] : here;
  return { ...hand, walk: line, cursor: step(centres, hand.cursor, way, line) };
}

export function letGo(hand: Hand): Hand {
  return { ...hand, picked: [], drag: null };
}

/** After a change of what is offered: a move that cannot be completed is not half made, the cursor is on the board. */
export function settle(hand: Hand, moves: Move[], cells: number): Hand {
  const isOpen = hand.picked.length === 0 || nextCells(moves, hand.picked).size > 0;
  if (isOpen && hand.cursor < cells) return hand;
  return { ...hand, picked: isOpen ? hand.picked : [], cursor: hand.cursor < cells ? hand.cursor : 0 };
}

// ------------------------------------------------------------------------------------------------- from view to view

export interface Shown {
  geometry: Geometry;
  view: View;
  /** How many moves were made before this view. */
  ply: number;
  /** A move that is shown although the server has not confirmed it. */
  anticipated: Move | null;
}

/** What to play on the board to come from what is shown to what is given: motions, then the view they lead to. */
export interface Scene {
  /** The view is shown as it is, without a way to it. */
  isCut: boolean;
  motions: Motion[];
  view: View | null;
}

export function scenes(shown: Shown | null, next: Omit<Shown, "anticipated"> & { pending: Move | null }): [Scene[], Shown] {
  const { geometry, view, ply, pending } = next;
  const played: Scene[] = [];
  let anticipated = shown?.anticipated ?? null;
  if (shown?.geometry !== geometry) {
    played.push({ isCut: true, motions: [], view });
    anticipated = null;
  } else if (view !== shown.view) {
    played.push({ isCut: false, motions: motionsTo(shown, view, ply), view });
    anticipated = null;
  } else if (!pending && anticipated) {
    // It was refused.
    played.push({ isCut: false, motions: [], view });
    anticipated = null;
  }
  if (pending && pending !== anticipated && view === (shown?.view ?? view)) {
    played.push({ isCut: false, motions: pending.motions, view: null });
    anticipated = pending;
  }
  return [played, { geometry, view, ply, anticipated }];
}

function motionsTo({ view: before, ply: from, anticipated }: Shown, view: View, ply: number): Motion[] {
  const expected = from + (anticipated ? 1 : 0);
  if (anticipated && ply === expected && view.last?.text === anticipated.text) return [];
  if (ply === expected + 1 && view.last) return view.last.motions;
  if (!anticipated && ply === from - 1 && before.last) return backwards(before, before.last);
  return [];
}

/** A move undone: pieces go back the way they came; seeds are simply there again. */
function backwards(after: View, last: Move): Motion[] {
  const seeds = new Set(after.pieces.filter(({ kind }) => kind === "seeds").map(({ cell }) => cell));
  if (last.motions.some(([, to]) => seeds.has(to))) return [];
  return last.motions.map(([from, to]): Motion => [to, from]).reverse();
}
