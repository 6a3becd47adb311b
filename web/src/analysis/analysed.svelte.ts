import { api as site, reason } from "../lib/api";
import { sentence } from "../lib/format";
import { colourName } from "../lib/players";
import type { Game, Geometry, Move, Player, Text, View } from "../lib/types";
import { api, events, type AnalysisEvent, type Finding, type Judgement, type RecordedGame, type ReportEvent } from "./api";
import { read, written } from "./link";
import { empty, inOrder, lineFrom, lineTo, movesTo, movetext, promoted, received, removed, ROOT, withMove, type Tree } from "./tree";

/**
 * A game that somebody looks into: its moves and variations, where they look, and what the server has found out. It
 * thinks about one position and one game at a time; what is no longer wanted is ended.
 */

/** Who steps quickly through a game does not ask about every position. */
const HESITATION = 200;
const LINES = 3;
const SECONDS = 15;

export interface Source {
  game: Game;
  options: Record<string, string>;
  start: string | null;
  tree: Tree;
  at: number;
  winner: Player | null;
}

export class AnalysedGame {
  readonly game: Game;
  readonly options: Record<string, string>;
  readonly start: string | null;
  tree = $state.raw<Tree>(empty());
  at = $state(ROOT);
  geometry = $state.raw<Geometry>()!;
  view = $state.raw<View | null>(null);
  /** The ply of the view that is shown, which may still be that of the position before. */
  ply = $state(0);
  pending = $state.raw<Move | null>(null);
  problem = $state.raw<Text | null>(null);

  thinking = $state(true);
  working = $state(false);
  findings = $state.raw<ReadonlyMap<number, Finding>>(new Map());

  /** The nodes that the report is about, by ply. */
  reported = $state.raw<number[]>([]);
  judgements = $state.raw<Judgement[]>([]);
  /** The ply of the move that brought the end nearest, in a game that was lost from its beginning. */
  hastened = $state<number | null>(null);
  /** The game in a few sentences, once everything is known of it. */
  words = $state.raw<Text[]>([]);
  reporting = $state(false);
  /** Whether what should have been played at the turning point may be told: somebody found it, or asks for it. */
  mayTell = $state(false);

  readonly winner: Player | null;
  /** The player whose own game this is, if it is one. */
  you = $state<Player | null>(null);
  /** What the players are called, where that is known. */
  names = $state.raw<Record<Player, string> | null>(null);
  #views = new Map<number, View>();
  #looking: AbortController | null = null;
  #reporting: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ game, options, start, tree, at, winner }: Source) {
    this.game = game;
    this.options = options;
    this.start = start;
    this.tree = tree;
    this.at = at;
    this.winner = winner;
    this.geometry = game.geometry;
  }

  static async fromLink(fragment: string, games: Game[]): Promise<AnalysedGame | null> {
    const linked = read(fragment);
    const game = games.find(({ id }) => id === linked?.game);
    if (!linked || !game) return null;
    const { options, start, nodes, at, winner } = linked;
    const checked = await api.check({ game: game.id, options, position: start }, nodes);
    return new AnalysedGame({ game, options, start, tree: received(checked.nodes), at, winner });
  }

  static fromRecord(record: RecordedGame, games: Game[]): AnalysedGame | null {
    const game = games.find(({ id }) => id === record.game);
    if (!game) return null;
    const { options, position, nodes, outcome, tags } = record;
    const opened = new AnalysedGame({ game, options, start: position, tree: received(nodes), at: ROOT, winner: outcome?.winner ?? null });
    if (tags.Player1 && tags.Player2) opened.names = { 1: tags.Player1, 2: tags.Player2 };
    return opened;
  }

  playerName(player: Player): string {
    return this.names?.[player] ?? colourName(this.view ?? this.game.preview, player);
  }

  /** Who made a move of the game that was reported on. */
  moverName(ply: number): string {
    return this.playerName(this.tree.get(this.reported[ply]!)!.player);
  }

  // -- where one looks ----------------------------------------------------------------------------------------------

  get main(): number[] {
    return lineFrom(this.tree, ROOT);
  }

  get line(): number[] {
    return lineTo(this.tree, this.at);
  }

  get position() {
    return { ...this.base, moves: movesTo(this.tree, this.at) };
  }

  get base() {
    return { game: this.game.id, options: this.options, position: this.start };
  }

  get fragment(): string {
    const at = this.at === ROOT ? 0 : inOrder(this.tree).indexOf(this.at) + 1;
    return written({ ...this.base, start: this.start, moves: movetext(this.tree), at, winner: this.winner });
  }

  async look(id: number): Promise<void> {
    this.at = id;
    this.problem = null;
    this.#endLooking();
    try {
      const view = await this.#viewOf(id);
      if (this.at !== id) return;
      this.view = view;
      this.ply = this.tree.get(id)!.ply;
      this.#think();
    } catch (error) {
      if (this.at === id) this.problem = reason(error);
    }
  }

  back(): void {
    if (this.at !== ROOT) void this.look(this.tree.get(this.at)!.parent);
  }

  forward(): void {
    const [next] = this.tree.get(this.at)!.children;
    if (next !== undefined) void this.look(next);
  }

  toEnd(): void {
    void this.look(lineFrom(this.tree, this.at).at(-1)!);
  }

  async play(text: string): Promise<void> {
    if (!this.view || this.pending) return;
    this.pending = this.view.moves.find((move) => move.text === text) ?? null;
    const [tree, id] = withMove(this.tree, this.at, text, this.view.turn);
    const before = this.tree;
    this.tree = tree;
    await this.look(id);
    this.pending = null;
    if (this.problem) {
      const problem: Text | null = this.problem;
      this.tree = before;
      await this.look(before.has(id) ? id : tree.get(id)!.parent);
      this.problem = problem;
    }
  }

  remove(id: number): void {
    const { parent } = this.tree.get(id)!;
    const isHere = this.line.includes(id);
    this.tree = removed(this.tree, id);
    // A number may be given again, to another move.
    for (const known of [...this.#views.keys()]) if (!this.tree.has(known)) this.#views.delete(known);
    this.findings = new Map([...this.findings].filter(([known]) => this.tree.has(known)));
    this.#checkReport();
    if (isHere) void this.look(parent);
  }

  promote(id: number): void {
    this.tree = promoted(this.tree, id);
    this.#checkReport();
  }

  async #viewOf(id: number): Promise<View> {
    const known = this.#views.get(id);
    if (known) return known;
    // The whole line from the start: rules that look back (repetition, cycles, limits) need all of it.
    const found = await site.position(this.game.id, this.options, this.start, movesTo(this.tree, id));
    if (this.geometry.cells.length !== found.geometry.cells.length) this.geometry = found.geometry;
    this.#views.set(id, found.view);
    return found.view;
  }

  // -- what the server thinks ---------------------------------------------------------------------------------------

  /** Begins or ends thinking about the positions looked at. */
  set engine(wanted: boolean) {
    this.thinking = wanted;
    if (wanted) this.#think();
    else this.#endLooking();
  }

  #endLooking(): void {
    clearTimeout(this.#timer);
    this.#looking?.abort();
    this.#looking = null;
    this.working = false;
  }

  /** Begins to think about the position looked at, unless that is being done. */
  #think(): void {
    const id = this.at;
    if (this.working) return;
    if (!this.thinking || this.#views.get(id)?.outcome || this.findings.get(id)?.exact) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(id), HESITATION);
  }

  async #ask(id: number): Promise<void> {
    const looking = (this.#looking = new AbortController());
    this.working = true;
    try {
      const body = { ...this.position, lines: LINES, seconds: SECONDS };
      for await (const event of events<AnalysisEvent>("/analyses", body, looking.signal)) {
        if (this.#looking !== looking) return;
        if (event.type === "error") this.problem = sentence(event.text);
        else this.#learn(id, event);
      }
    } catch (error) {
      if (this.#looking === looking) this.problem = reason(error);
    } finally {
      if (this.#looking === looking) this.working = false;
    }
  }

  #learn(id: number, finding: Finding): void {
    // What is proven stays so.
    if (this.findings.get(id)?.exact && !finding.exact) return;
    this.findings = new Map(this.findings).set(id, finding);
  }

  /** A report is about the main line; when that changes, it is about nothing. */
  #checkReport(): void {
    const { main } = this;
    if (this.reported.some((id, ply) => main[ply] !== id)) this.#forgetReport();
  }

  #forgetReport(): void {
    this.#reporting?.abort();
    this.#reporting = null;
    this.reporting = false;
    this.reported = [];
    this.judgements = [];
    this.hastened = null;
    this.words = [];
    this.mayTell = false;
  }

  /** Judges every move of the main line. */
  async report(): Promise<void> {
    this.#forgetReport();
    this.#endLooking();
    const asked = (this.#reporting = new AbortController());
    const nodes = (this.reported = this.main);
    this.reporting = true;
    try {
      const body = { ...this.base, moves: movesTo(this.tree, nodes.at(-1)!), winner: this.winner };
      for await (const event of events<ReportEvent>("/reports", body, asked.signal)) {
        if (this.#reporting !== asked) return;
        if (event.type === "position") this.#learn(nodes[event.ply]!, event);
        else if (event.type === "verdict") {
          if (!this.judgements.length) this.#think();
          this.judgements = event.moves;
          this.hastened = event.hastened;
          this.words = event.words;
        } else this.problem = sentence(event.text);
      }
    } catch (error) {
      if (this.#reporting === asked) this.problem = reason(error);
    } finally {
      if (this.#reporting === asked) {
        this.reporting = false;
        this.#think();
      }
    }
  }

  /** What was said of the move that led to a node. */
  judgementOf(id: number): Judgement | null {
    const ply = this.reported.indexOf(id);
    return ply > 0 ? (this.judgements[ply - 1] ?? null) : null;
  }

  /** The move that decided the game. */
  get losing(): Judgement | null {
    return this.judgements.find(({ loses }) => loses) ?? null;
  }

  /** The move that decided the game, if it is proven that there was a better one: that is asked as a task. */
  get turningPoint(): Judgement | null {
    return this.losing?.fault?.startsWith("threw_") ? this.losing : null;
  }

  /** What should have been played, unless that is still asked. */
  better(judged: Judgement): string | null {
    return judged === this.turningPoint && !this.mayTell ? null : judged.better;
  }

  /** Whether one looks at the position that is asked about: then the best moves are not shown either. */
  get isAsked(): boolean {
    const point = this.turningPoint;
    return point !== null && !this.mayTell && this.at === this.reported[point.ply - 1];
  }

  close(): void {
    this.#endLooking();
    this.#reporting?.abort();
    this.#reporting = null;
  }
}
