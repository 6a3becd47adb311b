import type { Text } from "./types";

/** Seconds on a clock: `1:02:05`, `9:58`, and tenths when time is short. */
export function clockText(seconds: number): string {
  const left = Math.max(0, seconds);
  if (left < 10) return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(left);
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  const two = (n: number) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** A number as a language writes it: `190 131` and `1,5` in Portuguese, `190,131` and `1.5` in English. */
export function numberText(value: number, language: "pt" | "en"): string {
  return new Intl.NumberFormat(language === "pt" ? "pt-PT" : "en-GB").format(value);
}

/** `{name}` in a message becomes the value of that name. */
export function fill(message: string, values: Record<string, string | number>): string {
  return message.replace(/\{(\w+)\}(\.?)/g, (hole, name: string, stop: string) => {
    const value = values[name];
    if (value === undefined) return hole;
    return String(value).endsWith(".") ? String(value) : `${value}${stop}`; // one full stop after “Ana S.”
  });
}

/** A reason that stands alone, as a sentence: terminals put such reasons after a colon. What begins with a name that is
 * written as it is (a cell, a file) keeps its letter. */
export function sentence(reason: Text): Text {
  const write = (words: string): string => {
    const begun = /^\p{Ll}+(?![\p{L}\d._-])/u.test(words) ? words[0]!.toUpperCase() + words.slice(1) : words;
    return /[.!?…:»”]$/.test(begun) ? begun : `${begun}.`;
  };
  return { pt: write(reason.pt), en: write(reason.en) };
}

/** Moves in rows of a turn each: both players' moves beside each other, or several of one player (extra moves). */
export interface Turn<T> {
  number: number;
  moves: [T[], T[]];
}

export function turns<T extends { player: 1 | 2 }>(history: T[]): Turn<T>[] {
  const rows: Turn<T>[] = [];
  let previous: 1 | 2 | null = null;
  for (const move of history) {
    const last = rows.at(-1);
    if (!last || (move.player === 1 && previous !== 1)) {
      rows.push({ number: rows.length + 1, moves: [[], []] });
    }
    rows.at(-1)!.moves[move.player - 1]!.push(move);
    previous = move.player;
  }
  return rows;
}
