import { fill } from "../lib/format";
import { settings } from "../lib/settings.svelte";
import type { Language } from "../lib/types";
import { WORDS } from "./catalogue";

export type Word = keyof typeof WORDS;

/** A message of the pages of teachers, in the language of the site or in another. */
export function w(word: Word, values: Record<string, string | number> = {}, language: Language = settings.language): string {
  return fill(WORDS[word][language], values);
}

/** A message about a number of things; one thing has a message of its own, whose name ends with `_one`. */
export function counted(word: Word, count: number): string {
  const one = `${word}_one`;
  return count === 1 && one in WORDS ? w(one as Word) : w(word, { count });
}
