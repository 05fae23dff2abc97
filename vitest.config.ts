import { defineConfig } from "vitest/config";

// Packages resolve each other to their TypeScript sources, so tests need no build.
const conditions = ["@jobset-ts/source"];

/** As the programs are bundled: a manifest that is imported is its text. */
const yamlAsText = {
  name: "yaml-as-text",
  transform: (code: string, id: string) =>
    id.endsWith(".yaml") ? `export default ${JSON.stringify(code)};` : undefined,
};

/** Properties take their time on a busy machine; what hangs is still found. */
const longest = process.env.JOBSET_TS_TIER === "long" ? 1_800_000 : 300_000;

export default defineConfig({
  plugins: [yamlAsText],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // No test leaves anything behind for another, so files share a process, and what it has loaded.
    isolate: false,
    // By itself it would leave a core to others.
    maxWorkers: "100%",
    setupFiles: ["vitest.setup.ts"],
    testTimeout: longest,
    hookTimeout: longest,
    include: ["{packages/*/src,docs,examples,scripts}/**/*.test.ts"],
  },
});
