import { ask } from "../lib/api";
import type { GameLessons, LessonPage, Overlay, TaskAnswer, Why } from "../lib/schema";
import type { Cell } from "../lib/types";

export interface AttemptBody {
  acts: string[];
  seed: number;
  given: string | null;
  /** Whether the server remembers what comes of it. */
  keep: boolean;
}

const path = (ref: string): string => `/tasks/${ref.split("/").map(encodeURIComponent).join("/")}`;

export const learning = {
  /** `seed` decides what the opponent plays where that is left to chance. */
  task: (ref: string, seed: number) => ask<TaskAnswer>("GET", `${path(ref)}?seed=${seed}`),
  attempt: (ref: string, body: AttemptBody) => ask<TaskAnswer>("POST", `${path(ref)}/attempts`, body),
  lessons: () => ask<GameLessons[]>("GET", "/lessons"),
  lesson: (game: string, name: string, language: string) =>
    ask<LessonPage>("GET", `/lessons/${encodeURIComponent(game)}/${encodeURIComponent(name)}/${language}`),
  live: (game: string, options: Record<string, string>, position: string, moves: string[], live: string[]) =>
    ask<Overlay>("POST", "/live", { game, options, position, moves, live }),
  /** Why a move cannot be made: by the cells touched, or as somebody writes it. */
  why: (game: string, options: Record<string, string>, position: string, tried: { cells: Cell[] } | { move: string }) =>
    ask<Why>("POST", "/positions/why", { game, options, position, ...tried }),
};
