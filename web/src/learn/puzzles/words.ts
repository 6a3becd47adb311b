import { fill } from "../../lib/format";
import { settings } from "../../lib/settings.svelte";
import { PUZZLE_WORDS } from "./catalogue";

export type PuzzleWord = keyof typeof PUZZLE_WORDS;

/** A message of the pages of puzzles in the chosen language. */
export function p(word: PuzzleWord, values: Record<string, string | number> = {}): string {
  return fill(PUZZLE_WORDS[word][settings.language], values);
}

/** Seconds as a clock shows them. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
