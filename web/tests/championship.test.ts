import { describe, expect, it } from "vitest";
import { merged } from "../src/championship/live";
import type { Groups, GroupView } from "../src/lib/schema";

const group = (id: string, complete: boolean) => ({ id, complete }) as GroupView;
const person = (name: string) => ({ name, school: "", class: "", arrangements: [] });

describe("what a projector knows of groups", () => {
  const before: Groups = { number: 5, whole: true, people: { 1: person("Ana"), 2: person("Rui") }, groups: [group("a", false), group("b", false)] };

  it("changes where they have changed, and keeps their order", () => {
    const now = merged(before, { number: 7, whole: false, people: { 2: person("Rui C.") }, groups: [group("b", true)] });
    expect(now.number).toBe(7);
    expect(now.groups).toEqual([group("a", false), group("b", true)]);
    expect(now.people).toEqual({ 1: person("Ana"), 2: person("Rui C.") });
  });

  it("is replaced where everything may have changed", () => {
    const now: Groups = { number: 9, whole: true, people: {}, groups: [group("c", false)] };
    expect(merged(before, now)).toBe(now);
    expect(merged(null, { ...now, whole: false }).groups).toEqual(now.groups);
  });
});
