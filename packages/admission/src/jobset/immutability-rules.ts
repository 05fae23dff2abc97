import { invalid } from "@jobset-ts/api/errors";
import { renderJson, renderJsonList, semanticEqual } from "@jobset-ts/api/typed";
import { type JobSetView, namesText } from "./jobset-view.ts";
import { withMutableMembersRestored } from "./mutable-members.ts";
import type { UpdateView } from "./update-view.ts";
import type { Violations } from "./violations.ts";

const DETAIL = "field is immutable";

/** The ReplicatedJobs stay as they are, but for what may change: one error however many differences. */
export function replicatedJobsRules(update: UpdateView, found: Violations): void {
  const next = withMutableMembersRestored(update);
  const { replicatedJobs } = update.before.spec;
  if (semanticEqual({ replicatedJobs }, { replicatedJobs: next }, "JobSetSpec")) return;
  // The list shown is not the one that was sent: it has the old values where new ones are allowed.
  const shown = renderJsonList(next, "ReplicatedJob");
  const sent = update.after.spec.replicatedJobs ?? null;
  const error = invalid("spec.replicatedJobs", sent, DETAIL, shown);
  found.add("replicated-jobs-immutable", error);
}

/** The manager of a JobSet cannot change. An absent manager differs from the empty name. */
export function managedByUpdateRules({ before, after }: UpdateView, found: Violations): void {
  const [old, next] = [getManager(before), getManager(after)];
  if (old === next) return;
  const error = invalid("spec.managedBy", next ?? null, DETAIL, renderJson(next, "string"));
  found.add("managed-by-immutable", error);
}

function getManager({ spec }: JobSetView): string | undefined {
  const managedBy = spec.managedBy ?? undefined;
  return managedBy === undefined ? undefined : namesText(managedBy);
}

/** The policies that the API server keeps as they are, by comparing two present ones. */
export const immutablePolicies = [
  "network",
  "successPolicy",
  "failurePolicy",
  "startupPolicy",
  "volumeClaimPolicies",
] as const;

/**
 * Reports whether a policy of them may go: upstream compares two present ones only, and a missing one is not looked at.
 */
export function policiesAreRemovable({ quirks }: Pick<JobSetView, "quirks">): boolean {
  return quirks.has("PolicyRemovable");
}

/** A policy of them that is there stays there. */
export function policyRules({ before, after }: UpdateView, found: Violations): void {
  if (policiesAreRemovable(after)) return;
  for (const policy of immutablePolicies) {
    if (!isThere(before.spec[policy]) || isThere(after.spec[policy])) continue;
    found.add("policy-kept", invalid(`spec.${policy}`, null, DETAIL));
  }
}

/** An empty list means the same as none. */
function isThere(policy: object | null | undefined): boolean {
  return Array.isArray(policy) ? policy.length > 0 : (policy ?? undefined) !== undefined;
}
