import type { RatingPoint } from "../lib/schema";

/** A rating over time as a small picture: the line, and the band in which it may be. */

export const WIDTH = 240;
export const HEIGHT = 64;
const MARGIN = 4;

export interface Plot {
  line: string;
  band: string;
  last: { x: number; y: number };
}

export function plotted(points: RatingPoint[]): Plot {
  const low = Math.min(...points.map(({ rating, give_or_take }) => rating - give_or_take));
  const high = Math.max(...points.map(({ rating, give_or_take }) => rating + give_or_take));
  const steps = Math.max(1, points.length - 1);
  const x = (place: number): number => MARGIN + ((WIDTH - 2 * MARGIN) * place) / steps;
  const y = (value: number): number => HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (value - low)) / Math.max(1, high - low);
  const at = (place: number, value: number): string => `${x(place).toFixed(1)},${y(value).toFixed(1)}`;
  const upper = points.map(({ rating, give_or_take }, place) => at(place, rating + give_or_take));
  const lower = points.map(({ rating, give_or_take }, place) => at(place, rating - give_or_take));
  const end = points.length - 1;
  return {
    line: points.map(({ rating }, place) => at(place, rating)).join(" "),
    band: [...upper, ...lower.reverse()].join(" "),
    last: { x: x(end), y: y(points[end]!.rating) },
  };
}
