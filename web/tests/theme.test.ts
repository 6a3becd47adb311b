import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { styleSheet, THEME, type Theme } from "../theme";

it("makes a custom property of every colour of the theme", () => {
  const theme = JSON.parse(readFileSync(THEME, "utf8")) as Theme;
  const sheet = styleSheet(theme);
  const [light, dark, paper] = sheet.split(/\[data-theme="dark"\]|@media print/) as [string, string, string];
  for (const colours of [theme.pieces, theme.board.light, theme.page.light]) {
    for (const [name, value] of Object.entries(colours)) expect(light).toContain(`--${name.replaceAll("_", "-")}: ${value};`);
  }
  for (const colours of [theme.board.dark, theme.page.dark]) {
    for (const [name, value] of Object.entries(colours)) expect(dark).toContain(`--${name.replaceAll("_", "-")}: ${value};`);
  }
  for (const [name, value] of Object.entries(theme.board.paper)) expect(paper).toContain(`--${name.replaceAll("_", "-")}: ${value};`);
});

it("has the same colours light, dark and on paper", () => {
  const { board, page } = JSON.parse(readFileSync(THEME, "utf8")) as Theme;
  expect(Object.keys(board.dark)).toEqual(Object.keys(board.light));
  expect(Object.keys(board.paper)).toEqual(Object.keys(board.light));
  expect(Object.keys(page.dark)).toEqual(Object.keys(page.light));
});
