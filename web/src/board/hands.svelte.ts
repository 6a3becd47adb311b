import type { Cell, Move, Point } from "../lib/types";
import { DIRECTIONS } from "./cursor";
import type { Layout } from "./layout";
import { fulfilled, NO_PLAN, planned, queued } from "./plan";
import { hasGrip, isOpen, type Offer } from "./selection";
import type { Stage } from "./stage.svelte";
import { choose, type Done, IDLE, letGo, lift, press, pull, settle, walk } from "./state";

/** What the hands that play on a board are told, and whom they tell. */
export interface Table {
  offers: () => Offer[];
  /** What will be offered once the seeds that are on their way have arrived. */
  coming: () => Offer[];
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
  /** Only moves that name several pieces are offered, until one is made. */
  isPickingTogether = $state(false);
  /** The plan was made while seeds were on their way, for the position to which they lead and no other. */
  #isQueued = false;
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
    // A plan that is half made goes on as a move that is half made.
    else if (isOpen(offers, plan.cells)) this.hand = { ...this.hand, picked: plan.cells };
  }

  /** Another position is shown. */
  change(): void {
    this.letGo();
    if (this.#isQueued) this.plan = NO_PLAN;
  }

  letGo(): void {
    this.hand = letGo(this.hand);
    this.isPickingTogether = false;
  }

  pickTogether(): void {
    this.isPickingTogether = !this.isPickingTogether;
  }

  reach(cell: Cell): void {
    this.hand = { ...this.hand, cursor: cell };
  }

  choose(cell: Cell): void {
    const own = this.table.planning();
    this.#isQueued = !own && this.table.stage.isSowing;
    if (own) this.plan = planned(this.plan, own, cell);
    else if (this.#isQueued) this.#queue(cell);
    else this.#done(choose(this.hand, this.table.offers(), cell));
  }

  /** A cell is chosen before the seeds have arrived: the move is made when they have. A cell that can mean no move only
   * ends the wait. */
  #queue(cell: Cell): void {
    const plan = queued(this.plan, this.table.coming(), cell);
    if (plan) this.plan = plan;
    else this.table.stage.skip();
  }

  /** Whether a touch on this cell is heard while seeds are on their way. */
  #isHeard(cell: Cell | null): boolean {
    return cell !== null && (this.table.planning() !== null || queued(this.plan, this.table.coming(), cell) !== null);
  }

  pointerDown = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const { stage } = this.table;
    const cell = this.#cellAt(event);
    // Who chooses while seeds are on their way still sees them arrive; any other touch ends the wait, and does no more.
    const isHeard = !stage.isSowing || this.#isHeard(cell);
    if (!stage.isSowing || !isHeard) stage.skip();
    if (!isHeard) return;
    this.hand = press(this.hand, this.table.offers(), cell, [event.clientX, event.clientY]);
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
    } else if (this.table.stage.isSowing) {
      this.choose(drag.cell);
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
      if (!this.table.stage.isSowing) this.table.stage.skip();
      this.choose(this.hand.cursor);
    } else if (event.key === "Escape" && (this.hand.picked.length || this.plan.cells.length || this.isPickingTogether)) {
      this.letGo();
      this.plan = NO_PLAN;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  #done({ hand, move, missed }: Done): void {
    this.hand = hand;
    if (move) this.isPickingTogether = false;
    if (move) this.table.onmove(move);
    else if (missed) this.table.onmiss(missed);
  }

  #cellAt({ clientX, clientY }: { clientX: number; clientY: number }): Cell | null {
    const element = document.elementFromPoint(clientX, clientY)?.closest<SVGElement>("[data-cell]");
    return element && this.#root?.contains(element) ? Number(element.dataset.cell) : null;
  }
}
