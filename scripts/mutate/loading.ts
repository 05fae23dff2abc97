// Checks that the package loads. If it does not, no test runs and fails, and Stryker would count the mutant as a survivor.
import { join } from "node:path";
import { expect, it } from "vitest";

it("the package is loaded", async () => {
  const root = join(
    process.cwd(),
    "packages",
    `${process.env.JOBSET_TS_MUTATED}`,
    "src",
    "index.ts",
  );
  expect(Object.keys(await import(/* @vite-ignore */ root)).length).toBeGreaterThan(0);
});
