import { isMessage, t } from "./settings.svelte";
import type { Player, Seat, View } from "./types";

/** What people are called on the page. */

export function levelName(level: number): string {
  const key = `level_${level}`;
  return isMessage(key) ? t(key) : String(level);
}

/** The name of a colour, as it stands on a board. */
export function sideName(colour: string): string {
  const key = `colour_${colour}`;
  return isMessage(key) ? t(key) : colour;
}

export function colourName(view: Pick<View, "colours">, player: Player): string {
  const key = `colour_${view.colours[player]}`;
  return isMessage(key) ? t(key) : t(`player_${player}`);
}

export function playerName(seat: Seat, player: Player, yours: Player[], view: Pick<View, "colours"> | null): string {
  if (seat.kind === "engine") return levelName(seat.level ?? 1);
  if (seat.kind === "open") return t("free_seat");
  if (seat.erased) return t("erased_player");
  if (yours.length === 2) return view ? colourName(view, player) : t(`player_${player}`);
  if (yours.includes(player)) return seat.name ?? t("you");
  return seat.name ?? t("guest");
}

export function other(player: Player): Player {
  return player === 1 ? 2 : 1;
}
