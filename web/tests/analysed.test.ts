import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { events } from "../src/analysis/api";
import { AnalysedGame } from "../src/analysis/analysed.svelte";
import { empty, lineFrom, withMove, ROOT } from "../src/analysis/tree";
import type { Game, View } from "../src/lib/types";

/** A question that the server answers bit by bit. */
class Asked {
  ended = false;
  #tell!: ReadableStreamDefaultController<Uint8Array>;
  readonly answer: Response;

  constructor(
    readonly path: string,
    signal: AbortSignal | null | undefined,
  ) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#tell = controller;
      },
      cancel: () => {
        this.ended = true;
      },
    });
    signal?.addEventListener("abort", () => {
      this.ended = true;
    });
    this.answer = new Response(body);
  }

  tell(event: object): void {
    this.#tell.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  }

  close(): void {
    this.#tell.close();
  }
}

const view = { position: "x", outcome: null } as unknown as View;
const geometry = { cells: [] } as unknown as Game["geometry"];
const finding = { turn: 1, score: { worth: null, plies: null, points: 0, chance: 0.5 }, lines: [], exact: false };

let asked: Asked[] = [];
/** The moves of each position that was asked for. */
let lines: string[][] = [];

function fetched(path: string, init?: RequestInit): Promise<Response> {
  if (path === "/api/v1/positions") lines.push((JSON.parse(init!.body as string) as { moves: string[] }).moves);
  if (path === "/api/v1/positions") return Promise.resolve(new Response(JSON.stringify({ geometry, view })));
  asked.push(new Asked(path, init?.signal));
  return Promise.resolve(asked.at(-1)!.answer);
}

const settle = () => vi.advanceTimersByTimeAsync(1000);
const running = (path: string) => asked.filter((one) => one.path === path && !one.ended);

beforeEach(() => {
  asked = [];
  lines = [];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function analysed(): AnalysedGame {
  let tree = empty();
  let at = ROOT;
  for (const text of ["a1", "a2", "a3"]) [tree, at] = withMove(tree, at, text, 1);
  const game = { id: "hex", geometry } as Game;
  return new AnalysedGame({ game, options: {}, start: null, tree, at: ROOT, winner: null });
}

describe("an analysed game", () => {
  it("thinks about one position at a time, also when a report ends meanwhile", async () => {
    const one = analysed();
    void one.report();
    await settle();
    const report = running("/api/v1/reports")[0]!;
    report.tell({ type: "verdict", moves: [], losing: null, hastened: null, done: false });
    await settle();
    await one.look(lineFrom(one.tree, ROOT)[1]!);
    await settle();
    expect(running("/api/v1/analyses")).toHaveLength(1);
    report.close();
    await settle();
    expect(one.reporting).toBe(false);
    expect(running("/api/v1/analyses")).toHaveLength(1);
    expect(one.working).toBe(true);
    await one.look(lineFrom(one.tree, ROOT)[2]!);
    await settle();
    expect(running("/api/v1/analyses")).toHaveLength(1);
    one.close();
    expect(running("/api/v1/analyses")).toHaveLength(0);
  });

  it("asks for every position by the whole line that leads to it", async () => {
    const one = analysed();
    for (const id of lineFrom(one.tree, ROOT)) await one.look(id);
    one.back();
    expect(lines).toEqual([[], ["a1"], ["a1", "a2"], ["a1", "a2", "a3"]]);
    one.close();
  });

  it("thinks on after a report, about the position looked at", async () => {
    const one = analysed();
    void one.report();
    await settle();
    expect(running("/api/v1/analyses")).toHaveLength(0);
    running("/api/v1/reports")[0]!.close();
    await settle();
    expect(running("/api/v1/analyses")).toHaveLength(1);
  });

  it("learns what it is told until it has heard enough", async () => {
    const one = analysed();
    await one.look(ROOT);
    await settle();
    const question = running("/api/v1/analyses")[0]!;
    question.tell({ type: "position", ...finding, done: false, seconds: 1 });
    await settle();
    expect(one.findings.get(ROOT)?.score.chance).toBe(0.5);
    question.close();
    await settle();
    expect(one.working).toBe(false);
  });

  it("does not tell what it asks, until somebody found it or wants to know", async () => {
    const one = analysed();
    void one.report();
    await settle();
    const judged = (ply: number, fault: string | null, loses: boolean) => ({ ply, player: 1, move: "a1", fault, loses, better: "b2", gave: 1 });
    const moves = [judged(1, "threw_win", false), judged(2, null, false), judged(3, "threw_win", true)];
    running("/api/v1/reports")[0]!.tell({ type: "verdict", moves, losing: 3, hastened: null, words: [], done: false });
    await settle();
    expect(one.judgements.map((each) => one.better(each))).toEqual(["b2", "b2", null]);
    await one.look(one.reported[2]!);
    expect(one.isAsked).toBe(true);
    await one.look(one.reported[1]!);
    expect(one.isAsked).toBe(false);
    one.mayTell = true;
    expect(one.better(one.judgements[2]!)).toBe("b2");
    void one.report();
    expect(one.mayTell).toBe(false);
  });
});

it("tells the server when nobody listens any more", async () => {
  for await (const event of listened()) {
    expect(event).toEqual({ number: 1 });
    break;
  }
  await settle();
  expect(asked[0]!.ended).toBe(true);
});

async function* listened(): AsyncGenerator<object> {
  const stream = events<object>("/analyses", {}, new AbortController().signal);
  queueMicrotask(() => asked[0]!.tell({ number: 1 }));
  yield* stream;
}
