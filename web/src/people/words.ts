import { fill } from "../lib/format";
import { settings } from "../lib/settings.svelte";
import { WORDS } from "./catalogue";

/** A message of the pages of people in the chosen language. */
export function w(word: keyof typeof WORDS, values: Record<string, string | number> = {}): string {
  return fill(WORDS[word][settings.language], values);
}
