import { MESSAGES } from "./catalogue";
import { SOCKETS } from "./api";
import { withChange } from "./changes";
import { sentence } from "./format";
import type { CoachMessage, GameSession } from "./schema";
import type { Action, Cell, ClientMessage, Move, ServerMessage, Session, Text } from "./types";

/**
 * One game session as the server tells it. Events are numbered; after a lost connection the next one asks for what came
 * since the last number seen. A move shows at once and is taken back if the server refuses it.
 */

/** Milliseconds between attempts to reach the server: the first pause, each one twice the one before, and the longest. */
const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 8000;
/** Milliseconds between pings. */
const HEARTBEAT = 20_000;
/** Milliseconds after which a page that has not reached the server yet says so. */
const PATIENCE = 3000;
/** Milliseconds after which a page says that something is still being sent. */
const SENDING = 1500;

interface Pending {
  move: Move;
  ply: number;
  ref: string;
  /** The number of the event that will tell the move, once the server has stored it. */
  stored: number | null;
  /** In a game with a coach: it is made whatever the coach thinks of it. */
  sure: boolean;
}

/** What the coach has said last. */
export type Coached = Pick<CoachMessage, "about" | "text" | "ply" | "step" | "move" | "cells">;

export class SessionConnection {
  session = $state.raw<Session>()!;
  /** When `session` came, by the page's own clock: a running game clock goes on from there. */
  since = $state(0);
  connected = $state(false);
  /** Nobody hears us, and it is time to say so: a page that is only just opening is not yet out of reach. */
  lost = $state(false);
  /** Something was sent a while ago and is not stored yet. */
  sending = $state(false);
  /** A player erased the session: there is nothing to come back to. */
  erased = $state(false);
  pending = $state.raw<Pending | null>(null);
  problem = $state.raw<Text | null>(null);
  /** Why what was tried last is no move. */
  whyNot = $state.raw<Text | null>(null);
  hint = $state.raw<{ move: string; clicks: Cell[]; ply: number } | null>(null);
  coached = $state.raw<Coached | null>(null);
  /** The coach is asked and has not answered. */
  isCoaching = $state(false);

  #socket: WebSocket | null = null;
  #pause = FIRST_PAUSE;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #ref = 0;
  /** What was sent and is neither stored nor refused, each with the clock that makes the page say so. */
  #unanswered = new Map<string, ReturnType<typeof setTimeout>>();
  #closed = false;

  constructor(session: Session) {
    this.#take(session);
    this.#patience = setTimeout(() => (this.lost = !this.connected), PATIENCE);
    this.#connect();
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#patience);
    clearInterval(this.#heartbeat);
    this.#forget();
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
  }

  /** A move of the list the server sent; `sure`: whatever the coach thinks of it. */
  move(move: Move, sure = false): void {
    this.pending = { move, ply: this.session.history.length, ref: this.#newRef(), stored: null, sure };
    this.hint = this.whyNot = this.coached = null;
    this.#sendPending();
  }

  /** Makes the move that the coach doubts. */
  insist(): void {
    const doubted = this.session.view.moves.find(({ text }) => text === this.coached?.move);
    if (doubted) this.move(doubted, true);
  }

  /** Asks the coach for a step of help, or why the move that it doubts is a mistake. */
  askCoach(step: number | null): void {
    const move = step === null ? (this.coached?.move ?? null) : null;
    this.isCoaching = true;
    this.#send({ type: "coach", ref: this.#newRef(), step, move });
  }

  /** A move as typed; the server reads it. */
  type(text: string): void {
    const known = this.session.view.moves.find((move) => move.text === text.trim());
    if (known) this.move(known);
    else this.#send({ type: "move", ref: this.#newRef(), ply: this.session.history.length, move: text, sure: false });
  }

  /** Asks why the cells touched make no move. */
  askWhy(cells: Cell[]): void {
    this.whyNot = null;
    this.#send({ type: "why", ref: this.#newRef(), cells, move: null });
  }

  act(type: Action | "hint"): void {
    this.#send({ type, ref: this.#newRef() });
  }

  #newRef(): string {
    return String(++this.#ref);
  }

  #send(message: Exclude<ClientMessage, { type: "ping" }> & { ref: string }): void {
    this.problem = null;
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(message));
      clearTimeout(this.#unanswered.get(message.ref));
      this.#unanswered.set(message.ref, setTimeout(() => (this.sending = true), SENDING));
    } else if (!this.pending) this.problem = MESSAGES.no_answer;
  }

  /** Sends a move that is not known to be stored: a new one, or one that may have been lost with a connection. */
  #sendPending(): void {
    if (this.pending?.stored !== null) return;
    const { move, ply, ref, sure } = this.pending;
    this.#send({ type: "move", ref, ply, move: move.text, sure });
  }

  #answered(ref: unknown): void {
    if (typeof ref !== "string") return;
    clearTimeout(this.#unanswered.get(ref));
    this.#unanswered.delete(ref);
    if (this.#unanswered.size === 0) this.sending = false;
  }

  #forget(): void {
    for (const ref of [...this.#unanswered.keys()]) this.#answered(ref);
  }

  /** Connect again: who has just been given a cookie is known from then on. */
  comeBack(): void {
    this.#socket?.close();
  }

  #hurry = (): void => {
    if (this.connected || this.#closed || document.hidden) return;
    this.#pause = FIRST_PAUSE;
    clearTimeout(this.#retry);
    if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#connect();
  };

  #connect(): void {
    const address = new URL(`${SOCKETS}/sessions/${this.session.id}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("since", String(this.session.number));
    address.searchParams.set("changes", "1");
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = FIRST_PAUSE;
      clearInterval(this.#heartbeat);
      this.#heartbeat = setInterval(() => {
        // A network can vanish without a word: who does not answer a ping is gone.
        if (performance.now() - this.#heard > 2.5 * HEARTBEAT) socket.close();
        else if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
      }, HEARTBEAT);
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#heard = performance.now();
      this.#hear(JSON.parse(String(data)) as ServerMessage);
      if (!this.connected && socket.readyState === WebSocket.OPEN) {
        // First the server tells how the game stands.
        this.connected = true;
        this.lost = false;
        this.#sendPending();
      }
    };
    socket.onclose = () => {
      if (socket !== this.#socket || this.#closed) return;
      this.connected = false;
      this.lost = true;
      // What became of it, the next connection tells.
      this.#forget();
      clearInterval(this.#heartbeat);
      this.#retry = setTimeout(() => this.#connect(), this.#pause * (0.75 + Math.random() / 2));
      this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
    };
  }

  #hear(message: ServerMessage): void {
    if ("ref" in message) this.#answered(message.ref);
    switch (message.type) {
      case "session":
      case "event":
        this.#take(message.session);
        break;
      case "change": {
        const session = withChange(this.session, message.session);
        // Who missed something comes back and is told how things stand.
        if (session) this.#take(session);
        else this.#socket?.close();
        break;
      }
      case "ack":
        // The move is on the disk; it stays as it is shown until the event that tells it.
        if (this.pending?.ref === message.ref) this.pending = { ...this.pending, stored: message.number };
        break;
      case "why_not":
        this.whyNot = message.text;
        break;
      case "hint":
        this.hint = { move: message.move, clicks: message.clicks, ply: this.session.history.length };
        break;
      case "coach":
        if (this.pending?.ref === message.ref) this.pending = null;
        this.isCoaching = false;
        this.coached = message.ply === this.session.history.length ? message : null;
        break;
      case "erased":
        this.erased = true;
        this.close();
        break;
      case "error":
        // Where the page was behind, the session as it stands follows in a message of its own.
        if (this.pending?.ref === message.ref) this.pending = null;
        this.isCoaching = false;
        this.problem = sentence(message.text);
        break;
      case "pong":
    }
  }

  #take(told: GameSession): void {
    // The board stays the same object, and so does a position that did not change: only what changed is drawn anew.
    const before = this.session as Session | undefined;
    const session = {
      ...told,
      geometry: before?.geometry ?? told.geometry,
      first_steps: told.first_steps ?? before?.first_steps ?? null,
    } as Session;
    if (before) {
      const { view, history } = before;
      const isSame = view.position === session.view.position && history.length === session.history.length;
      if (isSame && !view.outcome === !session.view.outcome && view.turn === session.view.turn) session.view = view;
    }
    this.session = session;
    this.since = performance.now();
    const { pending } = this;
    if (pending && (session.history.length > pending.ply || session.number >= (pending.stored ?? Infinity))) {
      this.#answered(pending.ref);
      this.pending = null;
    }
    if (this.hint && session.history.length !== this.hint.ply) this.hint = null;
    if (this.coached && session.history.length !== this.coached.ply) this.coached = null;
    if (session.history.length !== before?.history.length) this.whyNot = null;
  }
}
