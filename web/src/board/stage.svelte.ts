import { sounds } from "../lib/sounds";
import type { Cell, Motion, Piece, View } from "../lib/types";

/**
 * What is seen of the pieces, which on the way from one position to the next is neither of the two.
 *
 * Pieces keep their identity while they travel. Seeds lie in houses and fly one by one.
 */

export interface Token {
  id: number;
  cell: Cell;
  piece: Piece;
  /** The cells it comes along, the last one being `cell`; a new list starts a new journey. */
  path: Cell[];
  entering: boolean;
  leaving: boolean;
}

export interface Flight {
  id: number;
  from: Cell;
  to: Cell;
  count: number;
}

/** Milliseconds: a piece's way from cell to cell, from seed to seed, a fading away. */
export interface Pace {
  leg: number;
  seed: number;
}
export const PACES: Record<"slow" | "normal" | "fast", Pace> = {
  slow: { leg: 450, seed: 700 },
  normal: { leg: 230, seed: 380 },
  fast: { leg: 140, seed: 130 },
};
const FADE = 240;
/** The longest sowing, in seeds: with more of them each is quicker. */
const MANY_SEEDS = 14;

export class Stage {
  tokens = $state<Token[]>([]);
  flights = $state<Flight[]>([]);
  /** What is being captured. */
  taken = $state.raw<Cell[]>([]);
  /** The view that has come to rest last: what is said about the game beside the board waits for it. */
  seen = $state.raw<View | null>(null);
  busy = $state(false);
  /** Seeds are on their way, or wait to be. */
  isSowing = $state(false);
  /** Milliseconds that a seed flies. */
  flight = $state(0);
  #next = 1;
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  #hurry = false;
  #wake: (() => void) | null = null;

  constructor(
    private readonly calm: () => boolean,
    private readonly quiet: () => boolean,
    private readonly pace: () => Pace,
  ) {}

  get leg(): number {
    return this.pace().leg;
  }

  /** Shows a position as it is. */
  show(view: View): void {
    this.tokens = view.pieces.map((piece) => this.#token(piece.cell, piece, false));
    this.seen = view;
  }

  /** Plays motions, then shows the position they lead to, after everything that was asked for before. */
  play(motions: Motion[], view: View | null): void {
    this.#waiting++;
    this.busy = true;
    this.#queue = this.#queue.then(async () => {
      this.#hurry = false;
      if (this.calm() || motions.length === 0) {
        if (motions.length === 0 && !this.calm() && !this.quiet() && view) sounds.place();
      } else if (this.#at(motions[0]![0])?.piece.kind === "seeds") await this.#sow(motions);
      else await this.#slide(motions);
      if (view) this.#settle(view);
      if (--this.#waiting === 0) {
        this.busy = false;
        this.isSowing = false;
      }
    });
  }

  /** Ends at once what is being shown; what comes after it is shown. */
  skip(): void {
    if (!this.busy) return;
    this.#hurry = true;
    this.#wake?.();
  }

  #still(): boolean {
    return this.#hurry || this.calm();
  }

  #at(cell: Cell): Token | undefined {
    return this.tokens.find((token) => token.cell === cell && !token.leaving);
  }

  #token(cell: Cell, piece: Piece, entering: boolean): Token {
    return { id: this.#next++, cell, piece, path: [], entering, leaving: false };
  }

  async #wait(time: number): Promise<void> {
    if (this.#still()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, time);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }

  async #slide(motions: Motion[]): Promise<void> {
    const paths = new Map<number, Cell[]>();
    const struck: Token[] = [];
    for (const [from, to] of motions) {
      const mover = this.#at(from);
      if (!mover) continue;
      const target = this.#at(to);
      if (target) struck.push(target);
      mover.cell = to;
      paths.set(mover.id, [...(paths.get(mover.id) ?? [from]), to]);
    }
    // Whoever travels is drawn above the others.
    const moving = this.tokens.filter((token) => paths.has(token.id));
    for (const token of moving) token.path = paths.get(token.id)!;
    this.tokens = [...this.tokens.filter((token) => !paths.has(token.id)), ...moving];
    const legs = Math.max(...[...paths.values()].map((path) => path.length - 1), 0);
    this.taken = struck.map(({ cell }) => cell);
    await this.#wait(legs * this.leg);
    this.taken = [];
    for (const token of struck) this.#leave(token.id);
    if (!this.quiet() && !this.#hurry) (struck.length ? sounds.capture : sounds.place)();
  }

  /** One seed with each motion, and with the last motion out of a house all that is left there. Each seed is seen to
   * arrive before the next one leaves; houses that are captured are shown before they are emptied. */
  async #sow(motions: Motion[]): Promise<void> {
    this.isSowing = true;
    const sown = motions.filter(([from]) => from === motions[0]![0]).length;
    this.flight = this.pace().seed * Math.min(1, MANY_SEEDS / sown);
    for (const [index, [from, to]] of motions.entries()) {
      const source = this.#at(from);
      if (!source) continue;
      const more = motions.slice(index + 1).some(([later]) => later === from);
      const taken = more ? 1 : source.piece.count;
      const isHarvest = index > 0 && motions[index - 1]![0] !== from;
      if (isHarvest) {
        this.taken = [from];
        await this.#wait(1.5 * this.flight);
      }
      this.#count(from, -taken, source.piece);
      await this.#fly(from, to, taken, source.piece, isHarvest);
    }
    // What was done is seen before the next thing happens.
    await this.#wait(1.5 * this.flight);
    this.taken = [];
  }

  async #fly(from: Cell, to: Cell, count: number, piece: Piece, isHarvest: boolean): Promise<void> {
    if (!this.#still()) {
      const id = this.#next++;
      this.flights.push({ id, from, to, count });
      await this.#wait(this.flight);
      this.flights = this.flights.filter((flight) => flight.id !== id);
      if (!this.quiet() && !this.#hurry) (isHarvest ? sounds.capture : sounds.seed)();
    }
    this.#count(to, count, piece);
  }

  #count(cell: Cell, change: number, like: Piece): void {
    const token = this.#at(cell);
    if (token) token.piece = { ...token.piece, count: token.piece.count + change };
    else this.tokens.push(this.#token(cell, { ...like, count: change }, false));
  }

  /** What is not in the position goes, what is missing comes. */
  #settle(view: View): void {
    const wanted = new Map(view.pieces.map((piece) => [piece.cell, piece]));
    for (const token of this.tokens) {
      if (token.leaving) continue;
      const piece = wanted.get(token.cell);
      if (piece?.kind === token.piece.kind && piece.colour === token.piece.colour) {
        token.piece = piece;
        wanted.delete(token.cell);
      } else this.#leave(token.id);
    }
    const coming = [...wanted.values()].map((piece) => this.#token(piece.cell, piece, !this.#still()));
    this.tokens = [...coming, ...this.tokens];
    this.seen = view;
  }

  #leave(id: number): void {
    if (this.#still()) {
      this.tokens = this.tokens.filter((token) => token.id !== id);
      return;
    }
    const token = this.tokens.find((one) => one.id === id);
    if (!token) return;
    token.leaving = true;
    setTimeout(() => (this.tokens = this.tokens.filter((one) => one.id !== id)), FADE);
  }
}
