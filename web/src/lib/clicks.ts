import type { Move } from "./types";

/** Moves that touch no cell are buttons. */
export function buttonMoves(moves: Move[]): Move[] {
  return moves.filter(({ clicks }) => clicks.length === 0);
}
