import { MESSAGES } from "./catalogue";
import type { Bot, Game, Geometry, NewSession, Session, SessionSummary, Rules, Text, View } from "./types";

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
    answer = await fetch(`/api${path}`, {
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
  return error instanceof Refused ? error.text : MESSAGES.no_answer;
}

let games: Promise<Game[]> | undefined;

export const api = {
  me: () => ask<{ nickname: string | null }>("GET", "/me"),
  rename: (nickname: string) => ask<{ nickname: string | null }>("PUT", "/me", { nickname }),
  /** The games do not change while a page is open, so they are asked for once. */
  games: () => (games ??= ask<Game[]>("GET", "/games").catch((error: unknown) => ((games = undefined), Promise.reject(error)))),
  rules: (game: string, language: string) => ask<Rules>("GET", `/games/${encodeURIComponent(game)}/rules/${language}`),
  position: (game: string, options: Record<string, string>, position: string | null, play: string[]) =>
    ask<{ geometry: Geometry; view: View }>("POST", "/positions", { game, options, position, play }),
  create: (session: NewSession) => ask<{ id: string }>("POST", "/plays", session),
  session: (id: string) => ask<Session>("GET", `/plays/${encodeURIComponent(id)}`),
  join: (id: string) => ask<Session>("POST", `/plays/${encodeURIComponent(id)}/join`),
  at: (id: string, ply: number) => ask<View>("GET", `/plays/${encodeURIComponent(id)}/at/${ply}`),
  mine: () => ask<SessionSummary[]>("GET", "/plays"),
  erase: (id: string) => ask<void>("DELETE", `/plays/${encodeURIComponent(id)}`),
  bots: () => ask<Bot[]>("GET", "/bots"),
  makeBot: (name: string) => ask<Bot & { token: string }>("POST", "/bots", { name }),
  revokeBot: (id: number) => ask<void>("DELETE", `/bots/${id}`),
};
