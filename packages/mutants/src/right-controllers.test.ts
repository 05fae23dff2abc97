import { runs } from "@jobset-ts/testing";
import { everyHistoryLaw } from "@jobset-ts/testing/histories";
import fc from "fast-check";
import { expect, it } from "vitest";
import { rightControllers, wrongOverTime } from "./right-controllers.ts";

it.each(Object.entries(rightControllers))("a controller %s", async (name, make) => {
  // `npm run mutate:answers` runs each on more seeds, and longer.
  const { counterexample } = await fc.check(everyHistoryLaw(make()), {
    seed: 1,
    numRuns: runs(3, 80),
  });
  const words = fc.stringify(counterexample);
  if (wrongOverTime.has(name)) expect(words).toMatch(/BROKEN|What was wrong when/);
  else expect(words).toBe("null");
});
