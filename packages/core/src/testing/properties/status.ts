import type { JobSet, JobSetStatus } from "@jobset-ts/api";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { earlier } from "../../../../testing/src/arbitraries/arbitrary-fates.ts";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { snapshotOf } from "../../index.ts";
import { stepsOf } from "../reconciled.ts";
import type { Reconcile } from "./subject.ts";

/** No count of restarts ever goes down, nor the attempt that in-place restarts leave behind. */
export function restartsNeverGoDown(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters(), ({ jobSet, others, context }) => {
    const { status } = subject(snapshotOf([jobSet, ...others], { kinds: "all" }), jobSet, context);
    if (status === undefined) return;
    // Without their gate the counts of single restarts are dropped.
    const single = context.features.has("RestartJob") ? namesOf(status) : [];
    const after = countsOf(status, single);
    for (const [name, before] of countsOf(jobSet.status, single)) {
      const now = after.get(name) ?? 0;
      claim(now >= before, `${name} goes down from ${before} to ${now}`);
    }
  });
}

function namesOf({ replicatedJobsStatus = [] }: JobSetStatus): readonly string[] {
  return replicatedJobsStatus.map(({ name }) => name);
}

/** Every count of a status that only goes up, by a name; of single restarts those of some ReplicatedJobs. */
function countsOf(
  status: JobSetStatus | undefined,
  replicatedJobs: readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>([
    ["restarts", status?.restarts ?? 0],
    ["restartsCountTowardsMax", status?.restartsCountTowardsMax ?? 0],
    ["executionAttempts", status?.executionAttempts ?? 0],
    ["previousInPlaceRestartAttempt", status?.previousInPlaceRestartAttempt ?? 0],
  ]);
  for (const entry of status?.replicatedJobsStatus ?? []) {
    if (!replicatedJobs.includes(entry.name)) continue;
    for (const list of ["jobRestarts", "jobRestartsCountTowardsMax"] as const) {
      for (const [index, count] of (entry[list] ?? []).entries()) {
        counts.set(`${list}[${index}] of ${entry.name}`, count);
      }
    }
  }
  return counts;
}

/** A JobSet that has ended stays as it ended, and nothing is made, changed or resumed for it. */
export function finishedStaysFinished(subject: Reconcile): fc.IProperty<unknown> {
  const end = fc.constantFrom("Completed" as const, "Failed" as const);
  return fc.property(clusters({ foreign: false }), end, (cluster, type) => {
    const { others, context } = cluster;
    const jobSet = ended(cluster.jobSet, type);
    const plan = subject(snapshotOf([jobSet, ...others], { kinds: "all" }), jobSet, context);
    const verbs = stepsOf(plan).flatMap(({ effects }) => effects.map(({ verb }) => verb));
    claim(
      verbs.every((verb) => verb === "delete"),
      "more than deletions is left",
      verbs,
    );
    claimSame([plan.events, plan.metrics], [[], []], "it ends again");
    if (plan.status === undefined) return;
    claimSame(
      besideCounters(plan.status),
      besideCounters(jobSet.status),
      "the status of what has ended changes",
    );
  });
}

function ended(jobSet: JobSet, type: "Completed" | "Failed"): JobSet {
  const conditions = (jobSet.status?.conditions ?? []).filter((one) => one.type !== type);
  const end = { type, status: "True", reason: "R", message: "m" } as const;
  const status = {
    restarts: 0,
    ...jobSet.status,
    conditions: [...conditions, { ...end, lastTransitionTime: earlier }],
  };
  return { ...jobSet, status };
}

/** What the end of a JobSet settles for good; 0 is written as absent. */
function besideCounters(status: JobSetStatus | undefined): Partial<JobSetStatus> {
  const {
    replicatedJobsStatus: _,
    restartsCountTowardsMax = 0,
    ...rest
  } = status ?? {
    restarts: 0,
  };
  return { ...rest, restartsCountTowardsMax };
}
