import { isSuspended } from "@jobset-ts/api";
import { asArray, getControllerOf, isEqualJson, type Job } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { isReady, jobState } from "@jobset-ts/core/child-jobs";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { PlanNote } from "../jobset-controller/pass-note.ts";
import { draw } from "../kernel/draw.ts";
import { getReplicatedJobName, groupBy, isManagedHere } from "./jobset-facts.ts";
import type { SafetyLaw } from "./law.ts";
import { countRelabelledJobs, isRelabelled } from "./relabelled-jobs.ts";
import {
  getObservedJobSet,
  getStatusWrite,
  jobWrite,
  listMetadataChanges,
} from "./request-facts.ts";
import { getCurrentJobs } from "./restart-attempt.ts";

export const reconcileNeverThrows: SafetyLaw = {
  name: "reconcileNeverThrows",
  sentence: "No pass throws or modifies its input, whatever it sees.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  onFailedPass: ({ error }) => String(error),
};

export const equalViewsGetEqualPlans: SafetyLaw = {
  name: "equalViewsGetEqualPlans",
  sentence: "Two passes with the same view at the same time return the same plan.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  onPlan: (planned) =>
    !shouldPlanAgain(planned) || isEqualJson(planned.recompute(), planned.plan)
      ? undefined
      : "the second plan differs from the first",
};

/** Planning again is costly. Of the plans without effects, only one in four is checked, selected by time and revision. */
function shouldPlanAgain({ plan, context, revisions }: PlanNote): boolean {
  return plan.steps.length > 0 || draw(revisions.JobSet ?? 0, context.now) < 0.25;
}

export const deletedAndForeignJobSetsAreLeftAlone: SafetyLaw<PersistentMap<true>> = {
  name: "deletedAndForeignJobSetsAreLeftAlone",
  sentence:
    "A pass does nothing for a JobSet that is being deleted or that another controller manages, except to remove its own finalizers from a JobSet that is being deleted and from the objects of that JobSet.",
  validUnder: "Always",
  /** The finalizers that the controller added to objects of JobSets. */
  memory: emptyMap(),
  onRequest: (request, context) => {
    const jobSet = getObservedJobSet(request);
    if (jobSet === undefined) return undefined;
    const isLeft = jobSet.metadata.deletionTimestamp !== undefined || !isManagedHere(jobSet);
    const { verb, object } = request.request;
    const marks = listMetadataChanges(request) ?? [];
    if (!isLeft) {
      const created = verb === "create" ? asArray(object.metadata?.finalizers) : [];
      const added = marks.filter((one) => one.startsWith("added finalizer "));
      for (const name of [...created, ...added.map((one) => one.replace("added finalizer ", ""))])
        context.memory = context.memory.set(`${name}`, true);
      return undefined;
    }
    // `foreignObjectsAreLeftAlone` checks that the finalizer of a JobSet belongs to the controller.
    const isOwn = (mark: string) =>
      mark.startsWith("finalizer ") &&
      (object.kind === "JobSet" || context.memory.get(mark.replace("finalizer ", "")) === true);
    if (isManagedHere(jobSet) && marks.length > 0 && marks.every(isOwn)) return undefined;
    return `${verb} of ${object.kind} ${object.metadata?.name} for a JobSet that the pass must not touch`;
  },
};

export const countsMatchObservedJobs: SafetyLaw = {
  name: "countsMatchObservedJobs",
  sentence:
    "The status counters that a pass writes match the Jobs of the current attempt that it sees and whose names the JobSet requests: ready, active, suspended, succeeded and failed.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request) => {
    const { jobSet, status } = getStatusWrite(request) ?? {};
    if (jobSet === undefined || status === undefined) return undefined;
    // A restart changes the current attempt, but still counts the Jobs of the previous one.
    if ((status.restarts ?? 0) !== (jobSet.status?.restarts ?? 0)) return undefined;
    const jobs = getCurrentJobs(jobSet, request.snapshot).filter((job) => !isRelabelled(job));
    const before = groupBy(asArray(jobSet.status?.replicatedJobsStatus), ({ name }) => name);
    const byName = groupBy(jobs, (job) => getReplicatedJobName(job, jobSet));
    const relabelled = countRelabelledJobs(jobSet, request.snapshot);
    for (const entry of asArray(status.replicatedJobsStatus)) {
      // A controller that writes a status in parts may correct this entry later.
      if (before.get(entry.name)?.some((one) => isEqualJson(one, entry))) continue;
      const own = byName.get(entry.name) ?? [];
      for (const [counter, counts] of COUNTERS) {
        const seen = own.filter(counts).length;
        if (entry[counter] === seen) continue;
        const most = seen + relabelled;
        if (entry[counter] < seen || entry[counter] > most)
          return `${entry.name}: the pass writes ${entry[counter]} ${counter} Jobs, but sees ${seen}`;
      }
    }
    return undefined;
  },
};

/** The Jobs that each counter counts. The first three count unfinished Jobs, independently of each other. */
const COUNTERS = [
  ["ready", (job: Job) => isActive(job) && isReady(job)],
  ["active", (job: Job) => isActive(job) && (job.status?.active ?? 0) > 0],
  ["suspended", (job: Job) => isActive(job) && isSuspended(job)],
  ["succeeded", (job: Job) => jobState(job) === "successful"],
  ["failed", (job: Job) => jobState(job) === "failed"],
] as const;

function isActive(job: Job): boolean {
  return jobState(job) === "active";
}

export const countsAreOrdered: SafetyLaw = {
  name: "countsAreOrdered",
  sentence: "The status lists its counters by ReplicatedJob name in descending order.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  onRequest: (request) => {
    const names = asArray(getStatusWrite(request)?.status?.replicatedJobsStatus).map(
      ({ name }) => name,
    );
    const inOrder = names.toSorted((one, other) => compareBytes(other, one));
    return isEqualJson(names, inOrder) ? undefined : `the order is ${names.join(", ")}`;
  },
};

export const namesInUseAreNotCreated: SafetyLaw = {
  name: "namesInUseAreNotCreated",
  sentence:
    "No pass creates a Job if it sees a Job with that name, of any attempt, and no pass creates two Jobs with one name.",
  validUnder: "Always",
  memory: undefined,
  onPlan: ({ plan }) => {
    if (!("jobSet" in plan)) return undefined;
    const names = new Set<string>();
    for (const { verb, target } of plan.steps.flatMap(({ effects }) => effects)) {
      if (verb !== "create" || target.kind !== "Job") continue;
      if (names.has(target.name)) return `Job ${target.name} is created twice`;
      names.add(target.name);
    }
    return undefined;
  },
  onRequest: (request, { objects }) => {
    const { verb, before, jobSet } = jobWrite(request, objects) ?? {};
    return verb === "create" && before && getControllerOf(before)?.uid === jobSet?.metadata.uid
      ? `Job ${before.metadata.name} already exists`
      : undefined;
  },
};
