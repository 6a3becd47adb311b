import { API, ask } from "../lib/api";
import type {
  ClassSet,
  PupilLearnt,
  QuestionBody,
  SetBody,
  SetChoices,
  SetLine,
  SetList,
  SetResults,
  SetView,
  VoteView,
  Worksheet,
} from "../lib/schema";
import type { OfAnyGame } from "../lib/types";

/** What the pages of teachers ask of the server. */

/** Which puzzles: of a theme (none where it is empty), as hard as from `low` to `high`. */
export interface PuzzleWish {
  theme: string;
  low: number;
  high: number;
}

export interface SheetWish {
  /** Names of lessons, or which puzzles. */
  of: string[] | PuzzleWish;
  count: number;
  seed: number;
}

/** Any puzzle at all. */
export const ANY: PuzzleWish = { theme: "", low: 0, high: 9999 };

function asked({ of, count, seed }: SheetWish): URLSearchParams {
  const query = new URLSearchParams({ count: String(count), seed: String(seed) });
  if (Array.isArray(of)) for (const name of of) query.append("lessons", name);
  else {
    query.set("of", "puzzles");
    query.set("low", String(of.low));
    query.set("high", String(of.high));
    if (of.theme) query.set("theme", of.theme);
  }
  return query;
}

export type Question = OfAnyGame<QuestionBody>;

export type NewSet = Partial<SetBody> & { name: string };

const classPath = (id: string): string => `/classes/${encodeURIComponent(id)}`;
const setPath = (id: string): string => `/sets/${encodeURIComponent(id)}`;
const votePath = (id: string): string => `/votes/${encodeURIComponent(id)}`;

export const voteQr = (id: string): string => `${API}${votePath(id)}/qr.svg`;

export const teaching = {
  worksheet: (game: string, wish: SheetWish) => ask<Worksheet>("GET", `/worksheets/${encodeURIComponent(game)}?${asked(wish)}`),
  beginVote: (classId: string) => ask<VoteView>("POST", `${classPath(classId)}/votes`),
  joinVote: (code: string) => ask<VoteView>("POST", "/votes/join", { code }),
  showVote: (id: string) => ask<VoteView>("GET", votePath(id)),
  askVote: (id: string, question: Question) => ask<VoteView>("POST", `${votePath(id)}/questions`, question),
  vote: (id: string, number: number, choice: string) => ask<unknown>("POST", `${votePath(id)}/votes`, { number, choice }),
  actVote: (id: string, act: "close" | "reveal" | "end") => ask<VoteView>("POST", `${votePath(id)}/${act}`),
  sets: () => ask<SetList>("GET", "/sets"),
  setChoices: (game: string) => ask<SetChoices>("GET", `/sets/choices/${encodeURIComponent(game)}`),
  makeSet: (body: NewSet) => ask<SetLine>("POST", "/sets", body),
  showSet: (id: string) => ask<SetView>("GET", setPath(id)),
  removeSet: (id: string) => ask<unknown>("DELETE", setPath(id)),
  classSets: (classId: string) => ask<ClassSet[]>("GET", `${classPath(classId)}/sets`),
  give: (classId: string, id: string, until: string | null) => ask<unknown>("PUT", `${classPath(classId)}${setPath(id)}`, { until }),
  takeBack: (classId: string, id: string) => ask<unknown>("DELETE", `${classPath(classId)}${setPath(id)}`),
  results: (classId: string, id: string) => ask<SetResults>("GET", `${classPath(classId)}${setPath(id)}`),
  learnt: (classId: string) => ask<PupilLearnt[]>("GET", `${classPath(classId)}/learning`),
};
