import type { Snapshot } from "@jobset-ts/core";
import { createRules } from "./create-rules.ts";
import { existingClaimRules } from "./existing-claim-rules.ts";
import type { Violation } from "./jobset-rule.ts";
import { type JobSetView, viewJobSet } from "./jobset-view.ts";
import type { UpdateView } from "./update-view.ts";
import { Violations } from "./violations.ts";
import type { ExistingClaimRules } from "./volume-claim-rules.ts";

/**
 * Checks an update against creation rules that it may break: a coordinator that does not exist, names that become too
 * long.
 *
 * A violation that existed before and did not get worse is not reported. So a JobSet that was created under older rules
 * can still be suspended, and its finalizers can still be removed. Existing claims are checked only if the update adds
 * the policies, because afterwards the JobSet owns the claims. At most a thousand violations are collected, before and
 * after. Upstream checks none of this.
 *
 * @param refusedMembers - spec members whose change is denied anyway. They count as unchanged, so that no consequences
 *   are reported
 */
export function recheckedRules(
  { before, after }: UpdateView,
  refusedMembers: ReadonlySet<string>,
  snapshot: Snapshot,
  found: Violations,
): void {
  if (after.quirks.has("UpdateSkipsCreateChecks")) return;
  const next = withoutRejected(after, before, refusedMembers);
  const addsClaims = !hasClaims(before) && hasClaims(next);
  const violations = listViolations(
    next,
    addsClaims ? existingClaimRules(next, snapshot) : undefined,
  );
  // A valid JobSet is not checked twice.
  if (violations.length === 0) return;
  const known = sizesByKey(listViolations(before, undefined));
  for (const violation of violations) {
    const size = known.get(violationKey(violation));
    if (size === undefined || size < (violation.size ?? 0)) found.addFound(violation);
  }
}

function listViolations(
  view: JobSetView,
  existingClaims: ExistingClaimRules | undefined,
): readonly Violation[] {
  const violations = new Violations(view.jobSet);
  createRules(view, existingClaims, violations);
  return violations.findings;
}

function withoutRejected(
  after: JobSetView,
  before: JobSetView,
  rejected: ReadonlySet<string>,
): JobSetView {
  if (rejected.size === 0) return after;
  const keep = (spec: object) => Object.entries(spec).filter(([name]) => !rejected.has(name));
  const restore = (spec: object) => Object.entries(spec).filter(([name]) => rejected.has(name));
  const spec = Object.fromEntries([...keep(after.spec), ...restore(before.spec)]);
  return viewJobSet({ ...after.jobSet, spec }, after);
}

function hasClaims({ spec }: JobSetView): boolean {
  return Array.isArray(spec.volumeClaimPolicies) && spec.volumeClaimPolicies.length > 0;
}

/** Returns the worst size of each violation, or 0 for rules without a size. */
function sizesByKey(violations: readonly Violation[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const violation of violations) {
    const key = violationKey(violation);
    sizes.set(key, Math.max(violation.size ?? 0, sizes.get(key) ?? 0));
  }
  return sizes;
}

/** Returns the key of a violation: its rule, path and message. */
function violationKey({ id, message }: Violation): string {
  return JSON.stringify([id, message]);
}
