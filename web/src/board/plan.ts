import type { Cell, Move } from "../lib/types";
import { completed, type Offer, touch } from "./selection";

/**
 * A move planned while the other side thinks, made at once when its turn comes. Nobody knows yet which moves there
 * will be: a plan is own pieces and then any other cell, or just one cell.
 */
export interface Plan {
  cells: Cell[];
  isWhole: boolean;
}

export const NO_PLAN: Plan = { cells: [], isWhole: false };

/** A cell touched while planning. What is planned already is touched again to give it up. */
export function planned(plan: Plan, own: ReadonlySet<Cell>, cell: Cell): Plan {
  if (plan.cells.includes(cell)) return NO_PLAN;
  const before = plan.isWhole ? [] : plan.cells;
  return { cells: [...before, cell], isWhole: !own.has(cell) };
}

/** A cell touched while the pieces are still on their way to a position whose moves are known already. Null where it can
 * mean no move. */
export function queued(plan: Plan, coming: Offer[], cell: Cell): Plan | null {
  if (plan.cells.includes(cell)) return NO_PLAN;
  const before = plan.isWhole ? [] : plan.cells;
  const { move, picked } = touch(coming, before, cell);
  if (move) return { cells: [...before, cell], isWhole: true };
  return picked.length ? { cells: picked, isWhole: false } : null;
}

/** The move that was planned, if it can be made and can mean no other. */
export function fulfilled({ cells, isWhole }: Plan, offers: Offer[]): Move | null {
  const [only, ...others] = isWhole ? completed(offers, cells) : [];
  return only && others.length === 0 ? only.move : null;
}
