import { type FeatureGates, type JobSet, jobName, type Unvalidated } from "@jobset-ts/api";
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
import { getName, getNamespace, getRestarts, getUid } from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";
import { coordinatorEndpoint } from "./coordinator.ts";
import type { IndexedReplicatedJob } from "./job-indexes.ts";
import { jobKeysIn } from "./job-key.ts";
import { jobRestartsByName } from "./job-restarts.ts";

/** The keys of a child Job and its Pods, each as a label and as an annotation. */
export type ChildKeys = Record<string, string>;

/** The part of a context that the desired objects depend on. */
export interface DesiredContext {
  readonly features: FeatureGates;
  /** Default: none. */
  readonly quirks?: Quirks;
}

/**
 * Returns the keys of a JobSet's child Jobs, by ReplicatedJob and then by job index. Keys that all Jobs, or all Jobs
 * of one ReplicatedJob, share are computed once. A caller that has already computed the Job's name can pass it.
 */
export function createChildLabels(
  jobSet: Unvalidated<JobSet>,
  context: DesiredContext,
): (indexed: IndexedReplicatedJob) => (jobIndex: number, jobName?: string) => ChildKeys {
  const jobKey = jobKeysIn(getNamespace(jobSet));
  const jobSetName = getName(jobSet);
  const jobSetUid = getUid(jobSet);
  const restartAttempt = String(getRestarts(jobSet));
  const coordinator = coordinatorEndpoint(jobSet);
  const absentKeys = keysMissingInRelease(context.quirks);
  const restartsOfJobs = context.features.has("RestartJob") ? jobRestartsByName(jobSet) : undefined;

  return (indexed) => {
    const { name, groupName, firstGlobalIndex, firstGroupIndex } = indexed;
    const replicas = String(indexed.replicas);
    const globalReplicas = String(indexed.globalReplicas);
    const groupReplicas = String(indexed.groupReplicas);
    const restarts = restartsOfJobs?.(name, indexed.replicas);
    return (jobIndex, job = jobName(jobSetName, name, jobIndex)) => {
      // Without earlier ReplicatedJobs the three indexes are equal, and thousands of Jobs share one string instead of
      // three.
      const index = String(jobIndex);
      const globalIndex = firstGlobalIndex === 0 ? index : String(firstGlobalIndex + jobIndex);
      const groupIndex = firstGroupIndex === 0 ? index : String(firstGroupIndex + jobIndex);
      // Written as a literal, because V8 creates such an object ten times as fast and freezes it without an extra
      // hidden class, which would be as large as the object. `RequiredKey` checks the keys.
      const keys: ChildKeys = {
        "jobset.sigs.k8s.io/jobset-name": jobSetName,
        "jobset.sigs.k8s.io/jobset-uid": jobSetUid,
        "jobset.sigs.k8s.io/replicatedjob-name": name,
        "jobset.sigs.k8s.io/replicatedjob-replicas": replicas,
        "jobset.sigs.k8s.io/global-replicas": globalReplicas,
        "jobset.sigs.k8s.io/job-index": index,
        "jobset.sigs.k8s.io/job-global-index": globalIndex,
        "jobset.sigs.k8s.io/job-key": jobKey(job),
        "jobset.sigs.k8s.io/group-name": groupName,
        "jobset.sigs.k8s.io/group-replicas": groupReplicas,
        "jobset.sigs.k8s.io/job-group-index": groupIndex,
        "jobset.sigs.k8s.io/restart-attempt": restartAttempt,
      } satisfies Record<RequiredKey, string>;
      if (restarts !== undefined) keys[JOB_RESTART_ATTEMPT_KEY] = String(restarts.at(jobIndex));
      if (coordinator !== undefined) keys[COORDINATOR_KEY] = coordinator;
      for (const key of absentKeys) delete keys[key];
      return keys;
    };
  };
}

/** Returns the keys that a release does not set. */
function keysMissingInRelease(quirks: Quirks | undefined): readonly string[] {
  const groups = [GROUP_NAME_KEY, GROUP_REPLICAS_KEY, JOB_GROUP_INDEX_KEY];
  return [
    ...(quirks?.has("GroupLabelsAbsent") ? groups : []),
    ...(quirks?.has("UidLabelAbsent") ? [JOBSET_UID_KEY] : []),
  ];
}

type RequiredKey =
  | typeof JOBSET_NAME_KEY
  | typeof JOBSET_UID_KEY
  | typeof REPLICATED_JOB_NAME_KEY
  | typeof REPLICATED_JOB_REPLICAS_KEY
  | typeof GLOBAL_REPLICAS_KEY
  | typeof JOB_INDEX_KEY
  | typeof JOB_GLOBAL_INDEX_KEY
  | typeof JOB_KEY_KEY
  | typeof GROUP_NAME_KEY
  | typeof GROUP_REPLICAS_KEY
  | typeof JOB_GROUP_INDEX_KEY
  | typeof RESTART_ATTEMPT_KEY;

/** Reports whether a label or annotation key is one of {@link ChildKeys}, which replaces a user's value. */
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
