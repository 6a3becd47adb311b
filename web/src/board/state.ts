import type { Cell, Geometry, Motion, Move, Point, View } from "../lib/types";
import { step } from "./cursor";
import { beginnings, completed, continuations, directions, drop, hasGrip, isOpen, type Offer, touch, type Touched } from "./selection";

/**
 * All that a board shows and all that a player does to it, as plain values. Components draw parts of a `BoardState`;
 * what a touch or a key changes is a function from one `Hand` to the next. No rules: the moves are given.
 */

/** What the player is doing. */
export interface Hand {
  /** The cells touched so far for a move that is not complete. */
  picked: Cell[];
  /** The moves that the last touch may have meant, where it may have meant several. */
  choices: Move[];
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
  /** The cell that it is over now. */
  over: Cell | null;
  /** Far enough to be no mere touch. */
  moved: boolean;
  /** It picked its cell, which letting go of it there must not undo. */
  fresh: boolean;
}

/** What the board is given to show. */
export interface Given {
  geometry: Geometry;
  view: View;
  /** The view that has come to rest: an animation may still be on its way from it. */
  seen: View;
  /** The moves that may be made now. */
  offers: Offer[];
  /** A move made here that the server has not confirmed yet. */
  pending: Move | null;
  /** How many moves were made before the view. */
  ply: number;
  /** Pieces are on their way, or a move waits for the server: nobody may move yet. */
  isMoving: boolean;
  /** The cells of a move that is chosen and not made yet. */
  planned: Cell[];
  /** Pieces are picked together, for a move that names several. */
  isPickingTogether: boolean;
  highlights: Cell[];
  arrows: Motion[];
  /** Cells in the order in which their numbers, from 1 on, are written on them. */
  numbers: Cell[];
}

export interface BoardState extends Given, Hand {
  /** Where a move may begin, which pieces may join those picked, and where these may go. */
  beginnings: ReadonlySet<Cell>;
  joining: ReadonlySet<Cell>;
  targets: ReadonlySet<Cell>;
  /** The ways in which pieces picked together may go, where they are shown as arrows. */
  ways: Motion[];
  /** The beginnings that are shown. */
  hinted: ReadonlySet<Cell>;
  standing: ReadonlyMap<Cell, View["pieces"][number]>;
  marked: ReadonlyMap<Cell, string>;
  /** The cells of the last move, and where the end of a game is seen. */
  last: ReadonlySet<Cell>;
  ending: ReadonlySet<Cell>;
  /** What a drag carries, and the cell on which dropping it would make a move. */
  carried: { cells: ReadonlySet<Cell>; offset: Point } | null;
  goal: Cell | null;
}

/** Pixels that a finger may tremble without dragging. */
const TREMBLE = 8;
const NOWHERE: ReadonlySet<Cell> = new Set();

export const IDLE: Hand = { picked: [], choices: [], cursor: 0, walk: null, drag: null };

export function boardState(given: Given, hand: Hand): BoardState {
  const { geometry, view, offers } = given;
  const { picked, drag, choices } = hand;
  const first = beginnings(offers);
  // Where one may begin is shown unless that is nearly everywhere.
  const isTelling = picked.length === 0 && first.size * 5 <= geometry.cells.length * 2;
  const chosen = choices.length ? offers.filter(({ move }) => choices.includes(move)) : offers;
  const { joining, targets } = picked.length ? continuations(chosen, picked) : { joining: NOWHERE, targets: NOWHERE };
  return {
    ...given,
    ...hand,
    beginnings: first,
    joining,
    targets,
    ways: picked.length > 1 || choices.length ? directions(chosen, picked).map(({ motion }) => motion) : [],
    hinted: isTelling ? first : NOWHERE,
    standing: new Map(view.pieces.map((piece) => [piece.cell, piece])),
    marked: new Map(view.marks.map(({ cell, text }) => [cell, text])),
    last: lastCells(given.seen),
    ending: new Set(given.seen.outcome?.cells),
    carried: drag?.moved && hasGrip(offers, picked, drag.cell) ? { cells: new Set([drag.cell, ...picked]), offset: drag.offset } : null,
    goal: drag?.moved && drag.over !== null && lift(hand, offers, drag.over).move ? drag.over : null,
  };
}

/** The cells touched for the last move, and where the last of the seeds that left one of them fell. */
function lastCells({ last }: View): Set<Cell> {
  const cells = new Set(last?.clicks);
  const ends = last?.motions.filter(([from]) => from === last.clicks.at(-1)).at(-1);
  if (ends) cells.add(ends[1]);
  return cells;
}

// -------------------------------------------------------------------------------------------------- what a player does

/** The hand afterwards, the move that it has made, and the cells of a try that is no move. */
export interface Done {
  hand: Hand;
  move: Move | null;
  missed: Cell[] | null;
}

function done(hand: Hand, { picked, choices, move, missed }: Touched): Done {
  return { hand: { ...hand, picked, choices, drag: null }, move, missed };
}

const nothing = (hand: Hand): Done => ({ hand: { ...hand, drag: null }, move: null, missed: null });

/** A cell chosen, by touch or by key. */
export function choose(hand: Hand, offers: Offer[], cell: Cell): Done {
  const chosen = offers.filter(({ move }) => hand.choices.includes(move));
  const meant = chosen.length ? completed(chosen, [...hand.picked, cell]) : [];
  if (meant.length) return done(hand, touch(meant, hand.picked, cell));
  return done(hand, touch(offers, hand.picked, cell));
}

/** A finger or a mouse button comes down, on a cell or beside them all. */
export function press(hand: Hand, offers: Offer[], cell: Cell | null, at: Point): Hand {
  if (cell === null) return letGo(hand);
  // A move is made, and a picked cell put down, when the finger is lifted.
  const then = hand.picked.includes(cell) ? null : choose(hand, offers, cell);
  const fresh = then !== null && then.move === null && then.hand.picked.includes(cell);
  return {
    picked: fresh ? then.hand.picked : hand.picked,
    choices: fresh ? [] : hand.choices,
    cursor: cell,
    walk: null,
    drag: { cell, from: at, offset: [0, 0], over: cell, moved: false, fresh },
  };
}

/** It moves over a cell or beside them all; `scale` is how many units of the board a pixel is. */
export function pull(hand: Hand, at: Point, over: Cell | null, scale: number): Hand {
  if (!hand.drag) return hand;
  const { from, moved } = hand.drag;
  const [dx, dy] = [at[0] - from[0], at[1] - from[1]];
  const offset: Point = [dx * scale, dy * scale];
  return { ...hand, drag: { ...hand.drag, offset, over, moved: moved || Math.hypot(dx, dy) > TREMBLE } };
}

/** It is lifted, over a cell or beside them all. */
export function lift(hand: Hand, offers: Offer[], over: Cell | null): Done {
  if (!hand.drag || over === null) return nothing(hand);
  const { cell, moved, fresh } = hand.drag;
  if (moved && over !== cell) return done(hand, drop(offers, hand.picked, cell, over));
  // Brought back to where it was, it stays picked.
  return fresh || (moved && hand.picked.includes(cell)) ? nothing(hand) : choose(hand, offers, cell);
}

/** One step with an arrow key. The walk stays on its line: its column for up and down, its row for left and right. */
export function walk(hand: Hand, centres: Point[], way: Point): Hand {
  const here = centres[hand.cursor]!;
  const [x, y] = hand.walk ?? here;
  const line: Point = way[0] === 0 ? [x, here[1]] : way[1] === 0 ? [here[0], y] : here;
  return { ...hand, walk: line, cursor: step(centres, hand.cursor, way, line) };
}

export function letGo(hand: Hand): Hand {
  return { ...hand, picked: [], choices: [], drag: null };
}

/** After a change of what is offered: a move that cannot be completed is not half made, the cursor is on the board. */
export function settle(hand: Hand, offers: Offer[], cells: number): Hand {
  const isGoingOn = hand.picked.length === 0 || isOpen(offers, hand.picked);
  if (isGoingOn && hand.cursor < cells) return hand;
  return { ...(isGoingOn ? hand : letGo(hand)), cursor: hand.cursor < cells ? hand.cursor : 0 };
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
    played.push({ isCut: true, motions: [], view: collected(view) });
    anticipated = null;
  } else if (view !== shown.view) {
    played.push({ isCut: false, motions: motionsTo(shown, view, ply), view });
    if (view.outcome?.motions.length) played.push({ isCut: false, motions: view.outcome.motions, view: collected(view) });
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

/** A view with what is collected at the end where it comes to lie. */
export function collected(view: View): View {
  const motions = view.outcome?.motions ?? [];
  if (!motions.length) return view;
  const pieces = new Map(view.pieces.map((piece) => [piece.cell, piece]));
  for (const [from, to] of motions) {
    const taken = pieces.get(from);
    if (!taken) continue;
    const count = taken.count + (pieces.get(to)?.count ?? 0);
    pieces.delete(from);
    pieces.set(to, { ...taken, cell: to, count, symbol: String(count) });
  }
  return { ...view, pieces: [...pieces.values()] };
}

/** A move undone: pieces go back the way they came; seeds are simply there again. */
function backwards(after: View, last: Move): Motion[] {
  const seeds = new Set(after.pieces.filter(({ kind }) => kind === "seeds").map(({ cell }) => cell));
  if (last.motions.some(([, to]) => seeds.has(to))) return [];
  return last.motions.map(([from, to]): Motion => [to, from]).reverse();
}
