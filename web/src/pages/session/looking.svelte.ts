import { api, reason } from "../../lib/api";
import type { SessionConnection } from "../../lib/connection.svelte";
import type { View } from "../../lib/types";
import type { Looked } from "./state";

/** Stepping through the positions of a game that goes on or is over. */
export class Looking {
  looked = $state.raw<Looked | null>(null);
  /** The ply asked for, which may not have come yet; null for the present. */
  #wanted: number | null = null;
  /** Positions by the moves that lead to them. */
  #views: Record<string, View> = {};

  constructor(private readonly connection: SessionConnection) {}

  /** The position after so many moves, from which steps go on. */
  get ply(): number {
    return this.#wanted ?? this.connection.session.history.length;
  }

  async view(ply: number): Promise<View> {
    const { history, id } = this.connection.session;
    const key = history.slice(0, ply).map(({ text }) => text).join(" ");
    return (this.#views[key] ??= await api.at(id, ply));
  }

  async to(ply: number): Promise<void> {
    if (ply >= this.connection.session.history.length) {
      this.back();
      return;
    }
    const wanted = (this.#wanted = Math.max(0, ply));
    try {
      const view = await this.view(wanted);
      if (this.#wanted === wanted) this.looked = { ply: wanted, view };
    } catch (error) {
      this.back();
      this.connection.problem = reason(error);
    }
  }

  back(): void {
    this.#wanted = this.looked = null;
  }
}
