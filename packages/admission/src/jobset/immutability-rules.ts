import { invalid } from "@jobset-ts/api/errors";
import { goQuote } from "@jobset-ts/api/text";
import { renderJson, renderJsonList, semanticEqual } from "@jobset-ts/api/typed";
import { type JobSetView, namesText } from "./jobset-view.ts";
import { withMutableMembersRestored } from "./mutable-members.ts";
import type { UpdateView } from "./update-view.ts";
import type { Violations } from "./violations.ts";

const DETAIL = "field is immutable";

/** Checks that only mutable parts of ReplicatedJobs change. Reports one error for all differences. */
export function replicatedJobsRules(update: UpdateView, found: Violations): void {
  const next = withMutableMembersRestored(update);
  const { replicatedJobs } = update.before.spec;
  if (semanticEqual({ replicatedJobs }, { replicatedJobs: next }, "JobSetSpec")) return;
  // The printed list has the old values at paths that may change.
  const shown =
    next === undefined && showsGoValues(update.after)
      ? "[]v1alpha2.ReplicatedJob(nil)"
      : renderJsonList(next, "ReplicatedJob");
  const sent = update.after.spec.replicatedJobs ?? null;
  const error = invalid("spec.replicatedJobs", sent, DETAIL, shown);
  found.add("replicated-jobs-immutable", error);
}

/** The manager of a JobSet cannot change. An absent manager differs from the empty name. */
export function managedByUpdateRules({ before, after }: UpdateView, found: Violations): void {
  const [old, next] = [getManager(before), getManager(after)];
  if (old === next) return;
  const shown = showsGoValues(after) ? goQuote(next ?? "null") : renderJson(next, "string");
  const error = invalid("spec.managedBy", next ?? null, DETAIL, shown);
  found.add("managed-by-immutable", error);
}

/** Reports whether messages show values in Go syntax. Lists contain memory addresses then and stay in JSON. */
function showsGoValues({ quirks }: JobSetView): boolean {
  return quirks.has("ValuesInGoSyntax");
}

function getManager({ spec }: JobSetView): string | undefined {
  const managedBy = spec.managedBy ?? undefined;
  return managedBy === undefined ? undefined : namesText(managedBy);
}

/** The policies that the API server keeps immutable by comparing two present values. */
export const immutablePolicies = [
  "network",
  "successPolicy",
  "failurePolicy",
  "startupPolicy",
  "volumeClaimPolicies",
] as const;

/** Reports whether a policy may be removed. Upstream compares only two present values and ignores removals. */
export function policiesAreRemovable({ quirks }: Pick<JobSetView, "quirks">): boolean {
  return quirks.has("PolicyRemovable");
}

/** Checks that an existing policy is not removed. */
export function policyRules({ before, after }: UpdateView, found: Violations): void {
  if (policiesAreRemovable(after)) return;
  for (const policy of immutablePolicies) {
    if (!isPresent(before.spec[policy]) || isPresent(after.spec[policy])) continue;
    found.add("policy-kept", invalid(`spec.${policy}`, null, DETAIL));
  }
}

/** An empty list means the same as an absent one. */
function isPresent(policy: object | null | undefined): boolean {
  return Array.isArray(policy) ? policy.length > 0 : (policy ?? undefined) !== undefined;
}
