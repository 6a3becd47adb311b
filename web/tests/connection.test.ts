import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SessionConnection } from "../src/lib/connection.svelte";
import type { SessionChange } from "../src/lib/schema";
import type { ClientMessage, Move, ServerMessage, Session } from "../src/lib/types";

class Socket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  readyState = Socket.CONNECTING;
  sent: ClientMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly address: URL) {
    sockets.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  tell(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** Opens, and tells how the session stands. */
  greet(how = session()): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
    this.tell({ type: "session", session: how });
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

const MOVE: Move = { text: "a1", clicks: [0], motions: [] };
let sockets: Socket[] = [];
const latest = () => sockets.at(-1)!;

function session(moves: string[] = [], number = moves.length): Session {
  return {
    id: "abc",
    number,
    geometry: { cells: [] },
    view: { position: moves.join(), turn: 1, outcome: null, moves: [MOVE] },
    history: moves.map((text, place) => ({ ply: place + 1, text, player: 1 })),
  } as unknown as Session;
}

beforeEach(() => {
  sockets = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("location", { href: "http://site/g/abc", protocol: "http:" });
  vi.stubGlobal("document", { hidden: false, addEventListener: vi.fn(), removeEventListener: vi.fn() });
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("removeEventListener", vi.fn());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function connected(): SessionConnection {
  const one = new SessionConnection(session());
  latest().greet();
  return one;
}

describe("a session's connection", () => {
  it("speaks version 1 and asks for what came since the last event it knows", () => {
    connected();
    expect(String(latest().address)).toBe("ws://site/ws/v1/sessions/abc?since=0&changes=1");
  });

  it("shows a move at once, knows when it is stored, and drops it for the event that tells it", () => {
    const one = connected();
    one.move(MOVE);
    expect(latest().sent).toEqual([{ type: "move", ref: "1", ply: 0, move: "a1", sure: false }]);
    expect(one.pending).toMatchObject({ move: MOVE, stored: null });
    latest().tell({ type: "ack", ref: "1", number: 1 });
    expect(one.pending).toMatchObject({ move: MOVE, stored: 1 });
    latest().tell({ type: "event", number: 1, kind: "move", session: { ...session(["a1"]), geometry: null } });
    expect(one.pending).toBeNull();
    expect(one.session.geometry).toEqual({ cells: [] });
  });

  it("takes what changed, and comes back when it missed something", () => {
    const one = connected();
    const change = (kept: number) =>
      ({ number: 1, history: { kept, moves: [{ ply: 1, text: "a1", player: 1 }] } }) as unknown as SessionChange;
    latest().tell({ type: "change", number: 1, kind: "move", session: change(0) });
    expect(one.session.history).toHaveLength(1);
    expect(one.session.geometry).toEqual({ cells: [] });
    latest().tell({ type: "change", number: 9, kind: "move", session: change(7) });
    expect(one.connected).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
  });

  it("says that it is sending only when that takes long, and until the server has stored it", () => {
    const one = connected();
    one.act("offer_draw");
    expect(one.sending).toBe(false);
    vi.advanceTimersByTime(2000);
    expect(one.sending).toBe(true);
    latest().tell({ type: "ack", ref: "1", number: 1 });
    expect(one.sending).toBe(false);
    one.act("resign");
    latest().tell({ type: "ack", ref: "2", number: 2 });
    vi.advanceTimersByTime(2000);
    expect(one.sending).toBe(false);
  });

  it("takes a refused move back without waiting for more, and then hears how the session stands", () => {
    const one = connected();
    one.move(MOVE);
    latest().tell({ type: "error", ref: "1", code: "stale", text: { pt: "tarde", en: "late" } });
    expect(one.pending).toBeNull();
    expect(one.problem).toEqual({ pt: "Tarde.", en: "Late." });
    latest().tell({ type: "session", session: session(["b1"]) });
    expect(one.session.history).toHaveLength(1);
    vi.advanceTimersByTime(2000);
    expect(one.sending).toBe(false);
  });

  it("waits with a move that the coach doubts, until its player is sure", () => {
    const one = connected();
    one.move(MOVE);
    const text = { pt: "Tens a certeza?", en: "Are you sure?" };
    latest().tell({ type: "coach", ref: "1", about: "doubt", text, ply: 0, step: null, move: "a1", cells: [0] });
    expect(one.pending).toBeNull();
    expect(one.coached).toMatchObject({ about: "doubt", move: "a1" });
    one.askCoach(null);
    expect(latest().sent.at(-1)).toEqual({ type: "coach", ref: "2", step: null, move: "a1" });
    one.insist();
    expect(latest().sent.at(-1)).toEqual({ type: "move", ref: "3", ply: 0, move: "a1", sure: true });
    expect(one.coached).toBeNull();
  });

  it("sends a move again that was lost with the connection, but not one that is stored", () => {
    const one = connected();
    one.move(MOVE);
    latest().close();
    vi.advanceTimersByTime(1000);
    latest().greet();
    expect(sockets).toHaveLength(2);
    expect(latest().sent).toEqual([{ type: "move", ref: "1", ply: 0, move: "a1", sure: false }]);
    latest().tell({ type: "ack", ref: "1", number: 1 });
    latest().close();
    vi.advanceTimersByTime(1000);
    latest().greet(session(["a1"]));
    expect(latest().sent).toEqual([]);
    expect(one.pending).toBeNull();
  });

  it("says that the server is out of reach when a connection is lost, or does not come for some time", () => {
    const one = connected();
    expect(one.lost).toBe(false);
    latest().close();
    expect(one.lost).toBe(true);
    one.close();
    const late = new SessionConnection(session());
    expect(late.lost).toBe(false);
    vi.advanceTimersByTime(4000);
    expect(late.lost).toBe(true);
    latest().greet();
    expect(late.lost).toBe(false);
  });
});
