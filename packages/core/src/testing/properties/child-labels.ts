import type { FeatureGates, JobSet } from "@jobset-ts/api";
import { jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claimSame } from "../../../../testing/src/laws/claim.ts";
import { childKeysByTheTable } from "../reference/child-keys-by-the-table.ts";

/** The keys of one child Job, by the position of its ReplicatedJob in the spec and by its index. */
export type ChildKeysAt = (
  jobSet: JobSet,
  position: number,
  jobIndex: number,
  context: { readonly features: FeatureGates },
) => Readonly<Record<string, string>>;

/**
 * The labels and annotations of every child Job equal those of a slow reference model, which reads them from a table
 * one by one.
 */
export function childKeysAgree(subject: ChildKeysAt): fc.IProperty<unknown> {
  const gates = fc.constantFrom<FeatureGates>(new Set(), new Set(["RestartJob"] as const));
  return fc.property(jobSets(), gates, (jobSet, features) => {
    for (const [position, { replicas = 1 }] of (jobSet.spec.replicatedJobs ?? []).entries()) {
      for (let index = 0; index < replicas; index++) {
        const expected = childKeysByTheTable(jobSet, position, index, { features });
        const keys = subject(jobSet, position, index, { features });
        claimSame(
          sortEntries(keys),
          sortEntries(expected),
          `Job ${index} of ${position} has other keys`,
        );
      }
    }
  });
}

function sortEntries(keys: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(keys).sort(([one], [other]) => (one < other ? -1 : 1)));
}
