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

export interface SheetWish {
  lessons: string[];
  count: number;
  seed: number;
}

export type Question = OfAnyGame<QuestionBody>;

export type NewSet = Partial<SetBody> & { name: string };

const classPath = (id: string): string => `/classes/${encodeURIComponent(id)}`;
const setPath = (id: string): string => `/sets/${encodeURIComponent(id)}`;
const votePath = (id: string): string => `/votes/${encodeURIComponent(id)}`;

export const voteQr = (id: string): string => `${API}${votePath(id)}/qr.svg`;

export const teaching = {
  worksheet: (game: string, { lessons, count, seed }: SheetWish) =>
    ask<Worksheet>(
      "GET",
      `/worksheets/${encodeURIComponent(game)}?${new URLSearchParams([
        ...lessons.map((name): [string, string] => ["lessons", name]),
        ["count", String(count)],
        ["seed", String(seed)],
      ])}`,
    ),
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
