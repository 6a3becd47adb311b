import type { BoardState } from "../../board/state";
import { say, t } from "../../lib/settings.svelte";
import { nameOf, type SessionState } from "./state";

/** What somebody who plays for the first time is told: what to do now, and one thing about the game. */
export interface Guide {
  now: string;
  /** All that is said of the game, in turn. */
  tips: string[];
  /** Which of them is said now. */
  tip: number;
}

export type Holding = Pick<BoardState, "picked" | "choices" | "ways" | "hinted">;

export function guideOf(state: SessionState, hand: Holding | null): Guide | null {
  const { session, yours, isPlaying, isMyTurn, isPresent } = state;
  if (!isPlaying || !isPresent || yours.length === 0) return null;
  const steps = session.first_steps ?? [];
  const moved = session.history.filter(({ player }) => yours.includes(player)).length;
  const now = isMyTurn ? nowOf(hand) : t("guide_wait", { player: nameOf(session, session.view.turn) });
  return { now, tips: steps.map(say), tip: moved % Math.max(1, steps.length) };
}

function nowOf(hand: Holding | null): string {
  if (hand?.choices.length) return t("guide_choose");
  if (hand?.ways.length) return t("guide_ways");
  if (hand?.picked.length) return t("guide_target");
  return t(hand?.hinted.size ? "guide_begin" : "guide_anywhere");
}
