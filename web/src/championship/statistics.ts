import type { GroupView, SectionLine } from "../lib/schema";
import type { People } from "./words";

/** What a school has done in a championship. */
export interface SchoolFigures {
  name: string;
  players: number;
  wins: number;
  podiums: number;
}

/** The figures of every school, most podiums first, then most wins. Wins at the board count, byes and forfeits do not. */
export function bySchool(groups: Pick<GroupView, "members" | "rounds">[], people: People, sections: Pick<SectionLine, "podium">[]): SchoolFigures[] {
  const found = new Map<string, SchoolFigures & { who: Set<number> }>();
  const of = (person: number): SchoolFigures & { who: Set<number> } => {
    const name = people[person]?.school ?? "";
    if (!found.has(name)) found.set(name, { name, players: 0, wins: 0, podiums: 0, who: new Set() });
    return found.get(name)!;
  };
  for (const group of groups) {
    for (const person of group.members) of(person).who.add(person);
    for (const { one, two, games } of group.rounds.flatMap(({ pairings }) => pairings)) {
      for (const { winner, how } of games) {
        if (two === null || winner === null || (how !== "played" && how !== "adjudicated")) continue;
        of(winner === 1 ? one : two).wins += 1;
      }
    }
  }
  for (const { person } of sections.flatMap(({ podium }) => podium ?? [])) of(person).podiums += 1;
  return [...found.values()]
    .map(({ who, ...school }) => ({ ...school, players: who.size }))
    .sort((a, b) => b.podiums - a.podiums || b.wins - a.wins || a.name.localeCompare(b.name));
}
