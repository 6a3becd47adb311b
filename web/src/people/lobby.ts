import type { LobbyLine } from "../lib/schema";
import type { LobbyNews } from "./me.svelte";

/** What the lobby shows, worked out. */

const ORDER: LobbyLine["state"][] = ["free", "away", "playing", "offline"];

/** The lines after news: all of them, or those that have changed. */
export function withNews(lines: LobbyLine[], { whole, people }: LobbyNews): LobbyLine[] {
  if (whole) return people;
  const changed = new Map(people.map((line) => [line.guest, line]));
  const known = lines.map((line) => changed.get(line.guest) ?? line);
  return [...known, ...people.filter(({ guest }) => !lines.some((line) => line.guest === guest))];
}

/** Who waits for a game first, then who is free; of an open lobby only who is here. */
export function arranged(lines: LobbyLine[], isOpen: boolean): LobbyLine[] {
  const rank = (line: LobbyLine): number => (line.seeks && line.state === "free" ? -1 : ORDER.indexOf(line.state));
  return lines
    .filter(({ state }) => !isOpen || state !== "offline")
    .toSorted((a, b) => rank(a) - rank(b) || (a.name ?? "").localeCompare(b.name ?? ""));
}
