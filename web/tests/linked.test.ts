import { describe, expect, it } from "vitest";
import { linkedLine } from "../src/teach/linked";

describe("a link as the position of a vote", () => {
  it("is read up to the place that it shows", () => {
    const line = linkedLine("http://127.0.0.1:8000/analysis#game=rastros&option.size=5&moves=d4+d5+c4&at=2");
    expect(line).toEqual({ game: "rastros", options: { size: "5" }, start: null, moves: ["d4", "d5"] });
  });

  it("goes along the variation that is looked at", () => {
    expect(linkedLine("#game=rastros&moves=d4+(e5+e6)+d5&at=2")?.moves).toEqual(["e5"]);
  });

  it("is told from a position that is written down", () => {
    expect(linkedLine("7/7/4O2/7/7/7/7 1")).toBeNull();
    expect(linkedLine("##1##2/7 1")).toBeNull();
  });
});
