import {
  isSuspended,
  type JobSet,
  type Observed,
  replicasOf,
  replicatedJobsOf,
} from "@jobset-ts/api";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import { type Job, labelOf, listOf } from "@jobset-ts/api/kubernetes";
import type { Plan, Snapshot } from "@jobset-ts/core";
import { isReady, jobState } from "@jobset-ts/core/child-jobs";
import { equal } from "../api-server/become.ts";
import { attemptOf, currentAttempt, isEarlier } from "./jobset-facts.ts";
import type { Oracle } from "./oracle.ts";

export const equalViewsGetEqualPlans: Oracle = {
  name: "equalViewsGetEqualPlans",
  sentence: "Planned once more from the same view at the same time, a pass is the same.",
  holds: "Always",
  memory: undefined,
  onPlan: ({ again, plan }) =>
    equal(again(), plan) ? undefined : "the second plan is another one",
};

export const suspendedJobSetsStartNothing: Oracle = {
  name: "suspendedJobSetsStartNothing",
  sentence: "A pass over a suspended JobSet creates and resumes no Job that runs.",
  holds: "Always",
  memory: undefined,
  onPlan: ({ plan, snapshot }) => {
    if (!("jobSet" in plan)) return undefined;
    const jobSet = snapshot.jobSet(plan.jobSet.namespace, plan.jobSet.name);
    if (jobSet === undefined || !isSuspended(jobSet)) return undefined;
    for (const { verb, target, object } of jobWritesOf(plan)) {
      const { suspend } = (object as { spec?: { suspend?: boolean } }).spec ?? {};
      if (suspend !== true) return `${verb} of Job ${target.name}, which would run`;
    }
    return undefined;
  },
};

export const endedAndForeignJobSetsAreLeftAlone: Oracle = {
  name: "endedAndForeignJobSetsAreLeftAlone",
  sentence:
    "A pass over a JobSet that is being deleted or is managed by somebody else does nothing.",
  holds: "Always",
  memory: undefined,
  onPlan: ({ plan, snapshot }) => {
    if (!("jobSet" in plan)) return undefined;
    const jobSet = snapshot.jobSet(plan.jobSet.namespace, plan.jobSet.name);
    const manager = jobSet?.spec?.managedBy ?? OURS;
    const isLeft = jobSet?.metadata?.deletionTimestamp !== undefined || manager !== OURS;
    return isLeft && plan.steps.length > 0
      ? `${plan.steps[0]?.phase} of a JobSet to be left alone`
      : undefined;
  },
};

export const startupWaitsItsTurn: Oracle = {
  name: "startupWaitsItsTurn",
  sentence:
    "A pass starts a Job only when the ReplicatedJobs before it under InOrder, and those it depends on, are as far as they have to be.",
  holds: "Always",
  memory: undefined,
  onPlan: ({ plan, snapshot }) => {
    if (!("jobSet" in plan)) return undefined;
    const jobSet = snapshot.jobSet(plan.jobSet.namespace, plan.jobSet.name) as JobSet | undefined;
    if (jobSet === undefined || isSuspended(jobSet)) return undefined;
    const started = new Set(
      jobWritesOf(plan).flatMap(({ object }) => {
        const job = object as unknown as Job;
        return job.spec.suspend === true ? [] : [labelOf(job, REPLICATED_JOB_NAME_KEY) ?? ""];
      }),
    );
    if (started.size === 0) return undefined;
    const jobs = currentJobsOf(jobSet, snapshot);
    const replicatedJobs = replicatedJobsOf(jobSet);
    for (const [place, { name = "", dependsOn }] of replicatedJobs.entries()) {
      if (!started.has(name)) continue;
      const earlier =
        jobSet.spec.startupPolicy?.startupPolicyOrder === "InOrder"
          ? replicatedJobs.slice(0, place)
          : [];
      const waitedFor = [
        ...earlier.map((one) => ({ name: one.name ?? "", status: "Ready" })),
        ...listOf(dependsOn).map((one) => ({ name: one?.name ?? "", status: one?.status ?? "" })),
      ];
      for (const one of waitedFor) {
        const target = replicatedJobs.find((candidate) => candidate.name === one.name);
        const own = jobs.filter((job) => labelOf(job, REPLICATED_JOB_NAME_KEY) === one.name);
        const reached = own.filter((job) => hasReached(job, one.status)).length;
        if (target !== undefined && reached < replicasOf(target)) {
          return `Jobs of ${name} start while ${reached} of ${replicasOf(target)} of ${one.name} are ${one.status}`;
        }
      }
    }
    return undefined;
  },
};

export const countsAreWhatIsSeen: Oracle = {
  name: "countsAreWhatIsSeen",
  sentence:
    "The counts that a pass writes are those of the Jobs of the current attempt that it sees.",
  holds: "Always",
  memory: undefined,
  onPlan: ({ plan, snapshot }) => {
    if (!("jobSet" in plan) || plan.status === undefined) return undefined;
    const jobSet = snapshot.jobSet(plan.jobSet.namespace, plan.jobSet.name) as JobSet | undefined;
    // A restart changes which attempt is the current one, and counts what it saw before.
    if (jobSet === undefined || plan.status.restarts !== (jobSet.status?.restarts ?? 0))
      return undefined;
    const jobs = currentJobsOf(jobSet, snapshot);
    for (const { name, succeeded, failed } of listOf(plan.status.replicatedJobsStatus)) {
      const own = jobs.filter((job) => labelOf(job, REPLICATED_JOB_NAME_KEY) === name);
      const [seen, lost] = (["successful", "failed"] as const).map(
        (state) => own.filter((job) => jobState(job) === state).length,
      );
      if (succeeded !== seen)
        return `${name}: ${succeeded} succeeded are written, and ${seen} are seen`;
      if (failed !== lost) return `${name}: ${failed} failed are written, and ${lost} are seen`;
    }
    return undefined;
  },
};

/** The child Jobs of the current attempt that a pass sees. */
function currentJobsOf(jobSet: JobSet, snapshot: Snapshot): readonly Job[] {
  const jobs = snapshot.childJobs(jobSet as Observed<JobSet>) as readonly Job[];
  return jobs.filter((job) => !isEarlier(attemptOf(job), currentAttempt(jobSet, job)));
}

function hasReached(job: Job, status: string): boolean {
  const state = jobState(job);
  if (status === "Complete") return state === "successful";
  return state !== "active" || isReady(job);
}

const OURS = "jobset.sigs.k8s.io/jobset-controller";

export const namesInUseAreNotCreated: Oracle = {
  name: "namesInUseAreNotCreated",
  sentence: "No pass creates a Job that it sees, of whatever attempt, nor two of one name.",
  holds: "Always",
  memory: undefined,
  onPlan: ({ plan, snapshot }) => {
    if (!("jobSet" in plan)) return undefined;
    const seen = new Set<string>();
    for (const { verb, target } of jobWritesOf(plan)) {
      if (verb !== "create") continue;
      if (seen.has(target.name)) return `Job ${target.name} is created twice`;
      seen.add(target.name);
      const job = snapshot.job(target.namespace, target.name);
      const owner = job?.metadata?.ownerReferences?.find((one) => one?.controller === true);
      if (owner?.uid !== undefined && owner.uid === plan.jobSet.uid)
        return `Job ${target.name} is there already`;
    }
    return undefined;
  },
};

function jobWritesOf({ steps }: Plan) {
  return steps
    .flatMap(({ effects }) => effects)
    .flatMap((effect) =>
      effect.target.kind === "Job" && (effect.verb === "create" || effect.verb === "update")
        ? [effect]
        : [],
    );
}
