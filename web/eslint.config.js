import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

/** What the compiler cannot see: promises nobody waits for, comparisons that are always true, effects that misfire. */
export default defineConfig(
  { ignores: ["node_modules", "src/lib/schema.d.ts", "**/*.js"] },
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      parserOptions: { projectService: true, extraFileExtensions: [".svelte"], tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    // The types of what stands in markup are seen by svelte-check, and not from here.
    files: ["**/*.svelte"],
    rules: Object.fromEntries(
      ["argument", "assignment", "call", "member-access", "return"].map((what) => [`@typescript-eslint/no-unsafe-${what}`, "off"]),
    ),
  },
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      // Where the index comes from the thing indexed, `!` says so; the compiler asks for it at every step.
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // Handlers are told to ignore what a short arrow gives back.
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false, properties: false } }],
      // Maps and sets here are either replaced as a whole or not shown.
      "svelte/prefer-svelte-reactivity": "off",
      // A truth and a name are asked for alike: is there any?
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: true }],
      // The router turns plain links within the site into steps of its own.
      "svelte/no-navigation-without-resolve": "off",
    },
  },
);
