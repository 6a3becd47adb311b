import { addressOf, API, ask, Refused } from "../lib/api";
import { MESSAGES } from "../lib/catalogue";
import type { AnalysedPosition, Editor, EditorBody, JudgedMove, PositionBody, RecordedGame, Records } from "../lib/schema";
import type { OfAnyGame, PositionAnswer, Text } from "../lib/types";
import type { SentNode } from "./tree";

export type { AnalysisEvent, Editor, EditorField, RecordedGame, ReportEvent, Score } from "../lib/schema";

/** What is known of a position; scores are for the player to move. */
export type Finding = Omit<AnalysedPosition, "type" | "seconds" | "done">;
export type Judgement = JudgedMove;
export type Fault = NonNullable<JudgedMove["fault"]>;

type Base = OfAnyGame<EditorBody>;

export const api = {
  check: (base: Base, nodes: SentNode[]) => ask<RecordedGame>("POST", "/records/check", { ...base, nodes }),
  read: (text: string) => ask<Records>("POST", "/records/read", { text }),
  write: (base: Base, nodes: SentNode[], format: string) => askText("/records/write", { ...base, nodes, format }),
  record: (session: string) => text(fetch(addressOf.record(session))),
  picture: (position: OfAnyGame<PositionBody>, how: object) => askText("/pictures", { ...position, ...how }),
  editor: (base: Base) => ask<Editor>("POST", "/editor", base),
  edited: (game: string, options: Record<string, string>, cells: string[], values: string[]) =>
    ask<PositionAnswer>("POST", "/editor/position", { game, options, cells, values }),
};

function askText(path: string, body: object): Promise<string> {
  return text(post(path, body));
}

function post(path: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${API}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

async function text(asked: Promise<Response>): Promise<string> {
  return (await sound(asked)).text();
}

async function sound(asked: Promise<Response>): Promise<Response> {
  let answer: Response;
  try {
    answer = await asked;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(0, MESSAGES.no_answer);
  }
  if (answer.ok) return answer;
  const data = (await answer.json().catch(() => null)) as { error?: { text?: Text } } | null;
  throw new Refused(answer.status, data?.error?.text ?? MESSAGES.no_answer);
}

/** What the server tells while it thinks. Aborting the signal, or listening no longer, ends its thinking. */
export async function* events<T>(path: string, body: object, signal: AbortSignal): AsyncGenerator<T> {
  const answer = await sound(post(path, body, signal));
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let unread = "";
  let ended = false;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) {
        ended = true;
        return;
      }
      const parts = (unread + value).split("\n\n");
      unread = parts.pop()!;
      for (const part of parts) yield JSON.parse(part.replace(/^data: /, "")) as T;
    }
  } finally {
    if (!ended) await reader.cancel();
  }
}
