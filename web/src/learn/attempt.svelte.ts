import { reason } from "../lib/api";
import { sentence } from "../lib/format";
import type { TaskAnswer, TaskHint, TaskVerdict } from "../lib/schema";
import { sounds } from "../lib/sounds";
import type { Cell, Move, Text, View } from "../lib/types";
import { learning } from "./api";

/** Milliseconds for which each move that follows the pupil's is looked at. */
const LOOK = 900;

/** The question before help that costs something: what it costs, the answer that asks for it, the one that does not. */
export interface HelpCosts {
  help: string;
  yes: string;
  no: string;
}

/** A pupil at a task: what was done, what is seen on the board, what is said about it. */
export class TaskAttempt {
  /** How the task stands. */
  task = $state.raw<TaskAnswer | null>(null);
  /** What the board shows: where the pupil decides, or the moves that follow a wrong one. */
  board = $state.raw<{ view: View; ply: number } | null>(null);
  /** What the last act came to, until the next one. */
  verdict = $state.raw<TaskVerdict | null>(null);
  /** The steps of help so far. */
  hints = $state.raw<TaskHint[]>([]);
  /** The moves that are marked, as they are written. */
  marked = $state.raw<string[]>([]);
  /** A move that was made here and is not judged yet. */
  pending = $state.raw<Move | null>(null);
  problem = $state.raw<Text | null>(null);
  /** An act is on its way, or what came of it is being played on the board. */
  isBusy = $state(false);
  /** How many moves of the verdict are seen on the board; null where the board shows the task itself. */
  step = $state<number | null>(null);
  #acts: string[] = [];
  readonly #seed = Math.floor(Math.random() * 2 ** 31);
  #playing = 0;

  constructor(
    readonly ref: string,
    readonly given: string | null,
    readonly keep: boolean,
  ) {}

  get isSolved(): boolean {
    return this.task?.solved ?? false;
  }

  /** Whether the pupil may act on the board now. */
  get mayAct(): boolean {
    return this.task !== null && !this.isBusy && !this.isSolved && this.step === null;
  }

  async load(): Promise<void> {
    this.problem = null;
    try {
      const task = await learning.task(this.ref, this.#seed);
      this.task = task;
      this.board = { view: task.view, ply: task.ply };
    } catch (error) {
      this.problem = reason(error);
    }
  }

  /** A move on the board: made, or in a task of marking marked or unmarked. */
  choose(move: Move): void {
    if (!this.mayAct || !this.task) return;
    if (this.task.way === "mark") this.toggle(move.text);
    else void this.#act(`move ${move.text}`, move);
  }

  /** A move as somebody writes it: the server reads it, and says what is wrong with it. */
  write(text: string): void {
    if (!this.mayAct || !this.task) return;
    const known = this.task.view.moves.find((move) => move.text.toLowerCase() === text.toLowerCase());
    if (known) this.choose(known);
    else if (this.task.way === "mark") void this.#why(text);
    else void this.#act(`move ${text}`);
  }

  toggle(text: string): void {
    this.verdict = null;
    this.marked = this.marked.includes(text) ? this.marked.filter((other) => other !== text) : [...this.marked, text];
  }

  confirm(): void {
    if (this.mayAct) void this.#act(["mark", ...this.marked].join(" "));
  }

  say(choice: string): void {
    if (this.mayAct) void this.#act(`say ${choice}`);
  }

  hint(): void {
    if (this.mayAct) void this.#act("hint");
  }

  /** Cells were touched that make no move: why not. */
  async miss(cells: Cell[]): Promise<void> {
    if (!this.mayAct || !this.task) return;
    const { game, options, view } = this.task;
    try {
      const { text } = await learning.why(game, options, view.position, { cells });
      this.problem = text && sentence(text);
    } catch (error) {
      this.problem = reason(error);
    }
  }

  async #why(move: string): Promise<void> {
    const { game, options, view } = this.task!;
    try {
      const { text } = await learning.why(game, options, view.position, { move });
      this.problem = text && sentence(text);
    } catch (error) {
      this.problem = reason(error);
    }
  }

  /** Back to where the pupil decides. */
  again(): void {
    if (!this.task) return;
    this.#playing++;
    this.step = null;
    this.isBusy = false;
    this.board = { view: this.task.view, ply: this.task.ply };
  }

  /** See once more what follows the last move. */
  replay(): void {
    if (!this.task || !this.verdict || this.isBusy) return;
    const { shown } = this.verdict;
    this.board = { view: this.task.view, ply: this.task.ply };
    void this.#play(shown, this.task.ply, 0);
  }

  async #act(act: string, move: Move | null = null): Promise<void> {
    this.problem = null;
    this.pending = move;
    this.isBusy = true;
    const before = this.task!.ply;
    try {
      const told = await learning.attempt(this.ref, {
        acts: [...this.#acts, act],
        seed: this.#seed,
        given: this.given,
        keep: this.keep,
      });
      this.#acts = told.acts;
      this.pending = null;
      this.task = told;
      if (told.hint) this.hints = [...this.hints, told.hint];
      if (told.verdict) await this.#show(told, told.verdict, before);
    } catch (error) {
      this.problem = reason(error);
    } finally {
      this.pending = null;
      if (this.step === null) this.isBusy = false;
    }
  }

  async #show(task: TaskAnswer, verdict: TaskVerdict, before: number): Promise<void> {
    this.verdict = verdict;
    if (verdict.kind === "right" || verdict.kind === "solved") {
      this.hints = [];
      // The last of these moves leads to where the task stands now.
      await this.#play(verdict.shown.slice(0, -1), before, 0);
      this.step = null;
      this.board = { view: task.view, ply: task.ply };
      if (task.solved) sounds.won();
    } else if (verdict.shown.length) await this.#play(verdict.shown, before, 0);
  }

  /** Play moves one after the other; somebody who looks at something else meanwhile ends that. */
  async #play(shown: TaskVerdict["shown"], before: number, from: number): Promise<void> {
    const playing = ++this.#playing;
    this.isBusy = true;
    for (const [index, { view }] of shown.entries()) {
      if (index < from) continue;
      this.step = index + 1;
      this.board = { view, ply: before + index + 1 };
      if (index < shown.length - 1) await new Promise((resolve) => setTimeout(resolve, LOOK));
      if (playing !== this.#playing) return;
    }
    this.isBusy = false;
  }
}
