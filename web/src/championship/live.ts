import { SOCKETS } from "../lib/api";
import type { Groups } from "../lib/schema";

/** Milliseconds between attempts to reach the server, about, so that not all come at once; between signs of life, and between two looks at what changed. */
const PAUSE = 3000;
const HEARTBEAT = 20_000;
const BREATH = 700;

/** Call `look` at once, and again whenever something has changed in a championship, or in one group of it; not more often
 * than a breath. What is returned ends it. */
export function follow(id: string, group: string | null, look: () => Promise<void>): () => void {
  let socket: WebSocket | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  let isLooking = false;
  let isWanted = false;

  async function again(): Promise<void> {
    if (isLooking) {
      isWanted = true;
      return;
    }
    isLooking = true;
    await look();
    await new Promise((resolve) => setTimeout(resolve, BREATH));
    isLooking = false;
    if (takeWish() && !isEnded) void again();
  }

  /** Whether somebody wanted another look meanwhile. */
  function takeWish(): boolean {
    const was = isWanted;
    isWanted = false;
    return was;
  }

  function connect(): void {
    const query = group ? `?group=${encodeURIComponent(group)}` : "";
    const opened = new WebSocket(`${location.origin.replace(/^http/, "ws")}${SOCKETS}/championships/${id}${query}`);
    const heartbeat = setInterval(() => opened.readyState === WebSocket.OPEN && opened.send("{}"), HEARTBEAT);
    opened.onmessage = ({ data }) => {
      if ((JSON.parse(String(data)) as { type: string }).type === "changed") void again();
    };
    opened.onclose = ({ code }) => {
      clearInterval(heartbeat);
      // Who may not look is not let in by trying again.
      if (!isEnded && code < 4400) retry = setTimeout(connect, PAUSE * (0.75 + Math.random() / 2));
    };
    socket = opened;
  }

  void again();
  connect();
  return () => {
    isEnded = true;
    clearTimeout(retry);
    socket?.close();
  };
}

/** Groups as they were known, with those that have changed since. */
export function merged(known: Groups | null, told: Groups): Groups {
  if (known === null || told.whole) return told;
  const changed = new Map(told.groups.map((group) => [group.id, group]));
  return { ...told, people: { ...known.people, ...told.people }, groups: known.groups.map((group) => changed.get(group.id) ?? group) };
}
