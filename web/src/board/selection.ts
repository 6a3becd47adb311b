import type { Cell, Motion, Move, View } from "../lib/types";

/**
 * Which moves are meant by the cells that a player touches. No rules: every move offered says which cells to touch
 * and what travels. Pieces that travel together may be touched in any order, all of them or as many as the move
 * names; what is left is the target. A touch makes a move only when it can mean no other one.
 *
 * A row that goes along itself is named by its last piece alone, so touching that piece and then the next one makes the
 * move. The same two touches could begin a sideways move of both; those moves are picked in a mode of their own, for
 * which `together` chooses the offers.
 */

/** A move with what a hand must know of it. */
export interface Offer {
  move: Move;
  /** The pieces that travel; they may be touched in any order. */
  movers: ReadonlySet<Cell>;
  /** Those of them that must be touched. */
  sources: Cell[];
  /** What is touched after them, in order. */
  rest: Cell[];
  /** Where the last touch may fall. */
  aims: ReadonlySet<Cell>;
  /** Of a row that goes along itself, the cell that its last piece enters: touching it after that piece makes the move.
   * Null for all other moves, and where there would be no way left to pick the two pieces. */
  ahead: Cell | null;
}

/** `canPickTogether`: the board has a mode in which pieces are picked together. */
export function offersOf(moves: Move[], { pieces }: Pick<View, "pieces">, canPickTogether = false): Offer[] {
  const kinds = new Map(pieces.map(({ cell, kind, colour }) => [cell, `${kind} ${colour}`]));
  return moves.filter(({ clicks }) => clicks.length > 0).map((move) => offerOf(move, kinds, canPickTogether));
}

function offerOf(move: Move, kinds: ReadonlyMap<Cell, string>, canPickTogether: boolean): Offer {
  const { clicks, motions } = move;
  // A piece that travels to the only cell touched may be touched too; seeds leave the cell touched.
  const first = clicks.length > 1 ? clicks[0]! : motions[0]?.[0];
  const kind = first === undefined || first === clicks.at(-1) ? undefined : kinds.get(first);
  const alike = motions.map(([from]) => from).filter((cell) => kind !== undefined && kinds.get(cell) === kind);
  const movers = new Set(clicks.length > 1 ? [clicks[0]!, ...alike] : alike);
  movers.delete(clicks.at(-1)!);
  const count = clicks.findIndex((cell) => !movers.has(cell));
  const rest = clicks.slice(count);
  const aims = new Set(rest.slice(-1));
  // A row that travels may be sent to any cell that it enters, or that what it pushes leaves or enters.
  if (movers.size > 1) motions.flat().filter((cell) => !movers.has(cell)).forEach((cell) => aims.add(cell));
  const sources = clicks.slice(0, count);
  const step = canPickTogether && movers.size > 1 && sources.length === 1 ? motions.find(([from]) => from === sources[0]) : undefined;
  return { move, movers, sources, rest, aims, ahead: step?.[1] ?? null };
}

/** The moves that name several pieces, for the mode in which pieces are picked together. */
export function together(offers: Offer[]): Offer[] {
  return offers.filter(({ sources }) => sources.length > 1);
}

/** How cells touched in this order fit a move: not at all, so far, or to its end. */
function fit({ movers, sources, rest, aims }: Offer, touched: Cell[]): "no" | "open" | "whole" {
  const other = touched.findIndex((cell) => !movers.has(cell));
  if (other < 0) return "open";
  const own = touched.slice(0, other);
  const after = touched.slice(other);
  if (after.length > rest.length || !sources.every((cell) => own.includes(cell))) return "no";
  const isWhole = after.length === rest.length;
  const fits = after.every((cell, place) => (isWhole && place === rest.length - 1 ? aims.has(cell) : rest[place] === cell));
  return fits ? (isWhole ? "whole" : "open") : "no";
}

export function isOpen(offers: Offer[], touched: Cell[]): boolean {
  return offers.some((offer) => fit(offer, touched) === "open");
}

/** The moves that these cells complete. */
export function completed(offers: Offer[], touched: Cell[]): Offer[] {
  const isAlong = ({ sources, ahead }: Offer) => touched.length === 2 && touched[0] === sources[0] && touched[1] === ahead;
  return offers.filter((offer) => fit(offer, touched) === "whole" || isAlong(offer));
}

/** The moves for which only the target is missing. */
function aimed(offers: Offer[], picked: Cell[]): Offer[] {
  return offers.filter(
    (offer) => offer.rest.length === 1 && offer.sources.every((cell) => picked.includes(cell)) && fit(offer, picked) === "open",
  );
}

/** The cells that a touch may pick first. */
export function beginnings(offers: Offer[]): Set<Cell> {
  return new Set(offers.flatMap(({ movers, rest, sources }) => (sources.length ? [...movers] : [...movers, rest[0]!])));
}

/** The cells that go on from those picked: pieces that may join them, and targets. */
export function continuations(offers: Offer[], picked: Cell[]): { joining: Set<Cell>; targets: Set<Cell> } {
  const joining = new Set<Cell>();
  const targets = new Set<Cell>();
  for (const offer of offers) {
    if (fit(offer, picked) !== "open") continue;
    const own = picked.filter((cell) => offer.movers.has(cell));
    if (own.length === picked.length) for (const cell of offer.movers) if (!picked.includes(cell)) joining.add(cell);
    if (!offer.sources.every((cell) => own.includes(cell))) continue;
    const place = picked.length - own.length;
    if (place === offer.rest.length - 1) for (const cell of offer.aims) targets.add(cell);
    else targets.add(offer.rest[place]!);
    if (picked.length === 1 && offer.ahead !== null) targets.add(offer.ahead);
  }
  for (const cell of targets) joining.delete(cell);
  return { joining, targets };
}

/** Where pieces that travel together may go, each way as one arrow whose head belongs to no other way. */
export function directions(offers: Offer[], picked: Cell[]): { move: Move; motion: Motion }[] {
  const ways = aimed(offers, picked);
  return ways.map((way) => {
    const others = ways.filter((other) => other !== way);
    const entering = way.move.motions.filter(([from, to]) => way.movers.has(from) && !way.movers.has(to));
    const own = entering.find(([, to]) => !others.some(({ aims }) => aims.has(to)));
    return { move: way.move, motion: own ?? entering[0] ?? [picked.at(-1)!, way.rest[0]!] };
  });
}

/** What a touch or a drop does. */
export interface Touched {
  picked: Cell[];
  /** The moves between which the player must choose. */
  choices: Move[];
  /** The move that is made. */
  move: Move | null;
  /** The cells of a try that is no move. */
  missed: Cell[] | null;
}

const kept = (picked: Cell[], more: Partial<Touched> = {}): Touched => ({ picked, choices: [], move: null, missed: null, ...more });

function decided(ways: Offer[], picked: Cell[]): Touched {
  if (ways.length === 1) return kept([], { move: ways[0]!.move });
  return kept(picked, { choices: ways.map(({ move }) => move) });
}

/** The only row that takes the one piece picked to a cell it cannot enter alone: the front piece of a row, sent against
 * what the row pushes. Null where rows of different lengths could be meant. */
function pushes(offers: Offer[], picked: Cell[], cell: Cell): Offer | null {
  const ways = offers.filter(
    ({ move, ahead }) => ahead !== null && picked.length === 1 && move.motions.some(([from, to]) => from === picked[0] && to === cell),
  );
  return ways.length === 1 ? ways[0]! : null;
}

export function touch(offers: Offer[], picked: Cell[], cell: Cell): Touched {
  if (picked.includes(cell)) {
    const left = picked.filter((other) => other !== cell);
    return kept(isOpen(offers, left) ? left : []);
  }
  const touched = [...picked, cell];
  const whole = completed(offers, touched);
  if (whole.length) return decided(whole, picked);
  if (isOpen(offers, touched)) return kept(touched);
  const pushing = pushes(offers, picked, cell);
  if (pushing) return decided([pushing], picked);
  // Another piece is picked instead. A touch that misses never makes a move of its own.
  if (picked.length && isOpen(offers, [cell])) return kept([cell]);
  return kept([], { missed: touched });
}

/** A piece, with those picked beside it, or seeds, or a new piece, dragged from a cell and dropped on another. */
export function drop(offers: Offer[], picked: Cell[], from: Cell, onto: Cell): Touched {
  // Beside a piece picked before, a piece of the same row takes it along.
  if (picked.length && !picked.includes(from) && isOpen(offers, [...picked, from])) picked = [...picked, from];
  if (!picked.includes(from)) {
    const sown = offers.filter(({ move }) => move.clicks[0] === from && move.clicks.length === 1 && move.motions.some(([, to]) => to === onto));
    if (sown.length) return decided(sown, picked);
    const isPlaced = completed(offers, [from]).some(({ move }) => move.motions.length === 0);
    return isPlaced && picked.length === 0 ? touch(offers, [], onto) : kept(picked, { missed: [...picked, from, onto] });
  }
  if (picked.length === 1 && !completed(offers, [from, onto]).length) {
    // Dropped on a piece of the same row, it picks the row.
    if (isOpen(offers, [from, onto])) return kept([from, onto]);
    const pushing = pushes(offers, picked, onto);
    if (pushing) return decided([pushing], picked);
  }
  const carried = aimed(offers, picked).filter(({ move }) => move.motions.some(([a, b]) => a === from && b === onto));
  if (carried.length === 1) return decided(carried, picked);
  const whole = completed(offers, [...picked, onto]);
  return whole.length ? decided(whole, picked) : kept(picked, { missed: [...picked, onto] });
}

/** Whether something may be dragged from a cell. */
export function hasGrip(offers: Offer[], picked: Cell[], cell: Cell): boolean {
  return picked.includes(cell) || offers.some(({ move, movers }) => movers.has(cell) || (move.clicks[0] === cell && move.motions[0]?.[0] === cell));
}
