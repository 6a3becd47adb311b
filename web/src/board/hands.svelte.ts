import type { Cell, Move, Point } from "../lib/types";
import { DIRECTIONS } from "./cursor";
import type { Layout } from "./layout";
import { fulfilled, NO_PLAN, planned } from "./plan";
import { hasGrip, type Offer } from "./selection";
import type { Stage } from "./stage.svelte";
import { choose, type Done, IDLE, letGo, lift, press, pull, settle, walk } from "./state";

/** What the hands that play on a board are told, and whom they tell. */
export interface Table {
  offers: () => Offer[];
  drawn: () => Layout;
  stage: Stage;
  /** The own pieces of somebody who may plan a move now. */
  planning: () => ReadonlySet<Cell> | null;
  onmove: (move: Move) => void;
  /** Cells were touched that make no move. */
  onmiss: (cells: Cell[]) => void;
}

/** Fingers, mouse and keys on a board: events become changes of a `Hand`. */
export class Hands {
  hand = $state.raw(IDLE);
  plan = $state.raw(NO_PLAN);
  #root: SVGSVGElement | null = null;

  constructor(readonly table: Table) {}

  /** Watches the board's element. A finger that comes down on what can be dragged drags, elsewhere it scrolls. Only
   * this event can say so: browsers ignore `touch-action` on parts of an SVG. */
  watch = (root: SVGSVGElement): (() => void) => {
    this.#root = root;
    const touchStart = (event: TouchEvent): void => {
      const [finger] = event.touches;
      const cell = finger && event.touches.length === 1 ? this.#cellAt(finger) : null;
      if (cell === null || !event.cancelable) return;
      if (hasGrip(this.table.offers(), this.hand.picked, cell) || this.table.planning()?.has(cell)) event.preventDefault();
    };
    root.addEventListener("touchstart", touchStart, { passive: false });
    return () => root.removeEventListener("touchstart", touchStart);
  };

  /** After a change of what is offered. */
  settle(cells: number): void {
    const offers = this.table.offers();
    this.hand = settle(this.hand, offers, cells);
    if (!offers.length || !this.plan.cells.length) return;
    const { plan } = this;
    this.plan = NO_PLAN;
    const move = fulfilled(plan, offers);
    if (move) this.table.onmove(move);
    else if (plan.isWhole) this.table.onmiss(plan.cells);
  }

  letGo(): void {
    this.hand = letGo(this.hand);
  }

  reach(cell: Cell): void {
    this.hand = { ...this.hand, cursor: cell };
  }

  choose(cell: Cell): void {
    const own = this.table.planning();
    if (own) this.plan = planned(this.plan, own, cell);
    else this.#done(choose(this.hand, this.table.offers(), cell));
  }

  pointerDown = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const { stage } = this.table;
    const isSowing = stage.isSowing;
    stage.skip();
    // A touch that ends a long way of seeds only does that: it is no move in a position not seen yet.
    if (isSowing) return;
    this.hand = press(this.hand, this.table.offers(), this.#cellAt(event), [event.clientX, event.clientY]);
    // A touch keeps its first element as target; letting go of it makes the cell under the finger findable.
    if (this.#root?.hasPointerCapture(event.pointerId)) this.#root.releasePointerCapture(event.pointerId);
  };

  pointerMove = (event: PointerEvent): void => {
    if (!this.hand.drag || !this.#root) return;
    const scale = this.table.drawn().box.width / this.#root.getBoundingClientRect().width;
    this.hand = pull(this.hand, [event.clientX, event.clientY], this.#cellAt(event), scale);
  };

  pointerUp = (event: PointerEvent): void => {
    const { drag } = this.hand;
    if (!drag) return;
    const cell = this.#cellAt(event);
    if (this.table.planning()) {
      if (drag.moved && cell !== null && cell !== drag.cell) this.choose(drag.cell);
      if (cell !== null) this.choose(cell);
      this.hand = { ...this.hand, drag: null };
    } else this.#done(lift(this.hand, this.table.offers(), cell));
  };

  pointerCancel = (): void => {
    this.hand = { ...this.hand, drag: null };
  };

  keyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const way = DIRECTIONS[event.key];
    if (way) {
      const centres = this.table.drawn().centres.map(([x, y]): Point => [x / 100, y / 100]);
      this.hand = walk(this.hand, centres, way);
      this.#root?.querySelector<SVGElement>(`[data-cell="${this.hand.cursor}"]`)?.focus({ preventScroll: true });
    } else if (event.key === "Enter" || event.key === " ") {
      this.table.stage.skip();
      this.choose(this.hand.cursor);
    } else if (event.key === "Escape" && (this.hand.picked.length || this.plan.cells.length)) {
      this.letGo();
      this.plan = NO_PLAN;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  #done({ hand, move, missed }: Done): void {
    this.hand = hand;
    if (move) this.table.onmove(move);
    else if (missed) this.table.onmiss(missed);
  }

  #cellAt({ clientX, clientY }: { clientX: number; clientY: number }): Cell | null {
    const element = document.elementFromPoint(clientX, clientY)?.closest<SVGElement>("[data-cell]");
    return element && this.#root?.contains(element) ? Number(element.dataset.cell) : null;
  }
}
