import fc from "fast-check";
import type { Check, CheckDependencies } from "../check.ts";

/** The result of each check. The others pass. */
export type FailedResults = ReadonlyMap<string, "Fail" | "Unknown">;

/** Checks in any order whose causes form no cycle. Some of them need some of their causes. */
export function causalChecks({ maxCount = 7 } = {}): fc.Arbitrary<readonly CheckDependencies[]> {
  const ids = Array.from({ length: maxCount }, (_, index) => `c${index}`);
  const causeOf = fc.constantFrom("No", "No", "Cause", "Need");
  return fc
    .tuple(
      fc.shuffledSubarray(ids),
      fc.array(fc.array(causeOf, { minLength: maxCount, maxLength: maxCount }), {
        minLength: maxCount,
        maxLength: maxCount,
      }),
    )
    .chain(([causal, relations]) => {
      const checks = causal.map((id, index): CheckDependencies => {
        const earlier = causal.slice(0, index);
        const related = (...words: readonly string[]) =>
          earlier.filter((_, at) => words.includes(relations[index]?.[at] ?? ""));
        return { id, causes: related("Cause", "Need"), needs: related("Need") };
      });
      return fc.shuffledSubarray(checks, { minLength: checks.length });
    });
}

/** Checks, and some of them in an order. */
export function checksInOrder(): fc.Arbitrary<{
  readonly checks: readonly CheckDependencies[];
  readonly order: readonly string[];
}> {
  return causalChecks().chain((checks) =>
    fc.record({
      checks: fc.constant(checks),
      order: fc.shuffledSubarray(checks.map(({ id }) => id)),
    }),
  );
}

/** Checks whose results come from their view. */
export function createChecks<Id extends string>(
  checks: readonly CheckDependencies<Id>[],
): readonly Check<ReadonlyMap<string, "Fail" | "Unknown">, Id>[] {
  return checks.map((check) => ({
    ...check,
    run: (results) => {
      const outcome = results.get(check.id) ?? "Pass";
      const message = `${check.id}: ${outcome}`;
      return outcome === "Fail" ? { outcome, message, transient: true } : { outcome, message };
    },
  }));
}
