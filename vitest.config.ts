import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Packages resolve each other to their TypeScript sources, so tests need no build.
const conditions = ["@jobset-ts/source"];

/** As the programs are bundled: a manifest that is imported is its text. */
const yamlAsText = {
  name: "yaml-as-text",
  transform: (code: string, id: string) =>
    id.endsWith(".yaml") ? `export default ${JSON.stringify(code)};` : undefined,
};

/**
 * What begins first, by the ends of their paths: what measures memory, while a process holds little else; what mostly
 * waits, while the checks of `npm test` have something to do beside it; and what takes longest, since nobody is to be
 * alone with it in the end.
 */
const first = [
  "admission-proxy/src/memory",
  "cli/src/live/list-reader",
  "admission-proxy/src/runtimes.process",
  "controller/src/hostile-objects.process",
  "controller/src/program",
  "controller/src/controller.process",
  "cli/src/live/live-cluster",
  "cli/src/main.process",
  "sim/src/explore/wrong-controllers",
  "docs/documentation",
  "sim/src/explore/explore",
  "sim/src/explore/single-faults",
  "property-tests/src/property-tests",
  "testing/src/laws/reconcile-laws",
  "admission/src/jobset/bounded-denials",
  "core/src/reconcile/reconcile.properties",
  "cli/src/totality",
  "sim/src/explore/wrong-about-edited-labels",
  "diagnose/src/diagnosis/engine/diagnose.properties",
];

class InTheirOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = first.findIndex((end) => moduleId.endsWith(`${end}.test.ts`));
      return rank === -1 ? first.length : rank;
    };
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/**
 * The sources and tests that Node loads as it does any module. Vitest's own loader transforms each file and reaches each import by
 * a getter, and costs the tests a sixth more; but what watches has to know which tests a change concerns, so there it loads everything.
 */
const loadedByNode = process.argv.includes("run")
  ? [/^(?!.*\/node_modules\/).*\/src\/.*\.ts$/]
  : [];

/** Properties take their time on a busy machine; what hangs is still found. */
const longest = process.env.JOBSET_TS_TIER === "long" ? 1_800_000 : 300_000;

export default defineConfig({
  plugins: [yamlAsText],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // No test leaves anything behind for another, so files share a process, and what it has loaded.
    isolate: false,
    // As many workers as vitest starts by default leave a core to the checks of `npm test` and to the programs that tests
    // start. A worker more would load and compile everything once more.
    // Threads that collect garbage, and those that optimize what is not called often enough, take more CPU than they save.
    execArgv: [
      "--single-threaded-gc",
      "--max-semi-space-size=64",
      "--interrupt-budget=400000",
      "--import",
      new URL("scripts/load-sources.mjs", import.meta.url).href,
    ],
    server: { deps: { external: loadedByNode } },
    sequence: { sequencer: InTheirOrder },
    setupFiles: ["vitest.setup.ts", "scripts/measure-cpu.mjs"],
    testTimeout: longest,
    hookTimeout: longest,
    include: ["{packages/*/src,docs,examples,scripts}/**/*.test.ts"],
  },
});
