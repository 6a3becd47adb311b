import { SOCKETS } from "../lib/api";
import type { Tally, VoteView } from "../lib/schema";

/** One vote as the server tells it: whole at first and with each question, in between how the votes stand. */

/** Milliseconds between attempts to reach the server, about, so that not all come at once; and between signs of life. */
const PAUSE = 1500;
const HEARTBEAT = 20_000;

export class LiveVote {
  vote = $state.raw<VoteView>()!;
  /** The server does not hear us. */
  isLost = $state(false);
  #socket: WebSocket | null = null;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(vote: VoteView) {
    this.vote = vote;
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${SOCKETS}/votes/${this.vote.id}`);
    this.#socket = socket;
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => socket.readyState === WebSocket.OPEN && socket.send("{}"), HEARTBEAT);
    socket.onopen = () => (this.isLost = false);
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as VoteView | { type: "tally"; tally: Tally });
    socket.onclose = () => {
      if (this.#isClosed) return;
      this.isLost = true;
      this.#retry = setTimeout(() => this.#connect(), PAUSE * (0.75 + Math.random() / 2));
    };
  }

  #hear(told: VoteView | { type: "tally"; tally: Tally } | { type: string }): void {
    if (told.type === "vote") this.vote = told as VoteView;
    else if (told.type === "tally") {
      const { tally } = told as { tally: Tally };
      if (tally.number === this.vote.question?.number) this.vote = { ...this.vote, tally };
    }
  }
}
