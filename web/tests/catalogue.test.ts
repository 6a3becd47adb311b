import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MESSAGES } from "../src/lib/catalogue";
import { WORDS as LEARNING } from "../src/learn/catalogue";
import { PUZZLE_WORDS as PUZZLES } from "../src/learn/puzzles/catalogue";
import { ACTS, WORDS as PEOPLE } from "../src/people/catalogue";
import { WORDS as TEACHING } from "../src/teach/catalogue";

const CATALOGUES = [MESSAGES, PEOPLE, ACTS, LEARNING, PUZZLES, TEACHING];
const ALL = { ...MESSAGES, ...PEOPLE, ...LEARNING, ...PUZZLES, ...TEACHING };

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
  (name) => /\.(svelte|ts)$/.test(name) && !/(catalogue|schema\.d)\.ts$/.test(name),
);
const read = (names: string[]): string => names.map((name) => readFileSync(`src/${name}`, "utf8")).join("\n");
const source = read(files);
/** The beginnings of keys that are put together, as in t(`cycle_${name}`). */
const beginnings = [...source.matchAll(/`(\w+_)\$\{/g)].map((match) => match[1]!);

describe("the catalogues", () => {
  it.each(CATALOGUES.flatMap((words) => Object.entries(words)))("%s exists in both languages, with the same holes", (_, { pt, en }) => {
    const holes = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    expect(pt.trim()).not.toBe("");
    expect(en.trim()).not.toBe("");
    expect(holes(pt)).toEqual(holes(en));
  });

  it.each(Object.keys(ALL))("%s is used", (key) => {
    // `counted` finds the message for one thing by the name of the other.
    const isUsed = [key, key.replace(/_one$/, "")].some((name) => source.includes(`"${name}"`)) || source.includes(`MESSAGES.${key}`) || source.includes(`WORDS.${key}`);
    expect(isUsed || beginnings.some((start) => key.startsWith(start))).toBe(true);
  });

  it("has no sentence written in a page instead", () => {
    const markup = read(files.filter((name) => name.endsWith(".svelte"))).replace(/<script[^]*?<\/script>/g, "");
    const pages = [...markup.matchAll(/>\s*([^<>{}\n]*[A-Za-zÀ-ÿ]{3,}[^<>{}\n]*)</g)].map((match) => match[1]!.trim());
    expect(pages.filter((text) => /^[A-ZÀ-Ý][a-zà-ÿ]+/.test(text) && text !== "Tabuleiro")).toEqual([]);
  });
});
