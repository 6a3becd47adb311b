import { fill } from "../lib/format";
import type { GroupView, PersonLine } from "../lib/schema";
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

/** A place, as `1.º` or `1st`. */
export function ordinal(place: number): string {
  if (settings.language === "pt") return `${place}.º`;
  const isTeen = place % 100 > 10 && place % 100 < 14;
  return `${place}${(!isTeen && ["th", "st", "nd", "rd"][place % 10]) || "th"}`;
}

/** How many play. */
export const players = (count: number): string => (count === 1 ? w("players_one") : w("players_count", { count }));

/** A name with the mark of a rehearsal, where it is of one: what is printed says on every sheet that it is invented. */
export function marked({ name, rehearsal }: { name: Text; rehearsal: boolean }): Text {
  const mark = WORDS.rehearsal_mark;
  return rehearsal ? { pt: `${mark.pt} · ${name.pt}`, en: `${mark.en} · ${name.en}` } : name;
}

/** A group among those of its section: a final of which there is one goes by the name of its stage. */
export function groupName(group: GroupView): string {
  const section = group.section_name[settings.language];
  if (group.of > 1) return `${section}: ${w("group", { number: group.number })}`;
  return group.stage > 1 ? `${section}: ${group.stage_name[settings.language]}` : section;
}

/** The tie-breaks that were looked at in a group, in their order. */
export function usedTieBreaks({ tie_breaks, standings }: GroupView): GroupView["tie_breaks"] {
  return tie_breaks.filter(({ id }) => standings.some((row) => row.tie_breaks.some((tie) => tie.id === id)));
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
