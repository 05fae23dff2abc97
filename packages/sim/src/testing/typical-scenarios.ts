import type { RequestedObject } from "../api-server/api-request.ts";
import {
  firstReplicatedJob,
  withClaim,
  withJobSet,
  withJobSpec,
  withPodSpec,
  withSpec,
} from "../explore/scenario-edits.ts";
import type { WorkloadRule } from "../kubelet/workload.ts";
import type { Scenario, UserAction } from "../scenario/scenario.ts";

/** Typical histories of a JobSet, by name. Every wrong controller is detected in one of them. */
export const typicalScenarios: Readonly<Record<string, Scenario>> = {
  restart: createScenario(
    {
      failurePolicy: { maxRestarts: 2, restartStrategy: "BlockingRecreate" },
      ttlSecondsAfterFinished: 60,
    },
    [
      { replicatedJob: "workers", jobIndex: 1, attempt: 0, runMs: 3_000, exitCode: 1 },
      { runMs: 20_000, stopMs: 5_000 },
    ],
  ),
  restartThatRunsOn: createScenario(
    { failurePolicy: { maxRestarts: 2 }, startupPolicy: { startupPolicyOrder: "InOrder" } },
    [
      { replicatedJob: "workers", jobIndex: 1, attempt: 0, runMs: 3_000, exitCode: 1 },
      { readyMs: 500, stopMs: 500 },
    ],
  ),
  anyJobSuffices: createScenario(
    { successPolicy: { operator: "Any", targetReplicatedJobs: ["leader"] } },
    [{ replicatedJob: "leader", runMs: 3_000 }, { stopMs: 500 }],
  ),
  limit: createScenario({ failurePolicy: { maxRestarts: 1 } }, [
    { replicatedJob: "workers", jobIndex: 0, runMs: 3_000, exitCode: 1 },
    { stopMs: 5_000 },
  ]),
  failure: createScenario({}, [
    { replicatedJob: "workers", jobIndex: 1, runMs: 3_000, exitCode: 1 },
  ]),
  rule: createScenario(
    {
      failurePolicy: {
        maxRestarts: 3,
        rules: [
          {
            name: "taintLostNode",
            action: "FailJobSet",
            onJobFailureReasons: ["BackoffLimitExceeded"],
            targetReplicatedJobs: ["leader"],
          },
        ],
      },
    },
    [{ replicatedJob: "leader", runMs: 3_000, exitCode: 1 }],
  ),
  suspension: createScenario(
    { suspend: true },
    [{ readyMs: 500, stopMs: 2_000 }],
    [
      createPatchAction(5_000, { suspend: false }),
      createPatchAction(15_000, { suspend: true }),
      createPatchAction(30_000, { suspend: false }),
      createPatchAction(45_000, { suspend: true }),
    ],
  ),
  resumption: withJobSet(
    createScenario(
      { suspend: true },
      [{ readyMs: 500, stopMs: 2_000 }],
      [createPatchAction(5_000, { suspend: false })],
    ),
    (jobSet) => withClaim(jobSet, "data", "Delete"),
  ),
  deletion: createScenario(
    {},
    [{ stopMs: 2_000 }],
    [
      {
        at: 10_000,
        request: {
          verb: "delete",
          object: createObjectRef("JobSet", "train"),
          propagationPolicy: "Foreground",
        },
      },
    ],
  ),
  lostChild: createScenario(
    { startupPolicy: { startupPolicyOrder: "InOrder" } },
    [{ stopMs: 500 }],
    [
      {
        at: 10_000,
        request: {
          verb: "delete",
          object: { kind: "Job", metadata: { namespace: "ml", name: "train-workers-1" } },
          propagationPolicy: "Foreground",
        },
      },
    ],
  ),
};

/** Returns a typical scenario by name, which must exist. */
export function getTypicalScenario(name: string): Scenario {
  return typicalScenarios[name] as Scenario;
}

/** Creates a scenario of two Pods that fail together each time, with a number of in-place restarts. */
export function restartingInPlace(maxRestarts: number): Scenario {
  const restarting = withJobSet(getTypicalScenario("deletion"), (jobSet) => {
    const one = withJobSpec(firstReplicatedJob(jobSet), {
      backoffLimit: 2_147_483_647,
      podReplacementPolicy: "Failed",
    });
    return withSpec(jobSet, {
      failurePolicy: { maxRestarts, restartStrategy: "InPlaceRestart" },
      replicatedJobs: [withPodSpec(one, { restartPolicy: "OnFailure" })],
    });
  });
  return {
    ...restarting,
    features: { InPlaceRestart: true },
    workload: [{ runMs: 3_000, exitCode: 1 }],
    actions: [],
  };
}

/** Creates a scenario in which one of two Pods fails each time and one restart is allowed. The agents restart both. */
export function createSingleFailureScenario(): Scenario {
  return {
    ...restartingInPlace(1),
    workload: [{ index: 0, runMs: 3_000, exitCode: 1 }, { runMs: 100_000 }],
  };
}

/** Returns the key of an object of these scenarios. They all have one namespace and the JobSet `train`. */
export function createObjectRef(kind: string, name: string): RequestedObject {
  return { kind, metadata: { namespace: "ml", name } } as RequestedObject;
}

function createScenario(
  spec: object,
  workload: readonly WorkloadRule[],
  actions: readonly UserAction[] = [],
): Scenario {
  return {
    seed: 1,
    objects: [node(), jobSetWith(spec)],
    workload,
    actions,
    faults: [],
    endsAt: 4 * 3_600_000,
  };
}

function node(): RequestedObject {
  return {
    kind: "Node",
    metadata: { name: "node-0", labels: { rack: "r0" } },
    status: {
      allocatable: { cpu: "64", memory: "64Gi", pods: "110" },
      conditions: [{ type: "Ready", status: "True" }],
    },
  } as RequestedObject;
}

/** Creates a JobSet with a leader and two workers of two Pods each. */
function jobSetWith(spec: object): RequestedObject {
  const replicatedJobs = ["leader", "workers"].map((name) => ({
    name,
    replicas: name === "leader" ? 1 : 2,
    template: {
      spec: {
        parallelism: 2,
        completions: 2,
        backoffLimit: 0,
        template: {
          spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox" }] },
        },
      },
    },
  }));
  return {
    ...createObjectRef("JobSet", "train"),
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    spec: { replicatedJobs, ...spec },
  } as RequestedObject;
}

function createPatchAction(at: number, spec: object): UserAction {
  return {
    at,
    request: {
      verb: "patch",
      object: { ...createObjectRef("JobSet", "train"), spec } as RequestedObject,
    },
  };
}
