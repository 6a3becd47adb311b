import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/** Builds the service worker, `worker.js`, which is told which files the client consists of. */

const SOURCE = fileURLToPath(new URL("src/worker.ts", import.meta.url));
const NAME = "worker.js";

export function worker(): Plugin {
  return {
    name: "worker",
    apply: "build",
    buildStart() {
      this.emitFile({ type: "chunk", id: SOURCE, fileName: NAME });
    },
    generateBundle(_, bundle) {
      const built = bundle[NAME];
      if (built?.type !== "chunk") throw new Error(`${NAME} was not built`);
      const files = Object.keys(bundle).filter((name) => name.startsWith("assets/")).map((name) => `/${name}`).sort();
      const version = createHash("sha256").update(built.code).update(files.join()).digest("hex").slice(0, 12);
      built.code = built.code.replace(/["'`]__FILES__["'`]/, JSON.stringify(files)).replace("__VERSION__", version);
    },
  };
}
