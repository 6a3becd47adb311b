import type { KnownValues, OpeningResults, Openings } from "./api";

/** A move of a position: what is counted and proven of it. */
export interface Choice {
  move: string;
  played: OpeningResults | null;
  engines: OpeningResults | null;
  score: KnownValues["moves"][number]["score"] | null;
}

/** Every move of which anything is to be told: those that were played most come first, then what is proven to be good. */
export function choices(counted: Openings, known: KnownValues | null): Choice[] {
  const found = new Map<string, Choice>();
  const at = (move: string): Choice => {
    const choice = found.get(move) ?? { move, played: null, engines: null, score: null };
    found.set(move, choice);
    return choice;
  };
  for (const { move, results } of counted.played.moves) at(move).played = results;
  for (const { move, results } of counted.engines.moves) at(move).engines = results;
  for (const { move, score } of known?.moves ?? []) if (found.has(move) || score.worth !== "loss") at(move).score = score;
  const games = ({ played, engines }: Choice): number => (played?.games ?? 0) + (engines?.games ?? 0);
  return [...found.values()].sort((one, two) => games(two) - games(one) || good(two) - good(one) || one.move.localeCompare(two.move));
}

function good({ score }: Choice): number {
  return score?.worth === "win" ? 2 : score?.worth === "draw" ? 1 : 0;
}

/** Whole percentages of player ONE, draws and player TWO, which make a hundred together; unfinished games do not count. */
export function shares({ one, two, draws }: OpeningResults): [number, number, number] {
  const games = one + two + draws;
  if (!games) return [0, 0, 0];
  const first = Math.round((100 * one) / games);
  const second = Math.min(100 - first, Math.round((100 * two) / games));
  return draws ? [first, 100 - first - second, second] : [first, 0, 100 - first];
}
