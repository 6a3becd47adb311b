import { API, ask } from "../lib/api";
import type { QuestionBody, VoteView, Worksheet } from "../lib/schema";
import type { OfAnyGame } from "../lib/types";

/** What the pages of teachers ask of the server. */

export interface SheetWish {
  lessons: string[];
  count: number;
  seed: number;
}

export type Question = OfAnyGame<QuestionBody>;

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
  beginVote: (classId: string) => ask<VoteView>("POST", `/classes/${encodeURIComponent(classId)}/votes`),
  joinVote: (code: string) => ask<VoteView>("POST", "/votes/join", { code }),
  showVote: (id: string) => ask<VoteView>("GET", votePath(id)),
  askVote: (id: string, question: Question) => ask<VoteView>("POST", `${votePath(id)}/questions`, question),
  vote: (id: string, number: number, choice: string) => ask<VoteView>("POST", `${votePath(id)}/votes`, { number, choice }),
  actVote: (id: string, act: "close" | "reveal" | "end") => ask<VoteView>("POST", `${votePath(id)}/${act}`),
};
