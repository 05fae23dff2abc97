import { isSuspended, type JobSet } from "@jobset-ts/api";
import {
  IN_PLACE_RESTART_ATTEMPT_KEY,
  JOB_KEY_KEY,
  JOBSET_NAME_KEY,
  PRIORITY_KEY,
} from "@jobset-ts/api/keys";
import {
  getAnnotation,
  getControllerOf,
  getLabel,
  type Job,
  type KubernetesObject,
  type Node,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { jobState } from "@jobset-ts/core/child-jobs";
import { BUILT_IN_CONTROLLER } from "../api-server/job/batch-constants.ts";
import { listPods, type Objects, type Stored } from "../api-server/objects.ts";
import { isPodFinished } from "../api-server/pod-conditions.ts";
import { type Change, getChangedObject } from "../kernel/component.ts";
import { getControllingJobSet, getStoredJobs, isManagedHere, isTerminal } from "./jobset-facts.ts";
import { LIVENESS_LIMIT_MS, type LivenessLaw, type LivenessStart } from "./liveness-law.ts";
import { getDomain } from "./placement-laws.ts";
import { isFollower, isLeader, isPlacedExclusively, liveLeader } from "./pod-roles.ts";
import { hasUnidentifiableJobs } from "./relabelled-jobs.ts";

export const jobsGetTheirPods: LivenessLaw = {
  name: "jobsGetTheirPods",
  sentence:
    "A Job that is not suspended gets its Pods. Under exclusive placement, it gets its followers once its only leader is on a node, unless that leader has finished.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: (change, objects) => {
    const object = getChangedObject(change);
    if (object.kind === "Job") return change.after && { subject: change.after };
    const owner = object.kind === "Pod" ? getControllerOf(object) : undefined;
    const job = owner && objects.get("Job", object.metadata.namespace ?? "", owner.name ?? "");
    return job && { subject: job };
  },
  missing: (subject, objects) => {
    const job = objects.current(subject) as Job | undefined;
    if (job === undefined || getLabel(job, JOBSET_NAME_KEY) === undefined) return undefined;
    if (job.metadata.deletionTimestamp !== undefined || isSuspended(job)) return undefined;
    if (jobState(job) !== "active" || job.status?.conditions?.length) return undefined;
    const { parallelism = 1, completions, managedBy = BUILT_IN_CONTROLLER } = job.spec;
    if (managedBy !== BUILT_IN_CONTROLLER) return undefined;
    const pods = listPods(job.metadata.uid ?? "", objects);
    const leader = pods.find(isLeader);
    if (leader !== undefined && (!leader.spec.nodeName || isPodFinished(leader))) return undefined;
    // The Pod of a leader that has succeeded may be gone.
    const hasLed = /^0\b/.test(job.status?.completedIndexes ?? "");
    if (hasLed && isPlacedExclusively(job.spec.template as Pod)) return undefined;
    const existingCount =
      pods.filter((pod) => !isPodFinished(pod)).length + (job.status?.succeeded ?? 0);
    const desired = Math.min(parallelism, completions ?? parallelism);
    if (existingCount >= desired || hasSecondLeader(leader, objects)) return undefined;
    return `Job ${job.metadata.name} has ${existingCount} of ${desired} Pods`;
  },
};

/** Reports whether a job key has another leader. A Job that is deleted with orphaned Pods leaves one behind. */
function hasSecondLeader(leader: Pod | undefined, objects: Objects): boolean {
  const key = leader && getLabel(leader, JOB_KEY_KEY);
  const isSecond = (pod: Pod) =>
    pod !== leader &&
    isLeader(pod) &&
    getLabel(pod, JOB_KEY_KEY) === key &&
    pod.metadata.namespace === leader?.metadata.namespace;
  return key !== undefined && (objects.ofKind("Pod") as unknown as readonly Pod[]).some(isSecond);
}

export const inPlaceRestartsComplete: LivenessLaw = {
  name: "inPlaceRestartsComplete",
  sentence:
    "When a Pod of a JobSet with in-place restart announces an attempt beyond maxRestarts, the JobSet fails.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: ({ before, after }, objects) => {
    if (after?.kind !== "Pod") return undefined;
    const [was, is] = [before, after].map(
      (pod) => pod && getAnnotation(pod, IN_PLACE_RESTART_ATTEMPT_KEY),
    );
    if (is === undefined || was === is) return undefined;
    const job = objects.get(
      "Job",
      after.metadata.namespace ?? "",
      getControllerOf(after)?.name ?? "",
    );
    const jobSet = job && getControllingJobSet(job, objects);
    return jobSet && { subject: jobSet as KubernetesObject as Stored };
  },
  missing: (subject, objects) => {
    const jobSet = objects.current(subject) as JobSet | undefined;
    if (jobSet === undefined || isTerminal(jobSet) || !isManagedHere(jobSet)) return undefined;
    if (hasUnidentifiableJobs(jobSet, objects)) return undefined;
    const { spec, status, metadata } = jobSet;
    if (metadata.deletionTimestamp !== undefined) return undefined;
    // Without its feature gate, the strategy has no effect, and no attempt is known.
    const isInPlace = spec.failurePolicy?.restartStrategy === "InPlaceRestart";
    const known = status?.currentInPlaceRestartAttempt ?? status?.previousInPlaceRestartAttempt;
    if (!isInPlace || known === undefined) return undefined;
    const pods = getStoredJobs(jobSet, objects)
      .flatMap(({ metadata: { uid } }) => listPods(uid ?? "", objects))
      .filter((pod) => pod.status?.phase !== "Failed");
    const attempts = pods.map((pod) =>
      Number(getAnnotation(pod, IN_PLACE_RESTART_ATTEMPT_KEY) ?? 0),
    );
    // A pass cannot count attempts that it cannot parse.
    if (attempts.some(Number.isNaN)) return undefined;
    const uncounted = (status?.restarts ?? 0) - (status?.restartsCountTowardsMax ?? 0);
    const allowed = (spec.failurePolicy?.maxRestarts ?? 0) + uncounted;
    const beyond = attempts.find((attempt) => attempt > allowed);
    return beyond === undefined
      ? undefined
      : `attempt ${beyond} is announced and ${allowed} are allowed, but the JobSet has not failed`;
  },
};

export const followersJoinTheirLeader: LivenessLaw = {
  name: "followersJoinTheirLeader",
  sentence:
    "Under exclusive placement, all followers of a Job are assigned to the domain of its leader, given by the node's label when the leader last changed.",
  // The controller gets no event for a changed node label. It compares at the next change of the leader.
  validUnder: "NodeLabelsArrive",
  appliesTo: "BuiltInController",
  withinMs: LIVENESS_LIMIT_MS,
  begins: (change, objects) => {
    const { after } = change;
    return after !== undefined && isLeader(after as unknown as Pod)
      ? getPodJob(after, objects)
      : startByPlacement(change, objects);
  },
  missing: (subject, objects) => {
    const leader = liveLeader(subject.metadata.uid ?? "", objects);
    const place = leader && getDomain(leader, objects);
    if (leader === undefined || place === undefined) return undefined;
    const node = objects.get<Node>("Node", "", leader.spec.nodeName ?? "");
    if (getRevision(node) > getRevision(leader)) return undefined;
    const astray = listPods(subject.metadata.uid ?? "", objects).find(
      (pod) =>
        isFollower(pod) &&
        !isPodFinished(pod) &&
        pod.metadata.deletionTimestamp === undefined &&
        pod.spec.nodeSelector?.[place.key] !== place.domain,
    );
    return (
      astray &&
      `Pod ${astray.metadata.name} is assigned to ${astray.spec.nodeSelector?.[place.key]}, but its leader is in ${place.domain}`
    );
  },
};

/**
 * Starts the time limit of a Pod under exclusive placement when it is created and when it is bound to a
 * node.
 */
function startByPlacement({ before, after }: Change, objects: Objects): LivenessStart | undefined {
  if (after?.kind !== "Pod" || !isPlacedExclusively(after as unknown as Pod)) return undefined;
  const nodes = [before, after].map((pod) => (pod as unknown as Pod | undefined)?.spec.nodeName);
  return before !== undefined && nodes[0] === nodes[1] ? undefined : getPodJob(after, objects);
}

function getPodJob(pod: Stored, objects: Objects): LivenessStart | undefined {
  const name = getControllerOf(pod)?.name ?? "";
  const job = objects.get("Job", pod.metadata.namespace ?? "", name);
  return job && { subject: job };
}

function getRevision(object: KubernetesObject | undefined): number {
  return Number(object?.metadata.resourceVersion ?? 0);
}

export const leadersAreAdmitted: LivenessLaw = {
  name: "leadersAreAdmitted",
  sentence:
    "Under exclusive placement, no two Jobs with pending leaders have followers in one domain, where each would exclude the leader of the other.",
  appliesTo: "BuiltInController",
  withinMs: LIVENESS_LIMIT_MS,
  begins: startByPlacement,
  missing: (subject, objects) => {
    const jobUid = subject.metadata.uid ?? "";
    if (!isWithoutLeader(jobUid, objects)) return undefined;
    const domain = listPods(jobUid, objects)
      .map((pod) => getReservedDomain(pod, objects))
      .find((held) => held !== undefined);
    if (domain === undefined) return undefined;
    const other = objects.ofKind<Pod>("Pod").find((pod) => {
      const owner = getControllerOf(pod)?.uid ?? "";
      const isElsewhere = owner === jobUid || getReservedDomain(pod, objects) !== domain;
      return !isElsewhere && isWithoutLeader(owner, objects);
    });
    return (
      other &&
      `Job ${subject.metadata.name} waits for its leader, and so does Job ${getControllerOf(other)?.name}, whose ${other.metadata.name} is also in ${domain}`
    );
  },
};

/** Reports whether the leader of a Job is not on a node. */
function isWithoutLeader(jobUid: string, objects: Objects): boolean {
  return !liveLeader(jobUid, objects)?.spec.nodeName;
}

/** Returns the domain that a Pod reserves against Jobs of the same priority, as `key=value`. */
function getReservedDomain(pod: Pod, objects: Objects): string | undefined {
  if (!isPlacedExclusively(pod) || isPodFinished(pod)) return undefined;
  const place = getDomain(pod, objects);
  return place && `${place.key}=${place.domain} (priority ${getLabel(pod, PRIORITY_KEY) ?? "0"})`;
}
