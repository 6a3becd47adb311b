import { api as site, reason } from "../lib/api";
import type { Game, Geometry, Move, Text, View } from "../lib/types";
import { openings, type KnownValues, type Openings } from "./api";

/** A line of an opening that somebody goes along: where they stand, and what is counted and proven there. */
export class Explored {
  readonly game: Game;
  moves = $state.raw<string[]>([]);
  geometry = $state.raw<Geometry>()!;
  view = $state.raw<View | null>(null);
  pending = $state.raw<Move | null>(null);
  counted = $state.raw<Openings | null>(null);
  known = $state.raw<KnownValues | null>(null);
  problem = $state.raw<Text | null>(null);
  #asked = 0;

  constructor(game: Game) {
    this.game = game;
    this.geometry = game.geometry;
  }

  /** The line in an address: `#e4+d5`. */
  get fragment(): string {
    return this.moves.length ? `#${this.moves.map(encodeURIComponent).join("+")}` : "";
  }

  static movesIn(fragment: string): string[] {
    return fragment.replace(/^#/, "").split("+").filter(Boolean).map(decodeURIComponent);
  }

  play(move: string): void {
    if (this.pending) return;
    this.pending = this.view?.moves.find(({ text }) => text === move) ?? null;
    void this.look([...this.moves, move]);
  }

  back(): void {
    if (this.moves.length) void this.look(this.moves.slice(0, -1));
  }

  async look(moves: string[]): Promise<void> {
    const asked = ++this.#asked;
    const where = { game: this.game.id, options: {}, position: null, moves };
    try {
      const found = await site.position(this.game.id, {}, null, moves);
      if (asked !== this.#asked) return;
      this.moves = moves;
      this.view = found.view;
      this.pending = this.counted = this.known = this.problem = null;
      const counted = await openings.counted(where);
      if (asked !== this.#asked) return;
      this.counted = counted;
      // What is proven takes a moment longer, and nobody waits for it.
      const known = await openings.known(where);
      if (asked === this.#asked) this.known = known;
    } catch (error) {
      if (asked !== this.#asked) return;
      this.pending = null;
      this.problem = reason(error);
    }
  }
}
