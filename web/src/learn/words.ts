import { fill } from "../lib/format";
import type { Rich } from "../lib/schema";
import { settings } from "../lib/settings.svelte";
import type { Span } from "../lib/types";
import { WORDS } from "./catalogue";

export type Word = keyof typeof WORDS;

/** A message of the pages of learning in the chosen language. */
export function w(word: Word, values: Record<string, string | number> = {}): string {
  return fill(WORDS[word][settings.language], values);
}

export function isWord(name: string): name is Word {
  return name in WORDS;
}

/** A message about a number of things; one thing has a message of its own, whose name ends with `_one`. */
export function count(word: Word, number: number): string {
  const one = `${word}_one` as Word;
  return number === 1 && one in WORDS ? w(one) : w(word, { count: number });
}

/** A sentence from the server with its bold words, in the chosen language. */
export function rich(text: Rich): Span[] {
  return text[settings.language];
}

/** The same as it is read aloud. */
export function plain(text: Rich): string {
  return rich(text).map((span) => span.text).join("");
}
