import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { addresses } from "./addresses.ts";
import { theme } from "./theme.ts";
import { worker } from "./worker.ts";

const OUT = "../src/tabuleiro/server/static";

/** Files as they travel: the server hands out `x.js.gz` for `x.js` to a browser that accepts it. */
function compressed(): Plugin {
  let out = OUT;
  return {
    name: "compressed",
    apply: "build",
    configResolved(config) {
      out = config.build.outDir;
    },
    closeBundle() {
      for (const name of readdirSync(out, { recursive: true, encoding: "utf8" })) {
        if (/\.(js|css|html|svg|webmanifest)$/.test(name)) {
          writeFileSync(join(out, `${name}.gz`), gzipSync(readFileSync(join(out, name)), { level: 9 }));
        }
      }
    },
  };
}

export default defineConfig({
  plugins: [svelte(), theme(), addresses(), worker(), compressed()],
  build: { outDir: OUT, emptyOutDir: true, assetsInlineLimit: 0, target: "es2022" },
  test: { setupFiles: "tests/setup.ts" },
  server: {
    fs: { allow: [".."] },
    proxy: Object.fromEntries(
      ["/api", "/ws"].map((path) => [path, { target: "http://127.0.0.1:8000", ws: path === "/ws" }]),
    ),
  },
});
