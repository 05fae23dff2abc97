import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze, findFrozenPath } from "../../../testing/src/testing/freezing.ts";
import { causalGraph } from "../causal-graph.ts";
import { defineChecks } from "../define-checks.ts";
import { evaluateChecks } from "../evaluate-checks.ts";
import { firstFailure } from "../first-failure.ts";
import { checksInOrder, createChecks } from "../testing/arbitrary-checks.ts";
import { reportOn } from "../testing/report-on.ts";
import type { MaskingReport } from "./find-masking.ts";
import { maskingByTheorem } from "./masking-by-theorem.ts";
import { transitiveNeeds } from "./transitive-needs.ts";

describe("findMasking for any order", () => {
  it("findMasking agrees with the theorem for any order", () => {
    fc.assert(
      fc.property(checksInOrder(), fc.boolean(), ({ checks, order }, denies) => {
        const deniedBefore = denies ? checks.slice(0, 1).map(({ id }) => id) : [];
        const report = reportOn(checks, order, { deniedBefore });
        const built = causalGraph(checks);
        if (!built.ok) throw new Error(built.message);
        const { graph } = built;
        const { maskings } = maskingByTheorem({
          graph,
          needs: transitiveNeeds(graph),
          order,
          deniedBefore: new Set(deniedBefore),
        });
        const asText = ({ reported, cause, failing }: MaskingReport["maskings"][number]) =>
          [reported, cause, ...failing].join();
        expect(maskings.map(asText).sort()).toEqual(report.maskings.map(asText).sort());
      }),
      { numRuns: 300 },
    );
  });

  it("findMasking agrees with a webhook that runs the checks, state by state", () => {
    fc.assert(
      fc.property(checksInOrder(), ({ checks, order }) => {
        const set = defineChecks(createChecks(checks));
        const counts = { masked: 0, maskedWithinOrder: 0 };
        for (let assignment = 0; assignment < 2 ** checks.length; assignment++) {
          const failing = checks.filter((_, index) => (assignment & (1 << index)) !== 0);
          const view = new Map(failing.map(({ id }) => [id, "Fail"] as const));
          const causedBy = firstFailure(evaluateChecks(set, view), order)?.causedBy ?? [];
          if (causedBy.length > 0) counts.masked += 1;
          if (causedBy.some((cause) => order.includes(cause))) counts.maskedWithinOrder += 1;
        }
        expect(reportOn(checks, order).proof).toMatchObject(counts);
      }),
      { numRuns: 100 },
    );
  });

  it("findMasking shows a state in which a webhook reports the symptom", () => {
    fc.assert(
      fc.property(checksInOrder(), ({ checks, order }) => {
        const { masks, maskings, counterexample } = reportOn(checks, order);
        expect(masks).toBe(counterexample !== undefined);
        for (const { reported, cause, failing } of maskings) {
          const view = new Map(failing.map((id) => [id, "Fail"] as const));
          const evaluation = evaluateChecks(defineChecks(createChecks(checks)), view);
          const finding = firstFailure(evaluation, order);
          expect(finding?.id).toBe(reported);
          expect(finding?.causedBy).toContain(cause);
        }
        if (counterexample === undefined) return;
        const { failing, blocked, passing } = counterexample;
        expect([...failing, ...blocked, ...passing].sort()).toEqual(
          checks.map(({ id }) => id).sort(),
        );
      }),
    );
  });

  it("the order that findMasking suggests masks nothing and has the same checks", () => {
    fc.assert(
      fc.property(checksInOrder(), ({ checks, order }) => {
        const { fixedOrder } = reportOn(checks, order);
        expect([...fixedOrder].sort()).toEqual([...order].sort());
        const mended = reportOn(checks, fixedOrder);
        expect(mended.masks).toBe(false);
        expect(mended.fixedOrder).toEqual(fixedOrder);
      }),
    );
  });

  it("findMasking returns the same result if every failing set is declared reachable", () => {
    const withoutNeeds = checksInOrder().map(({ checks, order }) => ({
      checks: checks.slice(0, 5).map(({ id, causes }, _, kept) => ({
        id,
        causes: causes.filter((cause) => kept.some((one) => one.id === cause)),
      })),
      order,
    }));
    fc.assert(
      fc.property(withoutNeeds, ({ checks, order }) => {
        const ids = checks.map(({ id }) => id);
        const known = order.filter((id) => ids.includes(id));
        const reachable = Array.from({ length: 2 ** ids.length }, (_, set) =>
          ids.filter((_id, index) => (set & (1 << index)) !== 0),
        );
        const { by: _, ...counts } = reportOn(checks, known).proof;
        expect(reportOn(checks, known, { reachable }).proof).toEqual({
          by: "ReachableStates",
          ...counts,
        });
      }),
    );
  });

  it("findMasking returns the same result for frozen input, and does not change its input", () => {
    fc.assert(
      fc.property(checksInOrder(), (generated) => {
        const before = JSON.stringify(generated);
        const report = reportOn(generated.checks, generated.order, {
          reachable: [generated.order.slice(0, 1)],
        });
        expect(JSON.stringify(generated)).toBe(before);
        expect(findFrozenPath(generated)).toBeUndefined();
        deepFreeze(generated);
        const reachable = deepFreeze([generated.order.slice(0, 1)]);
        expect(reportOn(generated.checks, generated.order, { reachable })).toEqual(report);
      }),
    );
  });
});
