import { expect, test } from "vitest";
import type { LobbyLine } from "../src/lib/schema";
import { arranged, withNews } from "../src/people/lobby";
import { HEIGHT, plotted } from "../src/people/plot";

const line = (guest: number, name: string, state: LobbyLine["state"], game?: string): LobbyLine => ({
  guest,
  name,
  role: "pupil",
  state,
  playing: null,
  seeks: game ? { challenge: "c", game } : null,
  ratings: {},
});

test("who waits for a game stands first, then who is free, and who is gone last", () => {
  const lines = [line(1, "Ana", "offline"), line(2, "Rui", "playing"), line(3, "Zé", "free"), line(4, "Eva", "free"), line(5, "Inês", "free", "hex")];
  expect(arranged(lines, false).map(({ guest }) => guest)).toEqual([5, 4, 3, 2, 1]);
  expect(arranged(lines, true).map(({ guest }) => guest)).toEqual([5, 4, 3, 2]);
});

test("news of some change those, and add who came", () => {
  const lines = [line(1, "Ana", "free"), line(2, "Rui", "free")];
  const news = withNews(lines, { whole: false, people: [line(2, "Rui", "playing"), line(3, "Zé", "free")] });
  expect(news.map(({ state }) => state)).toEqual(["free", "playing", "free"]);
  expect(withNews(lines, { whole: true, people: [line(9, "Eva", "free")] }).map(({ guest }) => guest)).toEqual([9]);
});

test("a plot stays inside its picture, also of one game", () => {
  const points = [1100, 900, 1300].map((rating, at) => ({ at, rating, give_or_take: 200 }));
  for (const some of [points, points.slice(0, 1)]) {
    const { line: drawn, last } = plotted(some);
    const heights = drawn.split(" ").map((pair) => Number(pair.split(",")[1]));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...heights)).toBeLessThanOrEqual(HEIGHT);
    expect(last.y).toBeCloseTo(heights.at(-1)!, 1);
  }
});
