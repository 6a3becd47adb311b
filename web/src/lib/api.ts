import { MESSAGES } from "./catalogue";
import { sentence } from "./format";
import type { Answered, Mistakes, NewBot, NewMistake, NewSession, PointBody, Searched, Siblings } from "./schema";
import type {
  Bot,
  Dangers,
  Game,
  Nickname,
  OfAnyGame,
  PositionAnswer,
  Rules,
  Session,
  SessionList,
  SessionSettings,
  Site,
  Text,
  View,
} from "./types";

/** Where the server's API begins, of the version that this client speaks. */
export const API = "/api/v1";
export const SOCKETS = "/ws/v1";

/** The server's answer to something it would not do. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly text: Text,
  ) {
    super(text.en);
  }
}

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`${API}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refused(0, MESSAGES.no_answer);
  }
  const data: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const error = (data as { error?: { text?: Text } } | null)?.error;
    throw new Refused(answer.status, error?.text ?? MESSAGES.no_answer);
  }
  return data as T;
}

/** What was thrown, as something to show. */
export function reason(error: unknown): Text {
  if (!(error instanceof Refused)) return MESSAGES.no_answer;
  return error.text === MESSAGES.no_answer ? error.text : sentence(error.text);
}

let games: Promise<Game[]> | undefined;

/** Addresses that are opened rather than asked. */
export const addressOf = {
  record: (id: string) => `${API}/sessions/${encodeURIComponent(id)}/record`,
  siteQr: `${API}/site/qr.svg`,
  qr: (id: string) => `${API}/sessions/${encodeURIComponent(id)}/qr.svg`,
};

const sessionPath = (id: string): string => `/sessions/${encodeURIComponent(id)}`;

export const api = {
  site: () => ask<Site>("GET", "/site"),
  me: () => ask<Nickname>("GET", "/me"),
  rename: (nickname: string) => ask<Nickname>("PUT", "/me", { nickname }),
  /** The games do not change while a page is open, so they are asked for once. */
  games: () =>
    (games ??= ask<Game[]>("GET", "/games").catch((error: unknown) => {
      games = undefined;
      throw error;
    })),
  mathematics: (game: string, language: string) => ask<Rules>("GET", `/games/${encodeURIComponent(game)}/mathematics/${language}`),
  rules: (game: string, language: string) => ask<Rules>("GET", `/games/${encodeURIComponent(game)}/rules/${language}`),
  position: (game: string, options: Record<string, string>, position: string | null, moves: string[]) =>
    ask<PositionAnswer>("POST", "/positions", { game, options, position, moves }),
  create: (settings: SessionSettings) => ask<NewSession>("POST", "/sessions", settings),
  session: (id: string) => ask<Session>("GET", sessionPath(id)),
  join: (id: string) => ask<Session>("POST", `${sessionPath(id)}/join`),
  at: (id: string, ply: number) => ask<View>("GET", `${sessionPath(id)}/at/${ply}`),
  dangers: (id: string) => ask<Dangers>("GET", `${sessionPath(id)}/dangers`),
  mine: async () => (await ask<SessionList>("GET", "/sessions")).sessions,
  erase: (id: string) => ask<unknown>("DELETE", sessionPath(id)),
  mistakes: () => ask<Mistakes>("GET", "/mistakes"),
  searchMistakes: () => ask<Searched>("POST", "/mistakes/search"),
  keepMistake: (point: OfAnyGame<PointBody>) => ask<NewMistake>("POST", "/mistakes", point),
  answerMistake: (id: number, mistakes: number) => ask<Answered>("POST", `/mistakes/${id}/answers`, { mistakes }),
  siblings: (id: number) => ask<Siblings>("GET", `/mistakes/${id}/siblings`),
  removeMistake: (id: number) => ask<unknown>("DELETE", `/mistakes/${id}`),
  bots: () => ask<Bot[]>("GET", "/bots"),
  makeBot: (name: string) => ask<NewBot>("POST", "/bots", { name }),
  revokeBot: (id: number) => ask<unknown>("DELETE", `/bots/${id}`),
};
