import { ask, Refused } from "../lib/api";
import { MESSAGES } from "../lib/catalogue";
import type { Cell, Geometry, Outcome, Piece, Player, Text, View } from "../lib/types";
import type { SentNode } from "./tree";

export interface Score {
  worth: "win" | "draw" | "loss" | null;
  plies: number | null;
  points: number;
  chance: number;
}

export interface FoundLine {
  score: Score;
  moves: string[];
  clicks: Cell[];
}

/** What is known of a position; scores are for the player to move. */
export interface Finding {
  turn: Player;
  score: Score;
  lines: FoundLine[];
  exact: boolean;
  over: boolean;
  depth: number;
  nodes: number;
}

export type Fault = "inaccuracy" | "mistake" | "blunder" | "threw_win" | "threw_draw";

export interface Judgement {
  ply: number;
  player: Player;
  move: string;
  fault: Fault | null;
  gave: number;
  better: string | null;
  loses: boolean;
}

export type AnalysisEvent = ({ type: "position"; done: boolean; seconds: number } & Finding) | Trouble;
export type ReportEvent =
  | ({ type: "position"; ply: number } & Finding)
  | { type: "verdict"; moves: Judgement[]; losing: number | null; hastened: number | null; done: boolean }
  | Trouble;
interface Trouble {
  type: "error";
  text: Text;
}

export interface RecordedGame {
  game: string;
  options: Record<string, string>;
  position: string | null;
  tags: Record<string, string>;
  nodes: (SentNode & { player: Player })[];
  outcome: Outcome | null;
}

export interface SetupField {
  label: Text;
  choices: { value: string; name: Text }[];
  /** The names of the two numbers, where it is two numbers. */
  pair: [Text, Text] | null;
}

export interface Setup {
  geometry: Geometry;
  marks: View["marks"];
  pieces: Piece[];
  /** The symbol on each cell, `.` for none. */
  cells: string[];
  values: string[];
  fields: SetupField[];
}

export interface Position {
  game: string;
  options: Record<string, string>;
  position: string | null;
  play: string[];
}

type Base = Omit<Position, "play">;

export const api = {
  check: (base: Base, nodes: SentNode[]) => ask<RecordedGame>("POST", "/records/check", { ...base, nodes }),
  read: (text: string) => ask<{ games: RecordedGame[] }>("POST", "/records/read", { text }),
  write: (base: Base, nodes: SentNode[], format: string) =>
    askText("/records/write", { ...base, nodes, format }),
  record: (play: string) => getText(`/plays/${encodeURIComponent(play)}/record`),
  picture: (position: Position, how: object) => askText("/pictures", { ...position, ...how }),
  setup: (base: Base) => ask<Setup>("POST", "/setups", base),
  setUp: (game: string, options: Record<string, string>, cells: string[], values: string[]) =>
    ask<{ geometry: Geometry; view: View }>("POST", "/setups/position", { game, options, cells, values }),
};

function getText(path: string): Promise<string> {
  return text(fetch(`/api${path}`));
}

function askText(path: string, body: object): Promise<string> {
  return text(post(path, body));
}

function post(path: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`/api${path}`, {
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
