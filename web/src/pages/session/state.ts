import { colourName, other, playerName } from "../../lib/players";
import { say, t } from "../../lib/settings.svelte";
import type { Motion, Move, Player, Session, View } from "../../lib/types";

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

/** Ends that are nobody's move. */
const BY_PEOPLE = ["agreement", "resignation", "time", "abandoned", "too_long"];

function resultOf(session: Session): Result | null {
  const { view, your_seats: yours } = session;
  const { outcome } = view;
  if (!outcome) return null;
  const { winner, reason, score } = outcome;
  const byRule = !BY_PEOPLE.includes(reason.code);
  const points = score && byRule ? ` (${score[0]}–${score[1]})` : "";
  const who = winner && byRule ? `${colourName(view, winner)}: ` : "";
  const sentence = `${who}${say(reason)}${points}.`;
  const ofOne = winner && yours.includes(winner) ? t("you_won") : t("you_lost");
  const title = !winner ? t("drawn") : yours.length === 1 ? ofOne : t("wins", { player: nameOf(session, winner) });
  return { title, text: sentence[0]!.toUpperCase() + sentence.slice(1) };
}

/** How the game stands, in a sentence. */
export function statusOf({ session, yours, isMyTurn, result }: SessionState): string {
  if (session.status === "waiting") return t("waiting_friend");
  if (result) return `${result.title} ${result.text}`;
  const { turn, prompt } = session.view;
  const whose = isMyTurn && yours.length === 1 ? t("your_turn") : t("turn_of", { player: nameOf(session, turn) });
  return isMyTurn && prompt ? `${whose}: ${say(prompt)}` : whose;
}

/** What a screen reader says after each move. */
export function announcementOf(state: SessionState): string {
  const last = state.session.history.at(-1);
  const move = last ? t("announce_move", { player: nameOf(state.session, last.player), move: last.text }) : "";
  return `${move} ${statusOf(state)}`.trim();
}

/** Seconds that a player has left, some milliseconds after the server said how many. */
export function secondsLeft({ clock }: Session, player: Player, since: number): number | null {
  if (!clock) return null;
  const spent = clock.running === player ? Math.max(0, since) / 1000 : 0;
  return Math.max(0, clock.left[player] - spent);
}

/** A way through cells as arrows from each to the next. */
export function arrowsThrough(cells: number[]): Motion[] {
  return cells.slice(1).map((cell, place): Motion => [cells[place]!, cell]);
}
