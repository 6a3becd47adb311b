import type { SessionChange } from "./schema";
import type { Session } from "./types";

/** The session after a change that the server told; null where something before it was missed. */
export function withChange(session: Session, change: SessionChange): Session | null {
  const { history, view, ...more } = change;
  if (history.kept > session.history.length) return null;
  return {
    ...session,
    ...more,
    view: view ?? session.view,
    history: [...session.history.slice(0, history.kept), ...history.moves],
  };
}
