import type { JobSet, Unvalidated } from "@jobset-ts/api";
import fc from "fast-check";
import { claim, claimSame } from "../../../testing/src/laws/claim.ts";
import { deepClone, deepFreeze } from "../../../testing/src/testing/freezing.ts";
import type { KueueCluster } from "../index.ts";
import type { DefaultedJobSet } from "../webhooks/default-on-create.ts";
import { queuedJobSets } from "./arbitrary-queued-jobsets.ts";
import { aCluster } from "./kueue-cluster.ts";

/** The result of creating a JobSet in a cluster with Kueue. */
export type DefaultOnCreate = (
  jobSet: Unvalidated<JobSet>,
  cluster: KueueCluster,
) => DefaultedJobSet;

/**
 * Defaulting is idempotent, resumes no JobSet, and does not replace the manager of a JobSet unless it is JobSet's own
 * controller.
 */
export function defaultingIsIdempotent(subject: DefaultOnCreate): fc.IProperty<unknown> {
  return fc.property(queuedJobSets(), (jobSet) => {
    const once = applyDefaults(subject, deepFreeze(deepClone(jobSet)));
    claimSame(applyDefaults(subject, once), once, "a second call changes something");
    const { suspend, managedBy } = jobSet.spec;
    if (suspend === true) claimSame(once.spec?.suspend, true, "the JobSet is resumed");
    const queue = once.metadata?.labels?.["kueue.x-k8s.io/queue-name"] ?? "";
    if (queue !== "") claimSame(once.spec?.suspend, true, "the JobSet does not wait for quota");
    if (managedBy === "example.com/other") {
      claimSame(once.spec?.managedBy, managedBy, "the manager is replaced");
    }
  });
}

function applyDefaults(subject: DefaultOnCreate, jobSet: Unvalidated<JobSet>): Unvalidated<JobSet> {
  const result = subject(jobSet, aCluster());
  claim(result.allowed, "a JobSet without owners is denied", result);
  return result.allowed ? result.jobSet : jobSet;
}
