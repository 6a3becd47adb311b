import { ask } from "../../lib/api";
import type { DayPuzzle, NextPuzzle, PuzzleFacts, PuzzlesOverview, RunStands } from "../../lib/schema";

export type Mode = RunStands["mode"];
/** How hard puzzles are, beside one's own strength. */
export const STRENGTHS = ["easier", "mine", "harder"] as const;
export type Strength = (typeof STRENGTHS)[number];

export interface Wish {
  /** A name of a theme; none where it is empty. */
  theme: string;
  strength: Strength;
  /** Whether it is asked who wins. */
  status: boolean;
}

export const puzzles = {
  day: (cycle: string) => ask<DayPuzzle>("GET", `/puzzles/day/${encodeURIComponent(cycle)}`),
  overview: () => ask<PuzzlesOverview>("GET", "/puzzles"),
  next: (game: string, { theme, strength, status }: Wish) => {
    const query = new URLSearchParams({ strength, status: String(status), ...(theme ? { theme } : {}) });
    return ask<NextPuzzle>("GET", `/puzzles/${encodeURIComponent(game)}/next?${query}`);
  },
  facts: (ref: string) => ask<PuzzleFacts>("GET", `/puzzles/${ref.split("/").slice(1).map(encodeURIComponent).join("/")}`),
  begin: (mode: Mode, game: string | null) => ask<RunStands>("POST", "/runs", { mode, game }),
  run: (name: string) => ask<RunStands>("GET", `/runs/${encodeURIComponent(name)}`),
};
