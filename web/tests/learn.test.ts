import { beforeEach, describe, expect, it, vi } from "vitest";
import { type AttemptBody, learning } from "../src/learn/api";
import { TaskAttempt } from "../src/learn/attempt.svelte";
import { firstOpen, isAllDone, type LessonBlock, partsOf } from "../src/learn/parts";
import { nextLesson } from "../src/learn/progress";
import type { GameLessons, TaskAnswer, TaskVerdict } from "../src/lib/schema";
import type { Move, View } from "../src/lib/types";

const text = (words: string): LessonBlock => ({ type: "paragraph", text: [{ text: words, style: "plain" }] });
const task = (ref: string): LessonBlock => ({ type: "task", ref });

describe("the parts of a lesson", () => {
  const parts = partsOf([text("a"), task("1"), task("2"), text("b"), text("c"), task("3"), text("d")]);

  it("end with a task each, and the last with the words behind it", () => {
    expect(parts.map((part) => [part.blocks.length, part.task])).toEqual([
      [1, "1"],
      [0, "2"],
      [2, "3"],
      [1, null],
    ]);
  });

  it("are gone on with where one left off", () => {
    expect(firstOpen(parts, new Set())).toBe(0);
    expect(firstOpen(parts, new Set(["1"]))).toBe(1);
    expect(firstOpen(parts, new Set(["1", "3"]))).toBe(1);
    expect(firstOpen(parts, new Set(["1", "2", "3"]))).toBe(3);
    expect(isAllDone(parts, new Set(["1", "2"]))).toBe(false);
    expect(isAllDone(parts, new Set(["1", "2", "3"]))).toBe(true);
  });
});

it("goes on with the first lesson that is not done", () => {
  const line = (name: string, solved: number) => ({ name, number: 1, title: { pt: name, en: name }, tasks: 2, solved });
  const of = (...solved: number[]): GameLessons => ({ game: "g", done: 0, rank: null, lessons: solved.map((each, place) => line(`l${place}`, each)) });
  expect(nextLesson(of(2, 1, 0)).name).toBe("l1");
  expect(nextLesson(of(2, 2, 2)).name).toBe("l0");
});

describe("an attempt", () => {
  const move = (name: string): Move => ({ text: name, clicks: [0], motions: [] });
  const view = (position: string): View => ({ position, moves: [move("a1"), move("b2")] }) as unknown as View;
  const told = (more: Partial<TaskAnswer>): TaskAnswer =>
    ({ way: "move", solved: false, view: view("start"), ply: 0, acts: [], hint: null, verdict: null, ...more }) as unknown as TaskAnswer;
  const verdict = (kind: TaskVerdict["kind"], ...moves: string[]): TaskVerdict => ({
    kind,
    said: { pt: [], en: [] },
    shown: moves.map((each) => ({ move: each, view: view(each) })),
    extra: [],
    missing: 0,
  });

  beforeEach(() => {
    vi.useFakeTimers();
    vi.restoreAllMocks();
    vi.spyOn(learning, "task").mockResolvedValue(told({}));
  });

  async function opened(answer: TaskAnswer): Promise<[TaskAttempt, AttemptBody[]]> {
    const attempt = new TaskAttempt("lesson/x/1/1", null, true);
    await attempt.load();
    const sent: AttemptBody[] = [];
    vi.spyOn(learning, "attempt").mockImplementation((_, body) => {
      sent.push(body);
      return Promise.resolve(answer);
    });
    return [attempt, sent];
  }

  it("plays a refutation out and lets the pupil try again", async () => {
    const [attempt, sent] = await opened(told({ acts: ["move a1"], verdict: verdict("wrong", "a1", "c3") }));
    attempt.choose(move("a1"));
    await vi.runAllTimersAsync();
    expect(sent[0]).toMatchObject({ acts: ["move a1"], given: null, keep: true });
    expect(attempt.board).toMatchObject({ ply: 2, view: { position: "c3" } });
    expect(attempt.mayAct).toBe(false);
    attempt.again();
    expect(attempt.board).toMatchObject({ ply: 0, view: { position: "start" } });
    expect(attempt.mayAct).toBe(true);
    // What was done before is sent again with what follows.
    attempt.hint();
    await vi.runAllTimersAsync();
    expect(sent[1]).toMatchObject({ acts: ["move a1", "hint"] });
  });

  it("shows the answer of the defender and goes on from there", async () => {
    const after = told({ acts: ["move a1"], ply: 2, view: view("after"), verdict: verdict("right", "a1", "c3") });
    const [attempt] = await opened(after);
    attempt.choose(move("a1"));
    await vi.runAllTimersAsync();
    expect(attempt.board).toMatchObject({ ply: 2, view: { position: "after" } });
    expect(attempt.mayAct).toBe(true);
  });

  it("marks and unmarks moves and sends them together", async () => {
    vi.spyOn(learning, "task").mockResolvedValue(told({ way: "mark" }));
    const [attempt, sent] = await opened(told({ way: "mark", solved: true, acts: ["mark b2"], verdict: verdict("solved") }));
    attempt.choose(move("a1"));
    attempt.write("B2");
    attempt.choose(move("a1"));
    expect(attempt.marked).toEqual(["b2"]);
    attempt.confirm();
    await vi.runAllTimersAsync();
    expect(sent[0]).toMatchObject({ acts: ["mark b2"] });
    expect(attempt.isSolved).toBe(true);
    expect(attempt.mayAct).toBe(false);
  });
});
