import { fill, numberText } from "../lib/format";
import { settings } from "../lib/settings.svelte";
import { OPENING_WORDS } from "./catalogue";

export type OpeningWord = keyof typeof OPENING_WORDS;

/** A message of the opening explorer in the chosen language. */
export function o(word: OpeningWord, values: Record<string, string | number> = {}): string {
  return fill(OPENING_WORDS[word][settings.language], values);
}

export function gamesText(count: number): string {
  return count === 1 ? o("games_one") : o("games", { count: numberText(count, settings.language) });
}
