import { clockText } from "../lib/format";
import { w } from "./words";

/** The time of a round, which goes on while the wall shows something else. */
class Countdown {
  minutes = $state(20);
  #end = $state<number | null>(null);
  #now = $state(Date.now());
  #timer: ReturnType<typeof setInterval> | undefined;

  readonly isRunning = $derived(this.#end !== null);
  readonly left = $derived(this.#end === null ? this.minutes * 60 : Math.max(0, Math.ceil((this.#end - this.#now) / 1000)));
  readonly isOver = $derived(this.isRunning && this.left === 0);
  readonly text = $derived(this.isOver ? w("time_is_up") : clockText(this.left).replace(/^0:(\d\d)\.\d$/, "0:$1"));

  start(): void {
    this.#now = Date.now();
    this.#end = this.#now + this.minutes * 60_000;
    this.#timer = setInterval(() => (this.#now = Date.now()), 250);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#end = null;
  }
}

export const countdown = new Countdown();
