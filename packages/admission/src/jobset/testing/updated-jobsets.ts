// JobSets for the tests of the update rules, and the texts of their errors.
import type { ReplicatedJob } from "@jobset-ts/api";
import { type AJobSet, aJobSet } from "@jobset-ts/testing";
import { expect } from "vitest";
import { type AnyObject, replicatedJob } from "./created-jobsets.ts";

/** Creates a JobSet with these ReplicatedJobs. */
export function createJobSet(...replicatedJobs: readonly ReplicatedJob[]): AJobSet {
  return aJobSet("js").withSpec({ replicatedJobs: [...replicatedJobs] });
}

/** Creates a JobSet whose Jobs have these members in their Pod template. */
export function withPodTemplate(template: AnyObject): AJobSet {
  return createJobSet(replicatedJob("w", { template }));
}

export const container = { name: "main", image: "img" };

/** The error for a changed field. */
export const immutable = (field: string, shown: string) =>
  `${field}: Invalid value: ${shown}: field is immutable`;

/** Matches the error for changed ReplicatedJobs. */
export const replicatedJobsAreImmutable = expect.stringMatching(
  /^spec\.replicatedJobs: Invalid value: .*: field is immutable$/,
);
