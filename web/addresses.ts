import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/** Tells the server which addresses are pages (`pages.json`), so that it answers 404 to all others. */

const REGISTRY = fileURLToPath(new URL("src/pages/index.ts", import.meta.url));

/** The first part of every page's address, as the registry of pages writes them. */
export function firstParts(registry: string): string[] {
  return [...new Set([...registry.matchAll(/\bpath: "\/([^"/]*)/g)].map(([, first]) => first!))];
}

export function addresses(): Plugin {
  return {
    name: "addresses",
    apply: "build",
    generateBundle() {
      const source = JSON.stringify(firstParts(readFileSync(REGISTRY, "utf8")));
      this.emitFile({ type: "asset", fileName: "pages.json", source });
    },
  };
}
