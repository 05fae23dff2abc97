// Checks that the guide contains every rule by which a pass decides, and that passes use no other
// rules.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createSnapshot, decisionRules, reconcile } from "../packages/core/src/index.ts";
import { reconcilePlacement } from "../packages/core/src/placement.ts";
import { placements } from "../packages/testing/src/arbitraries/arbitrary-placements.ts";
import { clusters } from "../packages/testing/src/arbitraries.ts";
import { runs } from "../packages/testing/src/testing/runs.ts";

const guide = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "controller.md"), "utf8");

it("docs/controller.md has a row for each rule, in the order of the phases", () => {
  const rows = Object.entries(decisionRules).flatMap(([phase, rules]) =>
    Object.entries(rules).map(([rule, when]) => [phase, rule, when]),
  );
  const documented = [...guide.matchAll(/^\| `([a-z-]+)` +\| `([A-Za-z]+)` +\| (.*?) +\|$/gm)];
  expect(documented.map(([, ...row]) => row)).toEqual(rows);
});

it("every step and decision of a plan uses a rule of its phase", () => {
  fc.assert(
    fc.property(clusters(), placements(), ({ jobSet, others, context }, placement) => {
      const { pods, nodes, leader } = placement;
      const plans = [
        reconcile(createSnapshot([jobSet, ...others], { kinds: "all" }), jobSet, context),
        reconcilePlacement(createSnapshot([...pods, ...nodes], { kinds: "all" }), leader, context),
      ];
      for (const { phase, rule } of plans.flatMap(({ steps, decisions }) => [
        ...steps,
        ...decisions,
      ])) {
        expect(Object.keys(decisionRules[phase])).toContain(rule);
      }
    }),
    { numRuns: runs(150) },
  );
});
