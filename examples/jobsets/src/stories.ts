import type { UserAction, WorkloadRule } from "@jobset-ts/sim";
import type { Flavor } from "./quota.ts";

/** A scenario of a manifest in the simulated cluster. */
export interface Story {
  /** The description for the README. */
  readonly description: string;
  /** Pod behavior that overrides `Manifest.workload`. */
  readonly workload?: readonly WorkloadRule[];
  /** Actions of users and failures of machines. */
  readonly actions?: readonly UserAction[];
  /** For each restart attempt, the ReplicatedJobs in the order in which their Jobs were created. */
  readonly starts: readonly (readonly string[])[];
  /** The total number of created Pods. */
  readonly pods: number;
  readonly ends: "Completed" | "Failed";
  /** The reason of the terminal condition. */
  readonly reason: string;
  readonly restarts: number;
  readonly restartsCountTowardsMax: number;
}

/** A manifest with a scenario without faults, and scenarios with a fault. */
export interface Manifest {
  readonly file: string;
  /** The behavior of Pods that do not simply succeed after a minute. */
  readonly workload?: readonly WorkloadRule[];
  /** Additional nodes, if Pods have anti-affinity or a node is lost. */
  readonly nodes?: number;
  /** The flavor for a JobSet that waits for quota. */
  readonly flavor?: Flavor;
  readonly life: Story;
  readonly failures: readonly Story[];
}

const completedWithoutRestart = {
  ends: "Completed",
  reason: "AllJobsCompleted",
  restarts: 0,
  restartsCountTowardsMax: 0,
} as const;

const failedForGood = { ends: "Failed", restarts: 0, restartsCountTowardsMax: 0 } as const;

/** Completed after one restart that counts. */
const completedAfterRestart = {
  ...completedWithoutRestart,
  restarts: 1,
  restartsCountTowardsMax: 1,
} as const;

/** The node is removed after 40 seconds. */
const nodeTakenAway: readonly UserAction[] = [
  {
    at: 40_000,
    request: { verb: "delete", object: { kind: "Node", metadata: { name: "node-0" } } },
  },
];

/** A server that runs until it is stopped. */
const serves = { readyMs: 1000, stopMs: 500 };

export const manifests: readonly Manifest[] = [
  {
    file: "pytorch.yaml",
    nodes: 2,
    life: {
      description: "four Pods start, train and finish together",
      starts: [["trainer"]],
      pods: 4,
      ...completedWithoutRestart,
    },
    failures: [
      {
        description: "a rank crashes: all Jobs restart, and the restart counts",
        workload: [
          { replicatedJob: "trainer", index: 2, attempt: 0, endsAtMs: 30_000, exitCode: 1 },
        ],
        starts: [["trainer"], ["trainer"]],
        pods: 8,
        ...completedAfterRestart,
      },
      {
        description: "a machine is removed: all Jobs restart, and the restart does not count",
        actions: nodeTakenAway,
        starts: [["trainer"], ["trainer"]],
        pods: 8,
        ...completedWithoutRestart,
        restarts: 1,
      },
    ],
  },
  {
    file: "jax-multislice.yaml",
    life: {
      description: "two slices run, each in its own node pool",
      starts: [["slice"]],
      pods: 8,
      ...completedWithoutRestart,
    },
    failures: [
      {
        description:
          "a host is under maintenance: both slices restart, one of them in a different node pool",
        actions: nodeTakenAway,
        starts: [["slice"], ["slice"]],
        pods: 16,
        ...completedWithoutRestart,
        restarts: 1,
      },
    ],
  },
  {
    file: "mpi.yaml",
    workload: [{ replicatedJob: "worker", ...serves }],
    nodes: 6,
    life: {
      description:
        "the workers start, then the launcher runs; when it has finished, the workers are stopped",
      starts: [["worker", "launcher"]],
      pods: 5,
      ...completedWithoutRestart,
    },
    failures: [
      {
        description: "a worker is lost: the workers and then the launcher restart",
        workload: [
          { replicatedJob: "worker", index: 1, attempt: 0, endsAtMs: 30_000, exitCode: 1 },
        ],
        starts: [
          ["worker", "launcher"],
          ["worker", "launcher"],
        ],
        pods: 10,
        ...completedAfterRestart,
      },
      {
        description: "the launcher does not finish within twelve hours: the JobSet fails",
        workload: [{ replicatedJob: "launcher", ...serves }],
        starts: [["worker", "launcher"]],
        pods: 5,
        ...failedForGood,
        reason: "FailJobSetFailurePolicyAction",
      },
    ],
  },
  {
    file: "parameter-server.yaml",
    workload: [
      { replicatedJob: "ps", ...serves },
      { replicatedJob: "worker", ...serves },
    ],
    life: {
      description:
        "servers, workers and chief start in order; when the chief has finished, the others are stopped",
      starts: [["ps", "worker", "chief"]],
      pods: 7,
      ...completedWithoutRestart,
    },
    failures: [
      {
        description: "a worker fails: only its container restarts",
        workload: [
          { replicatedJob: "worker", index: 2, restarts: 0, endsAtMs: 30_000, exitCode: 1 },
        ],
        starts: [["ps", "worker", "chief"]],
        pods: 7,
        ...completedWithoutRestart,
      },
      {
        description: "a server is lost: all Jobs restart in the same order",
        workload: [{ replicatedJob: "ps", index: 1, attempt: 0, endsAtMs: 30_000, exitCode: 1 }],
        starts: [
          ["ps", "worker", "chief"],
          ["ps", "worker", "chief"],
        ],
        pods: 14,
        ...completedAfterRestart,
      },
    ],
  },
  {
    file: "spark.yaml",
    workload: [{ replicatedJob: "executor", ...serves }],
    life: {
      description:
        "the driver starts before the executors; when it has finished, the executors are stopped",
      starts: [["driver", "executor"]],
      pods: 9,
      ...completedWithoutRestart,
    },
    failures: [
      {
        description: "an executor crashes: its Job replaces the Pod, and the driver continues",
        workload: [{ replicatedJob: "executor", index: 3, endsAtMs: 30_000, exitCode: 1 }],
        starts: [["driver", "executor"]],
        pods: 10,
        ...completedWithoutRestart,
      },
      {
        description: "the driver finds no input: the JobSet fails without a restart",
        workload: [
          {
            replicatedJob: "driver",
            readyMs: 1000,
            runMs: 20_000,
            exitCode: 64,
            container: "driver",
          },
        ],
        starts: [["driver", "executor"]],
        pods: 9,
        ...failedForGood,
        reason: "FailJobSetFailurePolicyAction",
      },
    ],
  },
  {
    file: "etl.yaml",
    life: {
      description: "each step starts after the previous one has succeeded",
      starts: [["extract", "transform", "check", "publish"]],
      pods: 18,
      ...completedWithoutRestart,
    },
    failures: [
      {
        description:
          "a shop does not respond at first: the Job replaces the Pod, and the JobSet does not restart",
        workload: [{ replicatedJob: "extract", index: 7, endsAtMs: 80_000, exitCode: 1 }],
        starts: [["extract", "transform", "check", "publish"]],
        pods: 19,
        ...completedWithoutRestart,
      },
      {
        description: "a check of the data fails: nothing is published",
        workload: [{ replicatedJob: "check", index: 2, runMs: 10_000, exitCode: 1 }],
        starts: [["extract", "transform", "check"]],
        pods: 17,
        ...failedForGood,
        reason: "ReachedMaxRestarts",
      },
    ],
  },
  {
    file: "log-anomalies.yaml",
    life: {
      description: "collect, features, train and score run one after the other",
      starts: [["collect", "features", "train", "score"]],
      pods: 17,
      ...completedWithoutRestart,
    },
    failures: [
      {
        description: "a feature shard crashes five times: all Jobs restart, and skip finished work",
        workload: [
          { replicatedJob: "features", index: 1, attempt: 0, runMs: 5_000, exitCode: 137 },
        ],
        starts: [
          ["collect", "features"],
          ["collect", "features", "train", "score"],
        ],
        pods: 33,
        ...completedAfterRestart,
      },
      {
        description: "the scores are implausible: the JobSet fails without a restart",
        workload: [
          { replicatedJob: "score", index: 0, runMs: 10_000, exitCode: 3, container: "scorer" },
        ],
        starts: [["collect", "features", "train", "score"]],
        pods: 17,
        ...failedForGood,
        reason: "FailJobSetFailurePolicyAction",
      },
      {
        description: "a partition of the archive is broken: the JobSet fails before the training",
        workload: [{ replicatedJob: "collect", index: 5, runMs: 10_000, exitCode: 1 }],
        starts: [["collect"]],
        pods: 10,
        ...failedForGood,
        reason: "FailJobSetFailurePolicyAction",
      },
    ],
  },
  {
    file: "kueue-canary.yaml",
    flavor: { name: "spot-l4", nodeLabels: { "node.example.com/accelerator": "l4" } },
    life: {
      description:
        "the JobSet waits ten seconds for quota, then runs on nodes of the admitted flavor",
      starts: [["trainer"]],
      pods: 2,
      ...completedWithoutRestart,
    },
    failures: [
      {
        description: "the new image is too slow: the JobSet fails without a retry",
        workload: [{ replicatedJob: "trainer", index: 0, endsAtMs: 50_000, exitCode: 1 }],
        starts: [["trainer"]],
        pods: 2,
        ...failedForGood,
        reason: "ReachedMaxRestarts",
      },
    ],
  },
];
