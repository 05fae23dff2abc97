// What mutants of a package are held against: its own tests and the recorded decisions, quick ones first, without those that try
// an implementation at length. Properties see the same values in every run, so a mutant that lives once lives again.
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import everything from "../../vitest.config.ts";
import { recorded } from "./recorded-of.ts";

const mutated = process.env.JOBSET_TS_MUTATED;
const decisions = recorded.length > 0 ? ["scripts/mutate/recorded-decisions.ts"] : [];

/** The builders of tests reconcile, too, and the packages that they import lie outside of Stryker's copy of this one. */
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
    // What runs as a file is loaded is to run anew for each mutant, and from Stryker's copy.
    isolate: true,
    server: {},
    // Stryker runs tests in threads, which take no flags of a process.
    execArgv: [],
    include: [`packages/${mutated}/src/**/*.test.ts`, "scripts/mutate/loading.ts", ...decisions],
    exclude: ["**/*.properties.test.ts", "**/bounded-denials.test.ts"],
    setupFiles: ["scripts/mutate/vitest.setup.ts"],
    sequence: { sequencer: QuickFirst },
    testTimeout: 60_000,
  },
});
