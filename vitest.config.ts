import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Packages resolve each other to their TypeScript sources, so tests need no build.
const conditions = ["@jobset-ts/source"];

/** Imports a YAML manifest as text, as the program bundles do. */
const yamlAsText = {
  name: "yaml-as-text",
  transform: (code: string, id: string) =>
    id.endsWith(".yaml") ? `export default ${JSON.stringify(code)};` : undefined,
};

/**
 * The test files that start first, as path suffixes, for four reasons. Memory tests need a small process. A large process takes
 * long to start another one. Tests that mostly wait leave CPU time to the checks of `npm test`. The slowest files would otherwise run
 * alone at the end.
 */
const first = [
  "admission-proxy/src/memory",
  "cli/src/live/list-reader",
  "cli/src/command-line/complete.process",
  "cli/src/start.process",
  "scripts/runtimes.process",
  "conformance/src/main.process",
  "admission-proxy/src/runtimes.process",
  "controller/src/hostile-objects.process",
  "controller/src/program",
  "controller/src/api-server-faults",
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

class ProjectOrderSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const getRank = ({ moduleId }: TestSpecification) => {
      const rank = first.findIndex((end) => moduleId.endsWith(`${end}.test.ts`));
      return rank === -1 ? first.length : rank;
    };
    return sorted.toSorted((one, other) => getRank(one) - getRank(other));
  }
}

/**
 * The sources and tests that Node loads directly. The loader of Vitest makes the tests a sixth slower. In watch mode it loads all
 * files, because it must know which tests a change affects.
 */
const loadedByNode = process.argv.includes("run")
  ? [/^(?!.*\/node_modules\/).*\/src\/.*\.ts$/]
  : [];

/** Long enough for property tests on a busy machine, and short enough to detect a test that hangs. */
const longest = process.env.JOBSET_TS_TIER === "long" ? 1_800_000 : 300_000;

export default defineConfig({
  plugins: [yamlAsText],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Tests leave no state behind, so files share a process and its loaded modules.
    isolate: false,
    // The default number of workers leaves one core to the checks of `npm test` and to programs that tests start. Each further
    // worker would load and compile all modules again.
    // These flags save CPU time: no garbage collection threads, and less optimization of rarely called code.
    execArgv: [
      "--single-threaded-gc",
      "--max-semi-space-size=64",
      "--interrupt-budget=400000",
      "--import",
      new URL("scripts/load-sources.mjs", import.meta.url).href,
    ],
    server: { deps: { external: loadedByNode } },
    sequence: { sequencer: ProjectOrderSequencer },
    setupFiles: ["vitest.setup.ts", "scripts/measure-cpu.mjs"],
    testTimeout: longest,
    hookTimeout: longest,
    include: ["{packages/*/src,docs,examples,scripts}/**/*.test.ts"],
  },
});
