import { isMessage, t } from "./settings.svelte";
import type { Player, Seat, View } from "./types";

/** What people are called on the page. */

export function levelName(level: number): string {
  const key = `level_${level}`;
  return isMessage(key) ? t(key) : String(level);
}

export function colourName(view: Pick<View, "colours">, seat: Seat): string {
  const key = `colour_${view.colours[seat]}`;
  return isMessage(key) ? t(key) : t(`player_${seat}`);
}

export function playerName(player: Player, seat: Seat, yours: Seat[], view: Pick<View, "colours"> | null): string {
  if (player.kind === "engine") return levelName(player.level ?? 1);
  if (player.kind === "open") return t("free_seat");
  if (yours.length === 2) return view ? colourName(view, seat) : t(`player_${seat}`);
  if (yours.includes(seat)) return player.name ?? t("you");
  return player.name ?? t("guest");
}

export function other(seat: Seat): Seat {
  return seat === 1 ? 2 : 1;
}
