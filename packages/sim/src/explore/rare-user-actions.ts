import { defaultJobSet, getReplicatedJobs, type JobSet, type Unvalidated } from "@jobset-ts/api";
import {
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import type { RequestedObject } from "../api-server/api-request.ts";
import { BATCH_JOB_NAME_KEY } from "../api-server/job/batch-constants.ts";
import type { UserAction } from "../scenario/scenario.ts";
import type { SeededRandom } from "./seeded-random.ts";

/**
 * The objects that rare user actions can affect: one JobSet at its creation, and the names of its
 * Jobs.
 */
export interface UserEdits {
  readonly jobSet: Unvalidated<JobSet>;
  readonly jobs: readonly string[];
}

/** A user action without its time. */
export type TimelessAction = Omit<UserAction, "at">;

/** Draws a rare user action by its index. */
export function getRareAction(
  chance: SeededRandom,
  hands: UserEdits,
  index: number,
): TimelessAction {
  // Drawn separately, so a seed keeps its other actions when rarer ones are added.
  return chance.happens(0.5, "rarest", "action", index)
    ? getRarestAction(chance, hands, index)
    : { request: getRareRequest(chance, hands, index) };
}

function getRareRequest(
  { below, pick }: SeededRandom,
  { jobSet, jobs }: UserEdits,
  index: number,
): UserAction["request"] {
  const namespace = getNamespace(jobSet);
  const createObject = (kind: string, name: string, members: object = {}): RequestedObject => ({
    kind,
    metadata: { namespace, name, ...members },
  });
  const job = pick(jobs, "rareJob", index);
  switch (below(5, "rareAction", index)) {
    case 0: {
      const propagationPolicy = pick(["Background", "Orphan"] as const, "rarePolicy", index);
      return { verb: "delete", object: createObject("Job", job), propagationPolicy };
    }
    case 1:
      return { verb: "delete", object: createObject("Service", getName(jobSet)) };
    case 2: {
      const ttlSecondsAfterFinished = pick([0, 30, null], "rareTtl", index);
      const object = {
        ...createObject("JobSet", getName(jobSet)),
        spec: { ttlSecondsAfterFinished },
      };
      return { verb: "patch", object };
    }
    default: {
      const key = pick(EDITED_LABELS, "rareLabel", index);
      const value = pick(["0", "1", "workers", null], "rareValue", index);
      return { verb: "patch", object: createObject("Job", job, { labels: { [key]: value } }) };
    }
  }
}

/** Labels that identify the position of a Job. */
const EDITED_LABELS = [RESTART_ATTEMPT_KEY, REPLICATED_JOB_NAME_KEY, JOB_INDEX_KEY];

function getRarestAction(
  chance: SeededRandom,
  { jobSet, jobs }: UserEdits,
  index: number,
): TimelessAction {
  const { below, happens, pick } = chance;
  const metadata = { namespace: getNamespace(jobSet), name: getName(jobSet) };
  const job = pick(jobs, "rarestJob", index);
  const selector = { [BATCH_JOB_NAME_KEY]: job };
  const pods = { namespace: metadata.namespace };
  const labels = {
    [pick(ALL_LABELS, "rarestLabel", index)]: pick(LABEL_VALUES, "rarestValue", index),
  };
  switch (below(7, "rarestAction", index)) {
    case 0: {
      const object = { kind: "Job", metadata: { ...metadata, name: job, labels } };
      return { request: { verb: "patch", object: object as RequestedObject } };
    }
    case 1: {
      const object = { kind: "Pod", metadata: { ...pods, labels } };
      return { request: { verb: "patch", object: object as RequestedObject }, selector };
    }
    case 2:
    case 3: {
      const object: RequestedObject = { kind: "Pod", metadata: pods };
      const isForced = happens(0.5, "forced", index);
      const grace = isForced ? { gracePeriodSeconds: 0 } : {};
      return { request: { verb: "delete", object, ...grace }, selector };
    }
    case 4: {
      const object: RequestedObject = { kind: "JobSet", metadata };
      return { request: { verb: "delete", object, propagationPolicy: "Orphan" } };
    }
    case 5:
      return { request: { verb: "create", object: jobSet as RequestedObject } };
    default: {
      const spec = { replicatedJobs: createScaling(jobSet, chance, index) };
      return { request: { verb: "patch", object: { kind: "JobSet", metadata, spec } } };
    }
  }
}

/** Labels that identify the owner and position of Jobs and Pods. */
const ALL_LABELS = [...EDITED_LABELS, JOB_RESTART_ATTEMPT_KEY, JOBSET_NAME_KEY, JOB_KEY_KEY];

/** The values of other Jobs, invalid values, and no value. */
const LABEL_VALUES = ["0", "1", "-1", "leader", "other", null];

/**
 * Returns the ReplicatedJobs of a JobSet, one of them with another number of Pods. They include the defaults of the
 * creation, because an update gets no defaults.
 */
function createScaling(
  jobSet: Unvalidated<JobSet>,
  { below, pick }: SeededRandom,
  index: number,
): readonly object[] {
  const replicatedJobs = getReplicatedJobs(defaultJobSet(jobSet));
  const which = pick(replicatedJobs, "scaled", index)?.name;
  const pods = 1 + below(4, "scaledTo", index);
  return replicatedJobs.map((one) => {
    const counts = one.name === which ? { parallelism: pods, completions: pods } : {};
    const template = { ...one.template, spec: { ...one.template?.spec, ...counts } };
    return { groupName: "default", ...one, template };
  });
}
