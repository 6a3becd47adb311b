import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/** The colours of the site as a style sheet, made of the file from which pictures of boards take theirs too. */

export const THEME = fileURLToPath(new URL("../src/tabuleiro/theme.json", import.meta.url));

type Colours = Record<string, string>;
type Shades = Record<"light" | "dark", Colours>;

export interface Theme {
  pieces: Colours;
  board: Shades & { paper: Colours };
  page: Shades;
}

export function styleSheet({ pieces, board, page }: Theme): string {
  const rule = (selector: string, colours: Colours): string => {
    const lines = Object.entries(colours).map(([name, value]) => `  --${name.replaceAll("_", "-")}: ${value};`);
    return `${selector} {\n${lines.join("\n")}\n}\n`;
  };
  return [
    rule(":root", { ...page.light, ...board.light, ...pieces }),
    `@media not print {\n${rule(':root[data-theme="dark"]', { ...page.dark, ...board.dark })}}\n`,
    // Paper is white, and ink is dear.
    `@media print {\n${rule(":root:root", { ...page.light, paper: "#fff", card: "#fff", ...board.paper })}}\n`,
    // Until the script has said which theme is wanted.
    `@media (prefers-color-scheme: dark) {\n${rule("html:not([data-theme])", { paper: page.dark.paper! })}}\n`,
  ].join("\n");
}

const NAME = "virtual:theme.css";

export function theme(): Plugin {
  return {
    name: "theme",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      this.addWatchFile(THEME);
      return styleSheet(JSON.parse(readFileSync(THEME, "utf8")) as Theme);
    },
  };
}
