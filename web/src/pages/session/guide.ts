import type { BoardState } from "../../board/state";
import { other } from "../../lib/players";
import { say, t } from "../../lib/settings.svelte";
import { nameOf, type SessionState } from "./state";

/** What somebody who plays for the first time is told. All that may be said is given, and which of it is said now: what
 * is shown is as high as the longest needs, and nothing moves when the next is said. */
export interface Guide {
  /** What to do. */
  stages: string[];
  stage: number;
  /** What the game is like; an empty one where nothing is said of it. */
  tips: string[];
  tip: number;
}

export type Holding = Pick<BoardState, "picked" | "choices" | "ways" | "hinted" | "isMoving" | "planned" | "isPickingTogether">;

const STAGES = [
  "guide_wait",
  "guide_watch",
  "guide_planned",
  "guide_begin",
  "guide_anywhere",
  "guide_together",
  "guide_target",
  "guide_ways",
  "guide_choose",
] as const;

export function guideOf(state: SessionState, hand: Holding | null): Guide | null {
  const { session, yours, isPlaying, isMyTurn, isPresent } = state;
  if (!isPlaying || !isPresent || yours.length === 0) return null;
  const steps = session.first_steps ?? [];
  const moved = session.history.filter(({ player }) => yours.includes(player)).length;
  const waitsFor = nameOf(session, isMyTurn ? other(session.view.turn) : session.view.turn);
  return {
    stages: STAGES.map((stage) => t(stage, { player: waitsFor })),
    stage: STAGES.indexOf(isMyTurn ? stageOf(hand) : "guide_wait"),
    tips: steps.length ? steps.map(say) : [""],
    tip: moved % Math.max(1, steps.length),
  };
}

function stageOf(hand: Holding | null): (typeof STAGES)[number] {
  if (hand?.isMoving) return hand.planned.length ? "guide_planned" : "guide_watch";
  if (hand?.choices.length) return "guide_choose";
  if (hand?.ways.length) return "guide_ways";
  if (hand?.isPickingTogether) return "guide_together";
  if (hand?.picked.length) return "guide_target";
  return hand?.hinted.size ? "guide_begin" : "guide_anywhere";
}
