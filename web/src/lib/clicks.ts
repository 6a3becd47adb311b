import type { Cell, Move } from "./types";

/**
 * Making a move by touching cells. No move's cells begin with all the cells of another one, so a move is complete as
 * soon as its last cell is touched.
 */

/** The cells that may be touched next, after those already picked. */
export function nextCells(moves: Move[], picked: Cell[]): Set<Cell> {
  const cells = new Set<Cell>();
  for (const { clicks } of moves) {
    if (clicks.length > picked.length && picked.every((cell, place) => clicks[place] === cell)) {
      cells.add(clicks[picked.length]!);
    }
  }
  return cells;
}

export interface Touched {
  picked: Cell[];
  /** The move that is now complete, if one is. */
  move: Move | null;
}

export function touch(moves: Move[], picked: Cell[], cell: Cell): Touched {
  if (nextCells(moves, picked).has(cell)) {
    const now = [...picked, cell];
    const move = moves.find(
      ({ clicks }) => clicks.length === now.length && now.every((touched, place) => clicks[place] === touched),
    );
    return move ? { picked: [], move } : { picked: now, move: null };
  }
  // A picked cell touched again is put down; another one that begins a move is picked instead. A touch that misses must
  // not make a move of its own.
  if (picked.length === 0 || picked.includes(cell)) return { picked: [], move: null };
  const again = touch(moves, [], cell);
  return again.move ? { picked: [], move: null } : again;
}

/** Moves that touch no cell are buttons. */
export function buttonMoves(moves: Move[]): Move[] {
  return moves.filter(({ clicks }) => clicks.length === 0);
}
