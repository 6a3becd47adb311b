import { fill } from "../lib/format";
import type { PersonLine } from "../lib/schema";
import { settings } from "../lib/settings.svelte";
import type { Text } from "../lib/types";
import { WORDS } from "./catalogue";

/** A message of the pages of championships in the chosen language. */
export function w(word: keyof typeof WORDS, values: Record<string, string | number> = {}): string {
  return fill(WORDS[word][settings.language], values);
}

/** What an event of the log is called. */
export function happened(kind: string): string {
  return w(`event_${kind}` as keyof typeof WORDS);
}

export type People = Record<string, PersonLine>;

export function nameOf(people: People, person: number | null | undefined): string {
  return (person && people[person]?.name) || w("erased");
}

/** The school of a person; nothing where nobody said one. */
export function schoolOf(people: People, person: number): string {
  const school = people[person]?.school ?? "";
  return school === "—" ? "" : school;
}

/** A sentence of the server, in which `{p12}` stands for the name of person 12. */
export function told(text: Text, people: People): string {
  return text[settings.language].replace(/\{p(\d+)\}/g, (_, person: string) => nameOf(people, Number(person)));
}
