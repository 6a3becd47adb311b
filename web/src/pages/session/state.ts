import { colourName, other, playerName } from "../../lib/players";
import { isMessage, moveText, say, t } from "../../lib/settings.svelte";
import type { BoardState } from "../../board/state";
import type { Cell, Motion, Move, Player, Session, View } from "../../lib/types";
import type { Captured } from "./tray";

/** All that the page of a session shows, as plain values: components draw parts of it. */

export interface SessionState {
  session: Session;
  /** The position that is seen: the present one, or an earlier one that somebody looks at. */
  view: View;
  ply: number;
  isPresent: boolean;
  /** The players that the person at this page is: none, one, or both at one screen. */
  yours: Player[];
  isPlaying: boolean;
  isMyTurn: boolean;
  /** The moves that may be made now. */
  offered: Move[];
  /** The other side, for a person who plays one. */
  rival: Player | null;
  hasEngine: boolean;
  /** No other person plays. */
  isAlone: boolean;
  flipped: boolean;
  /** The player at the near side of the board. */
  near: Player;
  result: Result | null;
}

export interface Result {
  title: string;
  text: string;
}

/** An earlier position that somebody looks at. */
export interface Looked {
  ply: number;
  view: View;
}

export function sessionState(session: Session, looked: Looked | null, turnedOver: boolean): SessionState {
  const { view, seats, geometry, your_seats: yours } = session;
  const isPlaying = session.status === "playing";
  const isMyTurn = isPlaying && yours.includes(view.turn);
  const hasEngine = seats[1].kind === "engine" || seats[2].kind === "engine";
  const [only] = yours.length === 1 ? yours : [];
  // A player of the far side sees the board from there, if the sides of the board are the players'.
  const isFar = only === 2 && view.colours[2] !== null && geometry.kind !== "rhombus";
  return {
    session,
    view: looked?.view ?? view,
    ply: looked?.ply ?? session.history.length,
    isPresent: looked === null,
    yours,
    isPlaying,
    isMyTurn,
    offered: isMyTurn && looked === null ? view.moves : [],
    rival: only ? other(only) : null,
    hasEngine,
    isAlone: hasEngine || yours.length === 2,
    flipped: isFar !== turnedOver,
    near: (only === 2) !== turnedOver ? 2 : 1,
    result: resultOf(session),
  };
}

export function nameOf(session: Session, player: Player): string {
  return playerName(session.seats[player], player, session.your_seats, session.view);
}

function resultOf(session: Session): Result | null {
  const { view, your_seats: yours } = session;
  const { outcome } = view;
  if (!outcome) return null;
  const { winner } = outcome;
  const ofOne = winner && yours.includes(winner) ? t("you_won") : t("you_lost");
  // Who won stands in the sentence.
  const title = !winner ? t("drawn") : yours.length === 1 ? ofOne : t("game_over");
  return { title, text: say(outcome.text) };
}

/** How a game ended, in one breath. */
export function toldResult({ title, text }: Result): string {
  return isSentence(title) ? `${title} ${text}` : `${title}. ${text}`;
}

/** Whether words end as a sentence does, so that another may follow. */
export function isSentence(words: string): boolean {
  return /[.!?…]$/.test(words);
}

/** What of ours the other side has just declined, by an answer or by simply playing on. */
export function declinedBetween(before: Session, after: Session): "draw" | "takeback" | null {
  const [me, both] = after.your_seats;
  if (!me || both || after.status !== "playing") return null;
  const plies = after.history.length - before.history.length;
  if (plies < 0 || (plies > 0 && after.history.at(-1)?.player === me)) return null;
  for (const what of ["draw", "takeback"] as const) {
    if (before.offers[what] === me && after.offers[what] === null) return what;
  }
  return null;
}

/** What a move that touched no cell has changed: nobody sees it on the board. */
export function wordOfLastMove({ session, yours }: SessionState): string {
  const { view, history } = session;
  const last = history.at(-1);
  if (!last || view.last?.clicks.length !== 0) return "";
  const rival = yours.length === 1 && !yours.includes(last.player);
  const key = rival ? `done_${last.text}` : `done_${last.text}_seen`;
  const me = yours[0] ?? 1;
  return isMessage(key) ? t(key, { player: nameOf(session, last.player), colour: colourName(view, me) }) : "";
}

/** How the game stands, in a sentence. */
export function statusOf({ session, yours, isMyTurn, result }: SessionState): string {
  if (session.status === "waiting") return t("waiting_friend");
  if (result) return toldResult(result);
  const { turn, prompt } = session.view;
  const whose = isMyTurn && yours.length === 1 ? t("your_turn") : t("turn_of", { player: nameOf(session, turn) });
  return isMyTurn && prompt ? `${whose}: ${say(prompt)}` : whose;
}

/** What a screen reader says after each move: the move, what it took, and how the game stands. */
export function announcementOf(state: SessionState, taken: Captured[] = []): string {
  const last = state.session.history.at(-1);
  const move = last ? t("announce_move", { player: nameOf(state.session, last.player), move: moveText(last.text) }) : "";
  const captures = taken.map(({ piece, count }) => t("announce_capture", { count, piece: say(piece.name) }));
  return [move, ...captures, wordOfLastMove(state), statusOf(state)].filter(Boolean).join(" ");
}

/** What a screen reader says while a move is being made: what is picked, and where it may go. */
export function announcementOfHand({ picked, targets, joining, geometry, ways, choices, planned, isMoving }: BoardState): string {
  const names = (cells: Iterable<Cell>) => [...cells].map((cell) => geometry.cells[cell]!.name).join(", ");
  if (isMoving && planned.length) return t("announce_planned", { cells: names(planned) });
  if (!picked.length) return "";
  const to = choices.length ? ways.map(([, head]) => head) : targets;
  const parts = [t("announce_picked", { cells: names(picked) })];
  if (choices.length) parts.push(t("guide_choose"));
  if ([...to].length) parts.push(t("announce_targets", { cells: names(to) }));
  if (joining.size) parts.push(t("announce_joining", { cells: names(joining) }));
  return parts.join(" ");
}

/** Seconds that a player has left, some milliseconds after the server said how many. */
export function secondsLeft({ clock }: Session, player: Player, since: number): number | null {
  if (!clock) return null;
  const spent = clock.running === player ? Math.max(0, since) / 1000 : 0;
  return Math.max(0, clock.left[player] - spent);
}

/** Whether a player must hurry: the last quarter of a short time, the last 20 seconds of a long one. */
export function isShort({ clock }: Session, left: number): boolean {
  return clock !== null && left < Math.min(20, clock.initial / 4);
}

/** A way through cells as arrows from each to the next. */
export function arrowsThrough(cells: number[]): Motion[] {
  return cells.slice(1).map((cell, place): Motion => [cells[place]!, cell]);
}
