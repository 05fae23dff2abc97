// That a package can be loaded at all. Where it cannot, its tests are not there to fail, which Stryker takes for a mutant that lives.
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
