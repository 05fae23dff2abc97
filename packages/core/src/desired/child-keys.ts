import { type Features, type JobSet, jobName, type Observed } from "@jobset-ts/api";
import {
  COORDINATOR_KEY,
  GLOBAL_REPLICAS_KEY,
  GROUP_NAME_KEY,
  GROUP_REPLICAS_KEY,
  JOB_GLOBAL_INDEX_KEY,
  JOB_GROUP_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  JOBSET_NAME_KEY,
  JOBSET_UID_KEY,
  REPLICATED_JOB_NAME_KEY,
  REPLICATED_JOB_REPLICAS_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import { nameOf, namespaceOf, restartsOf, uidOf } from "../jobset-members.ts";
import { coordinatorEndpoint } from "./coordinator.ts";
import type { IndexedReplicatedJob } from "./job-indexes.ts";
import { jobKeysIn } from "./job-key.ts";
import { jobRestartsByName } from "./job-restarts.ts";

/** The keys that a child Job and its Pods carry, each as a label and as an annotation. */
export type ChildKeys = Record<string, string>;

/**
 * The keys of a JobSet's child Jobs, by ReplicatedJob and then by job index. What is the same for all Jobs, or
 * for all of one ReplicatedJob, is worked out once. Who has made the Job's name already may pass it on.
 */
export function childKeysOf(
  jobSet: Observed<JobSet>,
  context: { readonly features: Features },
): (indexed: IndexedReplicatedJob) => (jobIndex: number, jobName?: string) => ChildKeys {
  const jobKey = jobKeysIn(namespaceOf(jobSet));
  const jobSetName = nameOf(jobSet);
  const coordinator = coordinatorEndpoint(jobSet);
  const restartsOfJobs = context.features.has("RestartJob") ? jobRestartsByName(jobSet) : undefined;

  return (indexed) => {
    const { name, replicas, firstGlobalIndex, firstGroupIndex } = indexed;
    const restarts = restartsOfJobs?.(name, replicas);
    // Every Job's keys are a copy of this one object, and writing to keys that are already there leaves its
    // hidden class alone: that is three times as fast as fourteen new members.
    const shared: ChildKeys = {
      [JOBSET_NAME_KEY]: jobSetName,
      [JOBSET_UID_KEY]: uidOf(jobSet),
      [REPLICATED_JOB_NAME_KEY]: name,
      [REPLICATED_JOB_REPLICAS_KEY]: String(replicas),
      [GLOBAL_REPLICAS_KEY]: String(indexed.globalReplicas),
      [JOB_INDEX_KEY]: "",
      [JOB_GLOBAL_INDEX_KEY]: "",
      [JOB_KEY_KEY]: "",
      [GROUP_NAME_KEY]: indexed.groupName,
      [GROUP_REPLICAS_KEY]: String(indexed.groupReplicas),
      [JOB_GROUP_INDEX_KEY]: "",
      [RESTART_ATTEMPT_KEY]: String(restartsOf(jobSet)),
      ...(restarts === undefined ? {} : { [JOB_RESTART_ATTEMPT_KEY]: "" }),
      ...(coordinator === undefined ? {} : { [COORDINATOR_KEY]: coordinator }),
    };
    return (jobIndex, job = jobName(jobSetName, name, jobIndex)) => {
      const keys = { ...shared };
      // Where nothing is listed before, the three are one text, and thousands of Jobs keep one instead of three.
      const index = String(jobIndex);
      keys[JOB_INDEX_KEY] = index;
      keys[JOB_GLOBAL_INDEX_KEY] =
        firstGlobalIndex === 0 ? index : String(firstGlobalIndex + jobIndex);
      keys[JOB_GROUP_INDEX_KEY] =
        firstGroupIndex === 0 ? index : String(firstGroupIndex + jobIndex);
      keys[JOB_KEY_KEY] = jobKey(job);
      if (restarts !== undefined) keys[JOB_RESTART_ATTEMPT_KEY] = String(restarts.at(jobIndex));
      return keys;
    };
  };
}

/** Whether a label or annotation key is one of {@link ChildKeys}, so that no user's value survives under it. */
export function isChildKey(key: string): boolean {
  return childKeyNames.has(key);
}

const childKeyNames: ReadonlySet<string> = new Set([
  COORDINATOR_KEY,
  GLOBAL_REPLICAS_KEY,
  GROUP_NAME_KEY,
  GROUP_REPLICAS_KEY,
  JOB_GLOBAL_INDEX_KEY,
  JOB_GROUP_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  JOBSET_NAME_KEY,
  JOBSET_UID_KEY,
  REPLICATED_JOB_NAME_KEY,
  REPLICATED_JOB_REPLICAS_KEY,
  RESTART_ATTEMPT_KEY,
]);
