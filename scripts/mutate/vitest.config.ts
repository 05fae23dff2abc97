// The tests that run for each mutant of a package: its own tests and the recorded decisions, fast ones first, without the slow ones.
// Properties use a fixed seed, so the results are reproducible.
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import everything from "../../vitest.config.ts";
import { recorded } from "./recorded-of.ts";

const mutated = process.env.JOBSET_TS_MUTATED;
const decisions = recorded.length > 0 ? ["scripts/mutate/recorded-decisions.ts"] : [];

/** Test builders import packages outside Stryker's copy. This plugin resolves the mutated package to the copy. */
const onePackage = {
  name: "one-package",
  enforce: "pre" as const,
  resolveId(id: string) {
    const [scope, name, entry = "index"] = id.split("/");
    if (scope !== "@jobset-ts" || name !== mutated) return undefined;
    return join(process.cwd(), "packages", name, "src", `${entry}.ts`);
  },
};

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toReversed();
  }
}

export default defineConfig({
  ...everything,
  plugins: [...(everything.plugins ?? []), onePackage],
  test: {
    ...everything.test,
    // Module-level code must run again for each mutant, from Stryker's copy.
    isolate: true,
    server: {},
    // Stryker runs tests in threads, which do not support process flags.
    execArgv: [],
    include: [`packages/${mutated}/src/**/*.test.ts`, "scripts/mutate/loading.ts", ...decisions],
    exclude: ["**/*.properties.test.ts", "**/bounded-denials.test.ts"],
    setupFiles: ["scripts/mutate/vitest.setup.ts"],
    sequence: { sequencer: QuickFirst },
    testTimeout: 60_000,
  },
});
