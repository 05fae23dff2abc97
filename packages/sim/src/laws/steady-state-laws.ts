import { isSuspended, type JobSet } from "@jobset-ts/api";
import { CONDITION_SUSPENDED } from "@jobset-ts/api/conditions";
import {
  getControllerOf,
  type Job,
  type Node,
  namespacedName,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { createSnapshot, reconcile } from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import { isConditionTrue } from "../api-server/conditions.ts";
import type { Objects } from "../api-server/objects.ts";
import { isGated, isPodFinished } from "../api-server/pod-conditions.ts";
import { findNode } from "../scheduler/find-node.ts";
import { createNodeInfo } from "../scheduler/node-info.ts";
import {
  EMPTY_OCCUPANCY,
  type Occupancy,
  withNode,
  withNominated,
  withPod,
  withTerms,
} from "../scheduler/occupancy.ts";
import { createPodInfo } from "../scheduler/pod-info.ts";
import { barriersAreReleased } from "./in-place-restart-laws.ts";
import { getStoredJobs, isManagedHere, isTerminal } from "./jobset-facts.ts";
import type { SteadyStateLaw } from "./law.ts";
import { runningJobSetsHaveQuota } from "./queue-laws.ts";

export const idleControllersHaveEmptyPlans: SteadyStateLaw = {
  name: "idleControllersHaveEmptyPlans",
  sentence:
    "In an idle cluster, a pass over the stored objects requests nothing and schedules no later pass.",
  onSteadyState: (objects, context) => {
    const snapshot = createSnapshot(objects.all(), { kinds: "all" });
    for (const jobSet of snapshot.jobSets) {
      const plan = reconcile(snapshot, jobSet, context);
      const [step] = plan.steps;
      if (step !== undefined)
        return `${namespacedName(jobSet)}: ${step.phase}, since ${step.message}`;
      const { requeueAfterSeconds } = plan;
      if (requeueAfterSeconds !== undefined)
        return `a pass over ${namespacedName(jobSet)} requests a later pass in ${requeueAfterSeconds} s`;
    }
    return undefined;
  },
};

export const suspensionIsComplete: SteadyStateLaw = {
  name: "suspensionIsComplete",
  sentence:
    "In an idle cluster, a suspended JobSet has the condition Suspended, and none of its unfinished Jobs has a running Pod.",
  onSteadyState: (objects) => {
    for (const jobSet of getLiveJobSets(objects).filter(isSuspended)) {
      const missing = getNotSuspended(jobSet, objects);
      if (missing !== undefined) return `${namespacedName(jobSet)}: ${missing}`;
    }
    return undefined;
  },
};

/** Returns the missing part of a JobSet's suspension. */
export function getNotSuspended(jobSet: JobSet, objects: Objects): string | undefined {
  if (!isConditionTrue(jobSet.status?.conditions, CONDITION_SUSPENDED)) {
    return "its condition Suspended is not True";
  }
  const runs = getStoredJobs(jobSet, objects).find(
    (job) => jobState(job) === "active" && (!isSuspended(job) || (job.status?.active ?? 0) > 0),
  );
  return runs && `Job ${runs.metadata.name} runs`;
}

export const finishedJobSetsRunNoPods: SteadyStateLaw = {
  name: "finishedJobSetsRunNoPods",
  sentence: "In an idle cluster, all Jobs of a finished JobSet have finished, in every attempt.",
  onSteadyState: (objects) => {
    for (const jobSet of objects.ofKind<JobSet>("JobSet").filter(isTerminal)) {
      const left = getLeftRunning(jobSet, objects);
      if (left !== undefined) return left;
    }
    return undefined;
  },
};

/** Returns an unfinished Job of a finished JobSet. */
export function getLeftRunning(jobSet: JobSet, objects: Objects): string | undefined {
  const runs = getStoredJobs(jobSet, objects).find((job) => jobState(job) === "active");
  return runs && `Job ${runs.metadata.name} is unfinished`;
}

export const deletedJobSetsLeaveNoObjects: SteadyStateLaw = {
  name: "deletedJobSetsLeaveNoObjects",
  sentence:
    "In an idle cluster, no JobSet is being deleted, and no Job, Pod or Service has a controller owner that no longer exists.",
  onSteadyState: (objects) => {
    const stuck = objects
      .ofKind<JobSet>("JobSet")
      .find(({ metadata }) => metadata.deletionTimestamp);
    if (stuck !== undefined) return `${namespacedName(stuck)} is still being deleted`;
    for (const object of objects.all()) {
      const owner = getControllerOf(object);
      if (owner?.kind !== "JobSet" && owner?.kind !== "Job") continue;
      const found = objects.get<JobSet | Job>(
        owner.kind,
        object.metadata.namespace ?? "",
        owner.name ?? "",
      );
      if (found?.metadata.uid !== owner.uid)
        return `the owner of ${object.kind} ${object.metadata.name} is gone`;
    }
    return undefined;
  },
};

export const podsAreScheduledIfNodesFit: SteadyStateLaw = {
  name: "podsAreScheduledIfNodesFit",
  sentence: "In an idle cluster, no Pod is pending if it fits a node.",
  onSteadyState: (objects) => {
    const pods = objects.ofKind<Pod>("Pod").filter((pod) => !isPodFinished(pod));
    const waiting = pods.filter(
      (pod) => !pod.spec.nodeName && !pod.metadata.deletionTimestamp && !isGated(pod),
    );
    if (waiting.length === 0) return undefined;
    const occupancy = measureOccupancy(objects.ofKind<Node>("Node"), pods);
    for (const pod of waiting) {
      const facts = createPodInfo(pod);
      const found = findNode(withTerms(occupancy, facts), facts, "ByName", () => 0);
      if (found.found) return `Pod ${namespacedName(pod)} is pending, but fits node ${found.node}`;
    }
    return undefined;
  },
};

/** Computes the occupancy of the nodes from the objects, independently of the scheduler's state. */
function measureOccupancy(nodes: readonly Node[], pods: readonly Pod[]): Occupancy {
  let occupancy = EMPTY_OCCUPANCY;
  for (const node of nodes) occupancy = withNode(occupancy, undefined, createNodeInfo(node));
  for (const pod of pods) {
    const { nodeName } = pod.spec;
    const to = pod.status?.nominatedNodeName ?? "";
    occupancy = nodeName
      ? withPod(occupancy, createPodInfo(pod), nodeName)
      : withNominated(occupancy, createPodInfo(pod), { from: "", to });
  }
  return occupancy;
}

/** Returns the unfinished JobSets that the built-in controller manages. */
function getLiveJobSets(objects: Objects): readonly JobSet[] {
  const jobSets = objects.ofKind<JobSet>("JobSet");
  return jobSets.filter((jobSet) => !isTerminal(jobSet) && isManagedHere(jobSet));
}

/**
 * The laws for an idle cluster.
 *
 * @example steadyStateLaws.map(({ name }) => name).includes("idleControllersHaveEmptyPlans") // => true
 */
export const steadyStateLaws: readonly SteadyStateLaw[] = [
  idleControllersHaveEmptyPlans,
  suspensionIsComplete,
  finishedJobSetsRunNoPods,
  deletedJobSetsLeaveNoObjects,
  podsAreScheduledIfNodesFit,
  barriersAreReleased,
  runningJobSetsHaveQuota,
];
