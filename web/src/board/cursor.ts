import type { Cell, Point } from "../lib/types";

/** Walking over the cells with the keyboard: the nearest cell in the pressed direction, on any board. */

const DIAGONAL = Math.SQRT1_2;

/** Home, End and the page keys are the diagonals, as on a numeric keypad: with left and right, the six ways. */
export const DIRECTIONS: Record<string, Point> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  Home: [-DIAGONAL, -DIAGONAL],
  PageUp: [DIAGONAL, -DIAGONAL],
  End: [-DIAGONAL, DIAGONAL],
  PageDown: [DIAGONAL, DIAGONAL],
};

/** How far to the side of the direction a cell may lie: 60 degrees. */
const WIDTH = Math.sqrt(3) + 0.01;

/**
 * The cell next to `from` that way, or `from` at the rim. `goal` is where a straight walk began: on hexagons, where
 * two cells lie equally near, it keeps the walk from drifting to one side.
 */
export function step(centres: Point[], from: Cell, direction: Point, goal: Point): Cell {
  const [x, y] = centres[from]!;
  const [dx, dy] = direction;
  let best = from;
  let least = Infinity;
  centres.forEach(([cx, cy], cell) => {
    const along = (cx - x) * dx + (cy - y) * dy;
    const aside = Math.abs((cx - x) * dy - (cy - y) * dx);
    if (along < 0.01 || aside > along * WIDTH) return;
    const drift = Math.abs((cx - goal[0]) * dy - (cy - goal[1]) * dx);
    const cost = Math.hypot(along, aside) + aside + 0.01 * drift;
    if (cost < least - 1e-9) {
      least = cost;
      best = cell;
    }
  });
  return best;
}
