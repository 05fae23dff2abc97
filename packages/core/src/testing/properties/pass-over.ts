import type { Job } from "@jobset-ts/api/kubernetes";
import type { GeneratedCluster } from "@jobset-ts/testing/arbitraries";
import { createSnapshot, type Plan } from "../../index.ts";
import {
  type Bucket,
  type Counters,
  referenceBucket,
  referenceChildren,
  referenceCounters,
  referenceCountersAtGates,
} from "../reference/reference-pass.ts";
import type { Reconcile } from "./subject.ts";

/** One pass of a subject over a cluster, and simple facts about the cluster. */
export interface ReferencePass {
  readonly plan: Plan;
  /** The JobSet's Jobs, by name. */
  readonly jobs: readonly Job[];
  /** The Jobs that count in this way. */
  readonly named: (...buckets: readonly Bucket[]) => readonly Job[];
  readonly counters: readonly Counters[];
  /** The counters that dependencies and in-order startup use. */
  readonly countersAtGates: readonly Counters[];
  readonly restartJob: boolean;
  readonly isFinished: boolean;
  /**
   * Whether the pass classifies the Jobs and the JobSet continues: it had not finished before, and does not
   * finish or restart in this pass.
   */
  readonly goesOn: boolean;
  /**
   * Whether the pass may then create, scale, suspend and resume Jobs, because it does not first count
   * an execution.
   */
  readonly reachesJobs: boolean;
}

export function runPass(subject: Reconcile, cluster: GeneratedCluster): ReferencePass {
  const { jobSet, others, context } = cluster;
  const plan = subject(createSnapshot([jobSet, ...others], { kinds: "all" }), jobSet, context);
  const jobs = referenceChildren(jobSet, others);
  const restartJob = context.features.has("RestartJob");
  const named = (...buckets: readonly Bucket[]) =>
    jobs.filter((job) => buckets.includes(referenceBucket(jobSet, job, restartJob)));
  const isFinished = (jobSet.status?.conditions ?? []).some(
    ({ type, status }) => status === "True" && ["Completed", "Failed"].includes(type),
  );
  const ends = ["failure-policy", "success-policy"];
  const goesOn =
    !isFinished &&
    plan.error?.phase !== "classify" &&
    !plan.decisions.some(({ phase }) => ends.includes(phase));
  return {
    plan,
    jobs,
    named,
    counters: referenceCounters(jobSet, jobs, restartJob),
    countersAtGates: referenceCountersAtGates(jobSet, jobs, restartJob),
    restartJob,
    isFinished,
    goesOn,
    reachesJobs:
      goesOn &&
      !plan.decisions.some(
        ({ phase, rule }) => phase === "execution-attempts" && rule === "Resume",
      ),
  };
}
