import type { WorkloadRule } from "../kubelet/workload.ts";
import type { Fault } from "../scenario/fault.ts";
import type { Scenario } from "../scenario/scenario.ts";
import {
  type DraftJobSet,
  firstReplicatedJob,
  type Situation,
  startEverything,
  withJobSet,
  withJobSpec,
  withSpec,
} from "./scenario-edits.ts";
import type { SeededRandom } from "./seeded-random.ts";

/**
 * A rule restarts individual Jobs, sometimes those of one ReplicatedJob, while another rule targets another
 * one.
 */
export const singleRestarts: Situation = (scenario, chance) => {
  const { pick, below, happens } = chance;
  if (happens(0.5, "mixed")) return mixRestarts(scenario, chance);
  return {
    ...withJobSet(scenario, (jobSet) =>
      withSpec(jobSet, {
        failurePolicy: {
          maxRestarts: 1 + below(3, "maxRestarts"),
          rules: [
            {
              name: "single",
              action: pick(
                ["RestartJob", "RestartJob", "RestartJobAndIgnoreMaxRestarts"],
                "single",
              ),
              onJobFailureReasons: ["BackoffLimitExceeded"],
            },
          ],
        },
      }),
    ),
    features: { ...scenario.features, RestartJob: true },
    workload: scenario.workload.map((rule) =>
      rule.exitCode === 1 ? { ...rule, attempt: rule.attempt ?? 0 } : rule,
    ),
  };
};

/**
 * Two Jobs of one ReplicatedJob fail and restart individually. A Job of another one fails and restarts all Jobs. Then
 * the second of the two Jobs fails again. The controller sees some failures together.
 */
const mixRestarts: Situation = (scenario, chance) => ({
  ...withJobSet(startEverything(scenario), (jobSet) => withMixedRules(jobSet, chance)),
  features: { ...scenario.features, RestartJob: true },
  workload: listMixedFailures(chance),
  faults: listDelays(scenario, chance),
});

/** Returns the JobSet with two ReplicatedJobs: failed Jobs of one restart alone, those of the other restart all Jobs. */
function withMixedRules(jobSet: DraftJobSet, { pick, below }: SeededRandom): DraftJobSet {
  const one = withJobSpec(
    { ...firstReplicatedJob(jobSet), replicas: 2 },
    { parallelism: 2, completions: 2, backoffLimit: 0 },
  );
  return withSpec(jobSet, {
    startupPolicy: undefined,
    successPolicy: undefined,
    replicatedJobs: [one, { ...one, name: "workers" }],
    failurePolicy: {
      maxRestarts: 1 + below(4, "maxRestarts"),
      restartStrategy: pick(["Recreate", "BlockingRecreate"], "restartStrategy"),
      rules: [
        {
          name: "single",
          action: pick(["RestartJob", "RestartJobAndIgnoreMaxRestarts"], "single"),
          targetReplicatedJobs: ["leader"],
        },
        {
          name: "all",
          action: pick(["RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts"], "all"),
          targetReplicatedJobs: ["workers"],
        },
      ],
    },
  });
}

function listMixedFailures({ pick, below, happens }: SeededRandom): readonly WorkloadRule[] {
  const createFailedRun = (name: string, jobIndex: number, attempt: number, runMs: number) => ({
    replicatedJob: name,
    jobIndex,
    attempt,
    index: 0,
    runMs,
    exitCode: 1,
  });
  const failsAt = (name: string) => 3_000 + below(4_000, "failsAt", name);
  return [
    createFailedRun("leader", 0, 0, failsAt("first")),
    ...(happens(0.6, "second") ? [createFailedRun("leader", 1, 0, failsAt("second"))] : []),
    createFailedRun("workers", 0, 0, failsAt("third") + (happens(0.5, "later") ? 6_000 : 0)),
    createFailedRun("leader", 1, pick([1, 2], "attempt"), failsAt("fourth")),
    { runMs: 40_000, stopMs: below(4_000, "stop") },
  ];
}

/** Delays the controller's view of Jobs, so that it sees some failures together, and the deletion of Jobs. */
function listDelays(scenario: Scenario, { below, happens }: SeededRandom): readonly Fault[] {
  const from = 3_000 + below(2_000, "heldFrom");
  const heldUntil = from + 6_000 + below(8_000, "heldFor");
  const lateMs = 500 + below(3_000, "late");
  return [
    ...(happens(0.6, "held")
      ? [{ fault: "HoldBack", kind: "Job", from, until: heldUntil } as const]
      : scenario.faults),
    ...(happens(0.5, "collectedLate")
      ? [
          {
            fault: "Slow",
            component: "garbage-collector",
            ms: lateMs,
            from,
            until: from + 30_000,
          } as const,
        ]
      : []),
  ];
}
