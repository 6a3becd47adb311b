import { other } from "../lib/players";
import { counted, moveText, t } from "../lib/settings.svelte";
import type { Player } from "../lib/types";
import type { Fault, Finding, Score } from "./api";

/** Findings in words. Colour never says anything alone. */

export const GLYPHS: Record<Fault, string> = {
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
  threw_win: "??",
  threw_draw: "??",
};

export function percent(chance: number): number {
  // Only what is proven is certain.
  return Math.min(99, Math.max(1, Math.round(100 * chance)));
}

/** How good a move is for the player who makes it. */
export function scoreText({ worth, plies, chance }: Score): string {
  if (worth === "draw") return t("score_draw");
  if (worth === null) return t("percent", { percent: percent(chance) });
  return plies === null ? t(`score_${worth}_some`) : t(`score_${worth}`, { plies: counted("plies", plies) });
}

/** What is known of a position, for everybody, or for the player who looks into an own game. */
export function verdictText(found: Finding, nameOf: (player: Player) => string, you: Player | null): string {
  const { turn, score } = found;
  if (score.worth === null) {
    const names = ([1, 2] as Player[]).map((player) =>
      t("chance_of", {
        player: nameOf(player),
        percent: percent(turn === player ? score.chance : 1 - score.chance),
      }),
    );
    return names.join(" · ");
  }
  if (score.worth === "draw") return t("exact_draw");
  const winner = score.worth === "win" ? turn : other(turn);
  const plies = counted("plies", score.plies ?? 0);
  if (you !== null) {
    const how = winner === you ? "win" : "loss";
    return score.plies === null ? t(`exact_you_${how}_some`) : t(`exact_you_${how}`, { plies });
  }
  const player = nameOf(winner);
  return score.plies === null ? t("exact_win_some", { player }) : t("exact_win", { player, plies });
}

/** A move with its number, as records write it. */
export function numbered(ply: number, move: string): string {
  const text = moveText(move);
  return ply % 2 ? `${(ply + 1) / 2}. ${text}` : `${ply / 2}… ${text}`;
}
