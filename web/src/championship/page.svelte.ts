import { onMount } from "svelte";
import { reason } from "../lib/api";
import type { Text } from "../lib/types";
import { me } from "../people/me.svelte";
import { follow } from "./live";

/** A page of a championship: what it shows, which follows by itself, what can be done there, and what went wrong. Made while
 * the component is. */
export class CupPage<Shown> {
  shown = $state.raw<Shown | null>(null);
  problem = $state.raw<Text | null>(null);
  /** What the last thing done has to say; it puts that here. */
  told = $state.raw<Text[]>([]);
  isBusy = $state(false);
  readonly #look: () => Promise<Shown>;

  /** `place`: the championship, and the only group the page is about, if it is about one. */
  constructor(place: () => { id: string; group?: string }, look: () => Promise<Shown>) {
    this.#look = look;
    onMount(() => {
      void me.load().catch(() => undefined);
      const { id, group } = place();
      return follow(id, group ?? null, this.load);
    });
  }

  readonly load = async (): Promise<void> => {
    try {
      this.shown = await this.#look();
      this.problem = null;
    } catch (error) {
      this.problem = reason(error);
    }
  };

  /** Do something and look again. Whether it could be done. */
  readonly act = async (work: () => Promise<unknown>): Promise<boolean> => {
    this.problem = null;
    this.told = [];
    this.isBusy = true;
    try {
      await work();
      this.shown = await this.#look();
      return true;
    } catch (error) {
      this.problem = reason(error);
      return false;
    } finally {
      this.isBusy = false;
    }
  };
}
