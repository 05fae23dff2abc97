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
  withTermsOf,
} from "../scheduler/occupancy.ts";
import { createPodInfo } from "../scheduler/pod-info.ts";
import { barriersAreLifted } from "./in-place-restart-laws.ts";
import { getStoredJobs, isManagedHere, isTerminal } from "./jobset-facts.ts";
import type { SteadyStateLaw } from "./law.ts";
import { runningJobSetsHaveQuota } from "./queue-laws.ts";

export const nothingIsLeftToDo: SteadyStateLaw = {
  name: "nothingIsLeftToDo",
  sentence: "At rest a pass over what is stored asks for nothing, and for no later pass.",
  onSteadyState: (objects, context) => {
    const snapshot = createSnapshot(objects.all(), { kinds: "all" });
    for (const jobSet of snapshot.jobSets) {
      const plan = reconcile(snapshot, jobSet, context);
      const [step] = plan.steps;
      if (step !== undefined)
        return `${namespacedName(jobSet)}: ${step.phase}, since ${step.message}`;
      const { requeueAfterSeconds } = plan;
      if (requeueAfterSeconds !== undefined)
        return `${namespacedName(jobSet)} is to be looked after again in ${requeueAfterSeconds} s`;
    }
    return undefined;
  },
};

export const suspensionIsComplete: SteadyStateLaw = {
  name: "suspensionIsComplete",
  sentence:
    "At rest a suspended JobSet says so, and none of its unfinished Jobs has a Pod that runs.",
  onSteadyState: (objects) => {
    for (const jobSet of getLiveJobSets(objects).filter(isSuspended)) {
      const missing = getNotSuspended(jobSet, objects);
      if (missing !== undefined) return `${namespacedName(jobSet)}: ${missing}`;
    }
    return undefined;
  },
};

/** What is missing of the suspension of a JobSet. */
export function getNotSuspended(jobSet: JobSet, objects: Objects): string | undefined {
  if (!isConditionTrue(jobSet.status?.conditions, CONDITION_SUSPENDED)) {
    return "it does not say that it is suspended";
  }
  const runs = getStoredJobs(jobSet, objects).find(
    (job) => jobState(job) === "active" && (!isSuspended(job) || (job.status?.active ?? 0) > 0),
  );
  return runs && `Job ${runs.metadata.name} runs`;
}

export const endedJobSetsRunNothing: SteadyStateLaw = {
  name: "endedJobSetsRunNothing",
  sentence:
    "At rest no Job of a JobSet that has completed or failed is unfinished, of whatever attempt.",
  onSteadyState: (objects) => {
    for (const jobSet of objects.ofKind<JobSet>("JobSet").filter(isTerminal)) {
      const left = getLeftRunning(jobSet, objects);
      if (left !== undefined) return left;
    }
    return undefined;
  },
};

/** A Job that a JobSet which has ended has left. */
export function getLeftRunning(jobSet: JobSet, objects: Objects): string | undefined {
  const runs = getStoredJobs(jobSet, objects).find((job) => jobState(job) === "active");
  return runs && `Job ${runs.metadata.name} is unfinished`;
}

export const deletedJobSetsLeaveNothing: SteadyStateLaw = {
  name: "deletedJobSetsLeaveNothing",
  sentence:
    "At rest no JobSet is being deleted, and no Job, Pod or Service is controlled by one that is gone.",
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
        return `${object.kind} ${object.metadata.name} has lost its owner`;
    }
    return undefined;
  },
};

export const podsGetTheNodesThatThereAre: SteadyStateLaw = {
  name: "podsGetTheNodesThatThereAre",
  sentence: "At rest no Pod waits for a node while there is one that takes it.",
  onSteadyState: (objects) => {
    const pods = objects.ofKind<Pod>("Pod").filter((pod) => !isPodFinished(pod));
    const waiting = pods.filter(
      (pod) => !pod.spec.nodeName && !pod.metadata.deletionTimestamp && !isGated(pod),
    );
    if (waiting.length === 0) return undefined;
    const occupancy = measureOccupancy(objects.ofKind<Node>("Node"), pods);
    for (const pod of waiting) {
      const facts = createPodInfo(pod);
      const found = findNode(withTermsOf(occupancy, facts), facts, "ByName", () => 0);
      if (found.found) return `Pod ${namespacedName(pod)} waits, and node ${found.node} takes it`;
    }
    return undefined;
  },
};

/** What is taken of the nodes, whatever the scheduler knows of that. */
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

/** The JobSets that have not ended, and are the controller's own to look after. */
function getLiveJobSets(objects: Objects): readonly JobSet[] {
  const jobSets = objects.ofKind<JobSet>("JobSet");
  return jobSets.filter((jobSet) => !isTerminal(jobSet) && isManagedHere(jobSet));
}

/**
 * What has to hold of a cluster that has come to rest.
 *
 * @example steadyStateLaws.map(({ name }) => name).includes("nothingIsLeftToDo") // => true
 */
export const steadyStateLaws: readonly SteadyStateLaw[] = [
  nothingIsLeftToDo,
  suspensionIsComplete,
  endedJobSetsRunNothing,
  deletedJobSetsLeaveNothing,
  podsGetTheNodesThatThereAre,
  barriersAreLifted,
  runningJobSetsHaveQuota,
];
