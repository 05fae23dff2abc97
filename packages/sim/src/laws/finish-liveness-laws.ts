import type { JobSet } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Stored } from "../api-server/objects.ts";
import { getJobSetVersions, isTerminal } from "./jobset-facts.ts";
import { getLiveJobSet } from "./liveness-facts.ts";
import { LIVENESS_LIMIT_MS, type LivenessLaw } from "./liveness-law.ts";
import { getLeftRunning } from "./steady-state-laws.ts";

export const finishedJobSetsHaveNoActiveJobs: LivenessLaw = {
  name: "finishedJobSetsHaveNoActiveJobs",
  sentence: "After a JobSet has completed or failed, none of its Jobs is unfinished.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: (change) => {
    const versions = getJobSetVersions(change);
    const ends = versions !== undefined && !isTerminal(versions.before);
    return ends && isTerminal(versions.after) ? { subject: change.after as Stored } : undefined;
  },
  missing: (subject, objects) => {
    const jobSet = getLiveJobSet(subject, objects);
    return jobSet && getLeftRunning(jobSet, objects);
  },
};

export const ttlIsRespected: LivenessLaw = {
  name: "ttlIsRespected",
  sentence:
    "A JobSet with ttlSecondsAfterFinished is deleted when that time has passed after it finished, even if the field was set later.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: ({ before, after }) => {
    if (after?.kind !== "JobSet") return undefined;
    const [from, to] = [before, after].map(ttlAfterFinishedJobs);
    return to === undefined || to === from ? undefined : { subject: after, laterMs: to * 1000 };
  },
  missing: (subject, objects) => {
    const jobSet = getLiveJobSet(subject, objects);
    return jobSet && ttlAfterFinishedJobs(jobSet as KubernetesObject) !== undefined
      ? "it still exists"
      : undefined;
  },
};

/** Returns the TTL in seconds of a finished JobSet. */
function ttlAfterFinishedJobs(object: KubernetesObject | undefined): number | undefined {
  const jobSet = object as JobSet | undefined;
  return jobSet && isTerminal(jobSet)
    ? (jobSet.spec.ttlSecondsAfterFinished ?? undefined)
    : undefined;
}

export const deletionsComplete: LivenessLaw = {
  name: "deletionsComplete",
  sentence: "After a JobSet is deleted, it and all objects that it controls disappear.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: ({ before, after }) => {
    if (before?.kind !== "JobSet" || before.metadata.deletionTimestamp !== undefined)
      return undefined;
    const isAsked = after === undefined || after.metadata.deletionTimestamp !== undefined;
    return isAsked ? { subject: before } : undefined;
  },
  missing: (subject, objects) => {
    if (objects.current(subject) !== undefined) return "it still exists";
    const left = objects.ownedBy(subject.metadata.uid ?? "")[0];
    return left && `${left.kind} ${left.metadata.name} is left`;
  },
};
