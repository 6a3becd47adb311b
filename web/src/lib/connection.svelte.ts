import { MESSAGES } from "./catalogue";
import type { Cell, Move, Session, Text } from "./types";

/**
 * One game as the server tells it. Events are numbered; after a lost connection the next one asks for what came since
 * the last number seen. A move shows at once and is taken back if the server refuses it.
 */

type FromServer =
  | { type: "play"; play: Session }
  | { type: "event"; number: number | null; kind: string; play: Session }
  | { type: "ack"; ref: string; number: number }
  | { type: "error"; ref: string | null; text: Text; play?: Session }
  | { type: "hint"; ref: string; move: string; clicks: Cell[] }
  | { type: "pong" }
  | { type: "erased" };

type Action =
  | "resign"
  | "offer_draw"
  | "accept_draw"
  | "decline_draw"
  | "ask_takeback"
  | "accept_takeback"
  | "decline_takeback"
  | "rematch"
  | "hint";

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 8000;
const HEARTBEAT = 20_000;
/** Milliseconds after which a page that has not reached the server yet says so. */
const PATIENCE = 3000;

export class SessionConnection {
  session = $state.raw<Session>()!;
  /** When `session` came, by the page's own clock: a running game clock goes on from there. */
  since = $state(0);
  connected = $state(false);
  /** Nobody hears us, and it is time to say so: a page that is only just opening is not yet out of reach. */
  lost = $state(false);
  /** Somebody who sat here erased the game: there is nothing to come back to. */
  erased = $state(false);
  pending = $state.raw<{ move: Move; ply: number; ref: string } | null>(null);
  problem = $state.raw<Text | null>(null);
  hint = $state.raw<{ move: string; clicks: Cell[]; ply: number } | null>(null);

  #socket: WebSocket | null = null;
  #pause = FIRST_PAUSE;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #ref = 0;
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
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
  }

  /** A move of the list the server sent. */
  move(move: Move): void {
    this.pending = { move, ply: this.session.history.length, ref: this.#newRef() };
    this.hint = null;
    this.#sendPending();
  }

  /** A move as typed; the server reads it. */
  type(text: string): void {
    const known = this.session.view.moves.find((move) => move.text === text.trim());
    if (known) this.move(known);
    else this.#send({ type: "move", ref: this.#newRef(), ply: this.session.history.length, move: text });
  }

  act(type: Action): void {
    this.#send({ type, ref: this.#newRef() });
  }

  #newRef(): string {
    return String(++this.#ref);
  }

  #send(message: object): void {
    this.problem = null;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    else if (!this.pending) this.problem = MESSAGES.no_answer;
  }

  #sendPending(): void {
    if (!this.pending) return;
    const { move, ply, ref } = this.pending;
    this.#send({ type: "move", ref, ply, move: move.text });
  }

  #hurry = (): void => {
    if (this.connected || this.#closed || document.hidden) return;
    this.#pause = FIRST_PAUSE;
    clearTimeout(this.#retry);
    if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#connect();
  };

  #connect(): void {
    const address = new URL(`/ws/plays/${this.session.id}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("since", String(this.session.number));
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
      this.#hear(JSON.parse(String(data)) as FromServer);
      if (!this.connected) {
        // First the server tells how the game stands. If a move was lost with the last connection, it is sent again.
        this.connected = true;
        this.lost = false;
        this.#sendPending();
      }
    };
    socket.onclose = () => {
      if (socket !== this.#socket || this.#closed) return;
      this.connected = false;
      this.lost = true;
      clearInterval(this.#heartbeat);
      this.#retry = setTimeout(() => this.#connect(), this.#pause * (0.75 + Math.random() / 2));
      this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
    };
  }

  #hear(message: FromServer): void {
    switch (message.type) {
      case "play":
      case "event":
        this.#take(message.play);
        break;
      case "ack":
        break;
      case "hint":
        this.hint = { move: message.move, clicks: message.clicks, ply: this.session.history.length };
        break;
      case "erased":
        this.erased = true;
        this.close();
        break;
      case "error":
        if (message.play) this.#take(message.play);
        if (this.pending?.ref === message.ref) this.pending = null;
        this.problem = message.text;
    }
  }

  #take(session: Session): void {
    // The board stays the same object, and so does a position that did not change: only what changed is drawn anew.
    const before = this.session as Session | undefined;
    if (before?.id === session.id) {
      session.geometry = before.geometry;
      const { view, history } = before;
      const isSame = view.position === session.view.position && history.length === session.history.length;
      if (isSame && !view.outcome === !session.view.outcome && view.turn === session.view.turn) session.view = view;
    }
    this.session = session;
    this.since = performance.now();
    if (this.pending && session.history.length > this.pending.ply) this.pending = null;
    if (this.hint && session.history.length !== this.hint.ply) this.hint = null;
  }
}
