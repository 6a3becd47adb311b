import type { SessionSummary } from "./types";

/** How strong a computer somebody meets: who is new begins gently, and whoever wins twice running may go on. */

export const GENTLEST = 1;
export const STRONGEST = 10;
/** So many wins running at a level are enough. */
const ENOUGH_WINS = 2;

function levelOf({ seats }: SessionSummary): number | null {
  return seats[1].level ?? seats[2].level;
}

/** Games of one kind against the computer, the newest first. */
function played(sessions: SessionSummary[], game: string): SessionSummary[] {
  return sessions.filter((session) => session.game === game && levelOf(session) !== null);
}

/** The level at which somebody who only wants to play begins: that of the last time, and the gentlest at first. */
export function usualLevel(sessions: SessionSummary[], game: string): number {
  const [last] = played(sessions, game);
  return (last && levelOf(last)) ?? GENTLEST;
}

/** The next level, where the last games at one level were all won. */
export function nextLevel(sessions: SessionSummary[], game: string): number | null {
  const last = played(sessions, game)
    .filter(({ status }) => status === "over")
    .slice(0, ENOUGH_WINS);
  const levels = new Set(last.map(levelOf));
  const [level] = levels;
  const isWon = ({ outcome, your_seats: yours }: SessionSummary): boolean => !!outcome?.winner && yours.includes(outcome.winner);
  if (last.length < ENOUGH_WINS || levels.size > 1 || level == null || level >= STRONGEST) return null;
  return last.every(isWon) ? level + 1 : null;
}
