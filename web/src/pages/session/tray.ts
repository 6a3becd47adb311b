import type { Piece, View } from "../../lib/types";

/** Captured pieces: what was on the board early in the game and is no more. Games that count points show those instead. */

export interface Captured {
  piece: Piece;
  count: number;
}

type Sorts = Map<string, Captured>;

function sortsOf(view: Pick<View, "pieces">): Sorts {
  const sorts: Sorts = new Map();
  for (const piece of view.pieces) {
    const key = `${piece.colour} ${piece.kind}`;
    sorts.set(key, { piece, count: (sorts.get(key)?.count ?? 0) + 1 });
  }
  return sorts;
}

/** The pieces of a colour that have gone since the fullest of the early views: boards are set up in the first moves. */
export function capturedOf(early: Pick<View, "pieces">[], view: Pick<View, "pieces" | "score">, colour: string | null): Captured[] {
  if (!colour || view.score) return [];
  const now = sortsOf(view);
  const most: Sorts = new Map();
  for (const sorts of early.map(sortsOf)) {
    for (const [key, sort] of sorts) if (sort.count > (most.get(key)?.count ?? 0)) most.set(key, sort);
  }
  return [...most.entries()]
    .filter(([, { piece }]) => piece.colour === colour)
    .map(([key, { piece, count }]) => ({ piece, count: count - (now.get(key)?.count ?? 0) }))
    .filter(({ count }) => count > 0);
}

/** How many pieces of any colour a move took off the board. */
export function takenBetween(before: Pick<View, "pieces">, after: Pick<View, "pieces">): Captured[] {
  const now = sortsOf(after);
  return [...sortsOf(before).entries()]
    .filter(([, { piece }]) => piece.colour !== "")
    .map(([key, { piece, count }]) => ({ piece, count: count - (now.get(key)?.count ?? 0) }))
    .filter(({ count }) => count > 0);
}
