import { getReplicatedJobs, type JobSet, jobName, type Unvalidated } from "@jobset-ts/api";
import { JOBSET_CONTROLLER_NAME } from "@jobset-ts/api/keys";
import { getName, getNamespace, namespacedName } from "@jobset-ts/api/kubernetes";
import { MAX_INT32 } from "@jobset-ts/api/typed";
import { QUEUE_NAME_KEY } from "@jobset-ts/kueue";
import type { RequestedObject } from "../api-server/api-request.ts";
import { webhookNames } from "../jobset-controller/webhooks.ts";
import type { WorkloadRule } from "../kubelet/workload.ts";
import type { QueueConfig } from "../queueing/queueing.ts";
import type { Fault } from "../scenario/fault.ts";
import { withFaultsThatHappen } from "../scenario/fault-subject.ts";
import type { Scenario, UserAction } from "../scenario/scenario.ts";
import { type FaultTargets, getRareFault, getWatchedKind } from "./rare-faults.ts";
import { inSituation, situations } from "./rare-situations.ts";
import { getRareAction } from "./rare-user-actions.ts";
import { EXCLUSIVE } from "./scenario-edits.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

/** The maximum size of a random scenario. */
export interface ScenarioSize {
  readonly replicatedJobs: number;
  readonly replicas: number;
  readonly pods: number;
  readonly faults: number;
  readonly actions: number;
}

export const SMALL: ScenarioSize = {
  replicatedJobs: 3,
  replicas: 3,
  pods: 3,
  faults: 10,
  actions: 3,
};

const NAMESPACE = "ml";
const NAME = "train";
const NAMES = ["leader", "workers", "store"];
/** The time in milliseconds in which faults and users act: the first Jobs start, run, fail and are recreated. */
const BUSY_MS = 90_000;
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

/** The objects that users and faults of a random scenario can affect. */
export interface Cast extends FaultTargets {
  /** The JobSet at its creation. */
  readonly jobSet: Unvalidated<JobSet>;
}

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
    actions: getActions(chance, size, cast),
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

/** Reports whether a random JobSet waits for quota. */
function isQueued({ happens }: SeededRandom): boolean {
  return happens(0.1, "queued");
}

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

function drawJobSet(chance: SeededRandom, size: ScenarioSize): RequestedObject {
  const { below, happens, pick } = chance;
  const count = 1 + below(size.replicatedJobs, "replicatedJobs");
  const names = NAMES.slice(0, count);
  const isExclusive = happens(0.3, "exclusive");
  const isInOrder = happens(0.4, "inOrder");
  return {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: {
      name: NAME,
      namespace: NAMESPACE,
      ...(isQueued(chance) && { labels: { [QUEUE_NAME_KEY]: "queue" } }),
      ...(isExclusive && { annotations: EXCLUSIVE }),
    },
    spec: {
      replicatedJobs: names.map((name, at) =>
        getReplicatedJob(chance, size, name, isInOrder ? [] : names.slice(0, at)),
      ),
      ...(happens(0.3, "suspend") && { suspend: true }),
      ...(isInOrder && { startupPolicy: { startupPolicyOrder: "InOrder" } }),
      ...(isInPlace(chance)
        ? { failurePolicy: { ...getFailurePolicy(chance), restartStrategy: "InPlaceRestart" } }
        : happens(0.7, "failurePolicy") && { failurePolicy: getFailurePolicy(chance) }),
      ...(hasSuccessPolicy(chance) && {
        successPolicy: {
          operator: getOperator(chance),
          ...(hasTargets(chance) && { targetReplicatedJobs: [names[0]] }),
        },
      }),
      ...(happens(0.1, "managed") && {
        managedBy: pick([JOBSET_CONTROLLER_NAME, "example.com/another"], "managedBy"),
      }),
      ...(happens(0.3, "ttl") && { ttlSecondsAfterFinished: pick([0, 1, 60], "ttlSeconds") }),
      ...(happens(0.6, "network") && { network: { enableDNSHostnames: true } }),
    },
  };
}

function hasSuccessPolicy({ happens }: SeededRandom): boolean {
  return happens(0.4, "successPolicy");
}

function getOperator({ pick }: SeededRandom): "All" | "Any" {
  return pick(["All", "Any"] as const, "operator");
}

function hasTargets({ happens }: SeededRandom): boolean {
  return happens(0.5, "targets");
}

/** Reports whether a random JobSet succeeds by its first ReplicatedJob alone. */
function isAnySuccess(chance: SeededRandom): boolean {
  return hasSuccessPolicy(chance) && (hasTargets(chance) || getOperator(chance) === "Any");
}

/** Reports whether a random JobSet uses in-place restart. */
function isInPlace({ happens }: SeededRandom): boolean {
  return happens(0.1, "inPlace");
}

function getReplicatedJob(
  chance: SeededRandom,
  size: ScenarioSize,
  name: string,
  before: readonly string[],
) {
  const { below, happens, pick } = chance;
  const pods = 1 + below(size.pods, "pods", name);
  const inPlace = isInPlace(chance);
  const [first, last] = [before[0], before.at(-1)];
  const dependency = (of: string, ...path: readonly string[]) => ({
    name: of,
    status: pick(["Ready", "Complete"], "dependency", name, ...path),
  });
  const dependsOn =
    last !== undefined && happens(0.25, "dependsOn", name)
      ? [
          dependency(last),
          ...(first !== undefined && first !== last && happens(0.6, "dependsOnBoth", name)
            ? [dependency(first, "first")]
            : []),
        ]
      : undefined;
  return {
    name,
    replicas: 1 + below(size.replicas, "replicas", name),
    ...(dependsOn && { dependsOn }),
    template: {
      spec: {
        parallelism: pods,
        completions: pods,
        ...(inPlace
          ? { backoffLimit: MAX_INT32, podReplacementPolicy: "Failed" }
          : { backoffLimit: pick([0, 0, 1], "backoffLimit", name) }),
        template: {
          spec: {
            restartPolicy: inPlace ? "OnFailure" : "Never",
            containers: [{ name: "main", image: "busybox", resources: { requests: { cpu: "1" } } }],
          },
        },
      },
    },
  };
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

function getFailurePolicy(chance: SeededRandom) {
  const { below, happens, pick } = chance;
  return {
    maxRestarts: below(4, "maxRestarts"),
    ...(happens(0.4, "strategy") && {
      restartStrategy: pick(["Recreate", "BlockingRecreate"], "restartStrategy"),
    }),
    ...(hasRule(chance) && {
      rules: [
        {
          name: "rule",
          action: actionOnFailure(chance),
          onJobFailureReasons: [pick(["BackoffLimitExceeded", "DeadlineExceeded"], "reason")],
          ...(happens(0.3, "patterns") && {
            onJobFailureMessagePatterns: [pick(["backoff limit", "out of memory"], "pattern")],
          }),
        },
      ],
    }),
  };
}

function hasRule({ happens }: SeededRandom): boolean {
  return happens(0.4, "rules");
}

function actionOnFailure({ pick }: SeededRandom) {
  return pick(["FailJobSet", "RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts"], "action");
}

/** Reports whether a random JobSet may have a policy under which only success ends its restarts. */
function restartsWithoutLimit(chance: SeededRandom): boolean {
  return hasRule(chance) && actionOnFailure(chance) === "RestartJobSetAndIgnoreMaxRestarts";
}

function listFaults(chance: SeededRandom, size: ScenarioSize, cast: Cast): readonly Fault[] {
  const count = chance.below(size.faults + 1, "faults");
  return Array.from({ length: count }, (_, at) => createFault(chance, cast, at));
}

const RARE = 0.3;

/** Draws a fault by its index. */
export function createFault(chance: SeededRandom, cast: Cast, at: number): Fault {
  const { below, happens, pick } = chance;
  const { jobSet, nodes } = cast;
  // Drawn separately, so a seed keeps its other faults when rare faults are added.
  if (happens(RARE, "rare", at)) return getRareFault(chance, cast, at, BUSY_MS);
  const request = 1 + below(60, "request", at);
  const from = below(BUSY_MS, "from", at);
  const until = from + below(BUSY_MS / 3, "for", at);
  const kind = getWatchedKind(chance, at);
  switch (below(11, "fault", at)) {
    case 0:
      return { fault: "HoldBack", kind, from, until };
    case 1:
      return { fault: "Relist", kind, from, until };
    case 2:
      return { fault: "DelayRequest", request, ms: below(20_000, "delay", at) };
    case 3:
      return { fault: "LoseRequest", request };
    case 4:
      return { fault: "LoseReply", request };
    case 5:
      return { fault: "Refuse", request, code: pick([403, 429, 500, 503] as const, "code", at) };
    case 6:
      return { fault: "Race", request };
    case 7:
      return {
        fault: "Crash",
        request,
        when: pick(["Before", "After"] as const, "when", at),
        downMs: 1 + below(20_000, "down", at),
      };
    case 8: {
      const webhooks = happens(0.5, "oneWebhook", at)
        ? [pick(webhookNames, "down", at)]
        : undefined;
      return { fault: "WebhookOutage", ...(webhooks && { webhooks }), from, until };
    }
    case 9: {
      const node = pick(nodes, "node", at);
      // After 50 seconds, the node is considered lost. After 5 more minutes, its Pods are evicted.
      const longer = happens(0.2, "cutOffForLong", at) ? 60_000 + below(600_000, "for", at) : 0;
      return { fault: "CutOffNode", node, from, until: until + longer };
    }
    default:
      return { fault: "Spurious", at: from, jobSet: namespacedName(jobSet) };
  }
}

function getActions(chance: SeededRandom, size: ScenarioSize, cast: Cast): readonly UserAction[] {
  const count = chance.happens(0.5, "actions") ? chance.below(size.actions + 1, "actionCount") : 0;
  return Array.from({ length: count }, (_, at) => chooseAction(chance, cast, at));
}

/** Draws a user action by its index. */
export function chooseAction(chance: SeededRandom, cast: Cast, index: number): UserAction {
  const { below, happens, pick } = chance;
  const at = below(BUSY_MS, "actionAt", index);
  if (happens(RARE, "rare", "action", index)) return { at, ...getRareAction(chance, cast, index) };
  const namespace = getNamespace(cast.jobSet);
  const createObjectRef = (kind: string, name: string) => ({ kind, metadata: { namespace, name } });
  const jobSet = createObjectRef("JobSet", getName(cast.jobSet));
  switch (below(5, "action", index)) {
    case 0:
      return { at, request: { verb: "patch", object: { ...jobSet, spec: { suspend: true } } } };
    case 1:
    case 2:
      return { at, request: { verb: "patch", object: { ...jobSet, spec: { suspend: false } } } };
    case 3: {
      const job = createObjectRef("Job", pick(cast.jobs, "of", index));
      return { at, request: { verb: "delete", object: job, propagationPolicy: "Foreground" } };
    }
    default: {
      const propagationPolicy = pick(["Foreground", "Background"] as const, "policy", index);
      return { at, request: { verb: "delete", object: jobSet, propagationPolicy } };
    }
  }
}
