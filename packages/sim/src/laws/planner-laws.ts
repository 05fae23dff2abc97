import { isSuspended } from "@jobset-ts/api";
import { asArray, getControllerOf, type Job } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { isReady, jobState } from "@jobset-ts/core/child-jobs";
import { isEqualJson } from "../api-server/stored-values.ts";
import type { PlanNote } from "../jobset-controller/pass-note.ts";
import { draw } from "../kernel/draw.ts";
import {
  countRelabelledJobs,
  getCurrentJobs,
  getObservedJobSet,
  getReplicatedJobName,
  getStatusWrite,
  groupBy,
  isManagedHere,
  isRelabelled,
  jobWrite,
  listMetadataChanges,
} from "./jobset-facts.ts";
import type { SafetyLaw } from "./law.ts";

export const passesComeToAnAnswer: SafetyLaw = {
  name: "passesComeToAnAnswer",
  sentence: "No pass throws, whatever it sees, nor tries to change it.",
  validUnder: "Always",
  memory: undefined,
  onFailedPass: ({ error }) => String(error),
};

export const equalViewsGetEqualPlans: SafetyLaw = {
  name: "equalViewsGetEqualPlans",
  sentence: "Planned once more from the same view at the same time, a pass is the same.",
  validUnder: "Always",
  memory: undefined,
  onPlan: (planned) =>
    !shouldPlanAgain(planned) || isEqualJson(planned.again(), planned.plan)
      ? undefined
      : "the second plan is another one",
};

/** Planning again is costly: of the plans that do nothing, time and revision select one in four. */
function shouldPlanAgain({ plan, context, revisions }: PlanNote): boolean {
  return plan.steps.length > 0 || draw(revisions.JobSet ?? 0, context.now) < 0.25;
}

export const deletedAndForeignJobSetsAreLeftAlone: SafetyLaw = {
  name: "deletedAndForeignJobSetsAreLeftAlone",
  sentence:
    "A pass over a JobSet that is being deleted or is managed by another controller does nothing, except to remove its own finalizer from one that is being deleted.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request) => {
    const jobSet = getObservedJobSet(request);
    if (jobSet === undefined) return undefined;
    const isLeft = jobSet.metadata.deletionTimestamp !== undefined || !isManagedHere(jobSet);
    const { verb, object } = request.asked;
    const marks =
      object.kind === "JobSet" && isManagedHere(jobSet) ? listMetadataChanges(request) : undefined;
    // That it is its own, `foreignObjectsAreLeftAlone` sees to.
    if (isLeft && marks?.every((one) => one.startsWith("finalizer "))) return undefined;
    return isLeft
      ? `${verb} of ${object.kind} ${object.metadata?.name} for a JobSet to be left alone`
      : undefined;
  },
};

export const countsAreWhatIsSeen: SafetyLaw = {
  name: "countsAreWhatIsSeen",
  sentence:
    "The counts that a pass writes are those of the Jobs that it sees and the JobSet asks for by their names, of the current attempt: ready, active, suspended, succeeded and failed.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request) => {
    const { jobSet, status } = getStatusWrite(request) ?? {};
    if (jobSet === undefined || status === undefined) return undefined;
    // A restart changes which attempt is the current one, and counts what it saw before.
    if ((status.restarts ?? 0) !== (jobSet.status?.restarts ?? 0)) return undefined;
    const jobs = getCurrentJobs(jobSet, request.snapshot).filter((job) => !isRelabelled(job));
    const before = groupBy(asArray(jobSet.status?.replicatedJobsStatus), ({ name }) => name);
    const byName = groupBy(jobs, (job) => getReplicatedJobName(job, jobSet));
    const relabelled = countRelabelledJobs(jobSet, request.snapshot);
    for (const entry of asArray(status.replicatedJobsStatus)) {
      // Who writes a status in parts leaves it to a later one.
      if (before.get(entry.name)?.some((one) => isEqualJson(one, entry))) continue;
      const own = byName.get(entry.name) ?? [];
      for (const [counter, counts] of COUNTERS) {
        const seen = own.filter(counts).length;
        if (entry[counter] === seen) continue;
        const most = seen + relabelled;
        if (entry[counter] < seen || entry[counter] > most)
          return `${entry.name}: ${entry[counter]} ${counter} are written, and ${seen} are seen`;
      }
    }
    return undefined;
  },
};

/** Which Jobs count for what. The first three are of unfinished Jobs, and have nothing to do with each other. */
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

export const countsAreInOrder: SafetyLaw = {
  name: "countsAreInOrder",
  sentence: "A status lists its counts by the names of the ReplicatedJobs, the last name first.",
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
  sentence: "No pass creates a Job that it sees, of whatever attempt, nor plans two of one name.",
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
      ? `Job ${before.metadata.name} is there already`
      : undefined;
  },
};
