import { everyHistoryLaw } from "@jobset-ts/testing/histories";
import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { clientHabits } from "./client-habits.ts";
import {
  listReportedRightControllers,
  rightControllers,
  wrongOverTime,
} from "./right-controllers.ts";

const others = Object.entries(rightControllers).filter(
  ([name]) => !Object.hasOwn(clientHabits, name),
);

it.each(others)("a controller %s passes every law of histories", async (name, make) => {
  // `npm run mutate:answers` runs each on more seeds, and longer.
  const { counterexample } = await fc.check(everyHistoryLaw(make()), {
    seed: 1,
    numRuns: runs(wrongOverTime.has(name) ? 3 : 1, 80),
  });
  const words = fc.stringify(counterexample);
  if (wrongOverTime.has(name)) expect(words).toMatch(/VIOLATION|What was wrong when/);
  else expect(words).toBe("null");
});

it.each(Object.keys(clientHabits))("no law reports a controller %s", async (name) => {
  const options = { names: [name], seeds: 1, clusters: 3, histories: 0 };
  expect(await listReportedRightControllers(options)).toEqual([]);
});
