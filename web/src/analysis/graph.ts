import type { Finding } from "./api";
import type { Player } from "../lib/types";

/** The chances of player 1 over a game, as a picture: x is the ply, y the chance, 1 at the top. */

export const WIDTH = 600;
export const HEIGHT = 120;

/** The chance that player 1 wins. */
export function chanceOfOne(found: Pick<Finding, "turn" | "score">): number {
  return chanceOf(1, found);
}

export function chanceOf(player: Player, { turn, score }: Pick<Finding, "turn" | "score">): number {
  return turn === player ? score.chance : 1 - score.chance;
}

export function xOf(ply: number, plies: number): number {
  return plies === 0 ? 0 : (WIDTH * ply) / plies;
}

export function yOf(chance: number): number {
  return HEIGHT * (1 - chance);
}

/** The lines through all that is known; gaps stay gaps. */
export function curve(chances: (number | null)[]): string {
  return runs(chances)
    .map((run) => "M" + run.map(([x, y]) => `${x} ${y}`).join("L"))
    .join("");
}

/** The area between the middle and what is known. */
export function area(chances: (number | null)[]): string {
  const middle = HEIGHT / 2;
  return runs(chances)
    .map((run) => `M${run[0]![0]} ${middle}L${run.map(([x, y]) => `${x} ${y}`).join("L")}L${run.at(-1)![0]} ${middle}Z`)
    .join("");
}

function runs(chances: (number | null)[]): [number, number][][] {
  const found: [number, number][][] = [];
  let open = false;
  chances.forEach((chance, ply) => {
    if (chance === null) {
      open = false;
      return;
    }
    const point: [number, number] = [round(xOf(ply, chances.length - 1)), round(yOf(chance))];
    if (open) found.at(-1)!.push(point);
    else found.push([point]);
    open = true;
  });
  return found;
}

/** The ply under a place of the picture, from 0 at its left to 1 at its right. */
export function plyAt(place: number, plies: number): number {
  return Math.round(Math.min(1, Math.max(0, place)) * plies);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
