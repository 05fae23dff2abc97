import { getReplicatedJobs, type JobSet, jobName, type Unvalidated } from "@jobset-ts/api";
import type { RequestedObject } from "../api-server/api-request.ts";
import type { WorkloadRule } from "../kubelet/workload.ts";
import type { QueueConfig } from "../queueing/queueing.ts";
import { withFaultsThatHappen } from "../scenario/fault-subject.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { BUSY_MS, type Cast, listFaults } from "./random-fault.ts";
import {
  drawJobSet,
  isAnySuccess,
  isInPlace,
  isQueued,
  NAME,
  NAMES,
  restartsWithoutLimit,
} from "./random-jobset.ts";
import { listActions } from "./random-user-action.ts";
import type { FaultTargets } from "./rare-faults.ts";
import { inSituation, situations } from "./rare-situations.ts";
import { type ScenarioSize, SMALL } from "./scenario-size.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

const END_MS = 4 * 3_600_000;
/** The probability that a ReplicatedJob never finishes by itself. */
const RUNS_ON = 0.1;
/**
 * A Pod that fails in each attempt succeeds after this number, if nothing else ends the restarts. Attempts then have
 * two digits.
 */
const FAILING_ATTEMPTS = 12;
/** The share of scenarios in a particular situation. */
const SITUATION_SHARE = 0.35;

/** The number of ReplicatedJobs with a Job that users and faults may affect. */
const MAX_AFFECTED_REPLICATED_JOBS = 2;

const FAULT_TARGETS: Omit<FaultTargets, "jobs"> = {
  nodes: ["node-0", "node-1", "node-2", "node-3"],
  domains: ["r0", "r1"].map((value) => ({ label: "rack", value })),
};

/**
 * Creates the scenario of a seed: one small JobSet, its cluster, and the events in it.
 *
 * @example randomScenario(1).objects.at(-1)?.kind // => "JobSet"
 */
export function randomScenario(seed: number, size: ScenarioSize = SMALL): Scenario {
  const chance = createSeededRandom(seed);
  const jobSet = drawJobSet(chance, size) as RequestedObject & Unvalidated<JobSet>;
  const prominent = getReplicatedJobs(jobSet).slice(0, MAX_AFFECTED_REPLICATED_JOBS);
  const jobs = prominent.map(({ name }) => jobName(NAME, String(name), 0));
  const cast: Cast = { ...FAULT_TARGETS, jobs, jobSet };
  const scenario: Scenario = {
    seed,
    objects: [...listNodes(chance), jobSet],
    workload: createWorkload(chance, size),
    actions: listActions(chance, size, cast),
    faults: listFaults(chance, size, cast),
    features: {
      RestartJob: chance.happens(0.5, "RestartJob"),
      ElasticJobSet: chance.happens(0.3, "ElasticJobSet"),
      ...(isInPlace(chance) && { InPlaceRestart: true }),
    },
    ...(chance.happens(0.2, "kubernetes") && { kubernetes: "1.35" }),
    ...(isQueued(chance) && { queueing: getQueueing(chance) }),
    endsAt: END_MS,
  };
  if (!chance.happens(SITUATION_SHARE, "situated")) return scenario;
  // Most situations concern restarts that recreate Jobs.
  const situated = isInPlace(chance) ? situations.recreatedJobSet : inSituation;
  return withFaultsThatHappen(situated(scenario, chance));
}

const POOLS = ["spot", "on-demand"] as const;

/** Creates two flavors, sometimes with zero quota. */
function getQueueing({ below, pick }: SeededRandom): QueueConfig {
  return {
    flavors: POOLS.map((pool) => ({
      name: pool,
      nodeLabels: { pool },
      quota: { cpu: String(4 + below(24, "quota", pool)) },
    })),
    evictions: Array.from({ length: below(3, "evictions") }, (_, at) => {
      const from = below(BUSY_MS, "evictedFrom", at);
      const until = from + below(BUSY_MS, "evictedFor", at);
      return { flavor: pick(POOLS, "evicted", at), from, until };
    }),
  };
}

function listNodes(chance: SeededRandom): readonly RequestedObject[] {
  const { below, happens } = chance;
  const racks = 2 + below(3, "racks");
  const getPoolLabels = (at: number): Readonly<Record<string, string>> =>
    isQueued(chance) ? { pool: POOLS[at % 2 === 0 ? 0 : 1] } : {};
  return Array.from({ length: racks * 2 }, (_, at) => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: `node-${at}`, labels: { rack: `r${at >> 1}`, ...getPoolLabels(at) } },
    spec: {},
    status: {
      allocatable: { cpu: happens(0.2, "tight") ? "2" : "64", memory: "64Gi", pods: "110" },
      conditions: [{ type: "Ready", status: "True" }],
    },
  }));
}

/**
 * Chooses which Pods fail in which attempt. The others succeed, each ReplicatedJob's after its own time, or run
 * forever. Those for which the success policy does not wait run forever more often, because otherwise the policy has no
 * effect.
 */
function createWorkload(chance: SeededRandom, size: ScenarioSize): readonly WorkloadRule[] {
  const { below, happens, pick } = chance;
  const runsOn = isAnySuccess(chance) ? 0.8 : RUNS_ON;
  const failures = happens(0.6, "failures") ? 1 + below(4, "failureCount") : 0;
  const everyAttempt = restartsWithoutLimit(chance)
    ? Array.from({ length: FAILING_ATTEMPTS }, (_, attempt) => ({ attempt }))
    : [{}];
  return [
    ...Array.from({ length: failures }, (_, at) => {
      const attempts = happens(0.7, "once", at)
        ? [{ attempt: below(3, "failingAttempt", at) }]
        : everyAttempt;
      return attempts.map((attempt) => ({
        replicatedJob: pick(NAMES, "failing", at),
        jobIndex: below(size.replicas, "failingJob", at),
        index: below(size.pods, "failingPod", at),
        ...attempt,
        runMs: 500 + below(20_000, "failsAfter", at),
        exitCode: 1,
      }));
    }).flat(),
    ...NAMES.map((replicatedJob, at) => ({
      replicatedJob,
      readyMs: below(3_000, "ready", replicatedJob),
      ...(!happens(at === 0 ? RUNS_ON : runsOn, "runsOn", replicatedJob) && {
        runMs: 5_000 + below(30_000, "runs", replicatedJob),
      }),
      ...(happens(0.8, "stops", replicatedJob) && {
        stopMs: below(5_000, "stop", replicatedJob),
      }),
    })),
  ];
}
