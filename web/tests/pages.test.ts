import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { firstParts } from "../addresses";
import { menuAddress, NOT_FOUND, type Page, pageAt, PAGES } from "../src/pages";

const toy: Page = { path: "/toy/:kind/:id?", title: { pt: "Brinquedo", en: "Toy" }, load: NOT_FOUND.load };

describe("the pages", () => {
  it.each([
    ["/", "/", {}],
    ["/rules", "/rules/:id?", { id: null }],
    ["/rules/ouri/", "/rules/:id?", { id: "ouri" }],
    ["/g/abc", "/g/:id", { id: "abc" }],
    ["/analise", "/analise/:session?", { session: null }],
    ["/g", "", {}],
    ["/mine/more", "", {}],
    ["/no/such/page", "", {}],
  ])("are found by their addresses: %s", (address, path, properties) => {
    const found = pageAt(PAGES, address);
    expect(found.page.path).toBe(path);
    expect(found.properties).toEqual(properties);
  });

  it("grow by a line", () => {
    expect(pageAt([...PAGES, toy], "/toy/car/7")).toEqual({ page: toy, properties: { kind: "car", id: "7" } });
    expect(pageAt([...PAGES, toy], "/toy").page).toBe(NOT_FOUND);
    expect(menuAddress(toy)).toBe("/toy");
  });

  it("are told to the server, each of them", () => {
    const registry = readFileSync(new URL("../src/pages/index.ts", import.meta.url), "utf8");
    expect(new Set(firstParts(registry))).toEqual(new Set(PAGES.map((page) => menuAddress(page).split("/")[1])));
  });
});
