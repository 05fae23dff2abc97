import type { FailurePolicyAction, FeatureGates, RestartStrategy } from "@jobset-ts/api";

/** Situations that few paths lead to, so random clusters rarely have them. */
export type Situation =
  /** Jobs have failed, and the JobSet has failure policy rules. */
  | "Failures"
  /** Jobs have failed, and almost no restarts are left. */
  | "LastRestarts"
  /** Several Jobs have failed, and the first one restarts alone. */
  | "SingleRestarts"
  /** Jobs have failed, and a rule requests an impossible action. */
  | "Refusals"
  /** Jobs of the previous attempt still exist, and some Jobs of this one. */
  | "Recreations"
  /** Jobs have completed, and none has failed. */
  | "Successes"
  /** Jobs are missing, and others are running. */
  | "Startups"
  /** Each ReplicatedJob depends on the preceding one. */
  | "Chains"
  /** ReplicatedJobs start in the order of the spec. */
  | "Orders"
  /** A suspended JobSet has running Jobs. */
  | "Suspensions"
  /** A running JobSet has suspended Jobs. */
  | "Resumes"
  /** Running Jobs must be scaled to their templates. */
  | "Scaling"
  /** Another JobSet has the same subdomain and controls the Service of that name. */
  | "SharedServices"
  /** Pods have done an in-place restart. */
  | "RestartsInPlace"
  /** The JobSet has finished. */
  | "Ends";

/** The common properties of the clusters in a situation. If a property is omitted, it has any value. */
export interface Traits {
  /** The minimum number of ReplicatedJobs. */
  readonly replicatedJobs?: number;
  /** The replicas of each ReplicatedJob. By default, one or more. */
  readonly replicas?: readonly number[];
  readonly suspended?: boolean;
  /** The enabled feature gates. */
  readonly features?: readonly Parameters<FeatureGates["has"]>[0][];
  /** Whether each ReplicatedJob depends on the preceding one. Sometimes by default. */
  readonly dependsOn?: "Always" | "Never";
  readonly startupOrders?: readonly ("AnyOrder" | "InOrder")[];
  /** The weight of JobSets with a failure policy, if it is higher than usual. */
  readonly failurePolicy?: "Always" | "Often";
  readonly restartStrategies?: readonly RestartStrategy[];
  /** The actions of the failure policy rules. Each rule has at most one condition. */
  readonly actions?: readonly FailurePolicyAction[];
  /** The number of restarts left, of the JobSet or also of its Jobs. Any number if undefined. */
  readonly leftRestarts?: readonly (
    | { readonly of: "JobSet" | "All"; readonly left: number }
    | undefined
  )[];
  /** Whether the clock of some controllers is behind. */
  readonly hasSlowClocks?: boolean;
  /** One of these conditions is True. */
  readonly condition?: readonly string[];
  /** Whether another JobSet controls the Service of the JobSet's subdomain. */
  readonly sharesService?: boolean;
  /** Whether templates have fields that JobSet copies without reading them. */
  readonly hasMoreMembers?: boolean;
  readonly jobs?: JobTraits;
}

/** The states of the Jobs. */
export interface JobTraits {
  /** Whether the Jobs have started up to some ReplicatedJob, and the others have not. */
  readonly inTurn?: boolean;
  readonly exists?: readonly boolean[];
  readonly attempts?: readonly ("current" | "previous" | "next")[];
  readonly states?: readonly ("active" | "failed" | "completed")[];
  readonly suspended?: readonly boolean[];
  /** Whether suspended Jobs usually have no Pods left. */
  readonly rested?: boolean;
}

const mostlyCurrent = ["current", "current", "current", "current", "current", "previous"] as const;
const active = "active" as const;

const failed: JobTraits = {
  exists: [true, true, true, true, false],
  attempts: mostlyCurrent,
  states: ["failed", "failed", "failed", active, "completed"],
};

const inTurn: JobTraits = {
  inTurn: true,
  exists: [true, false],
  attempts: ["current"],
  states: [active, "completed"],
  suspended: [false, true],
  rested: true,
};

export const TRAITS: Readonly<Record<Situation, Traits>> = {
  Failures: {
    replicatedJobs: 2,
    failurePolicy: "Often",
    actions: ["RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts", "FailJobSet"],
    leftRestarts: [{ of: "All", left: 9 }],
    jobs: failed,
  },
  LastRestarts: {
    replicatedJobs: 2,
    failurePolicy: "Always",
    actions: ["RestartJobSet", "RestartJobSet", "RestartJobSet", "RestartJob"],
    leftRestarts: [
      { of: "All", left: 0 },
      { of: "All", left: 0 },
      { of: "All", left: 0 },
      { of: "JobSet", left: 0 },
    ],
    jobs: failed,
  },
  SingleRestarts: {
    replicatedJobs: 2,
    features: ["RestartJob"],
    failurePolicy: "Always",
    actions: ["RestartJob", "RestartJobAndIgnoreMaxRestarts", "RestartJob"],
    leftRestarts: [{ of: "All", left: 9 }],
    jobs: failed,
  },
  Refusals: {
    replicatedJobs: 2,
    failurePolicy: "Always",
    actions: ["Explode" as FailurePolicyAction],
    jobs: { ...failed, attempts: ["current", "current", "previous"] },
  },
  Recreations: {
    replicatedJobs: 2,
    suspended: false,
    features: ["RestartJob"],
    dependsOn: "Never",
    startupOrders: ["AnyOrder"],
    failurePolicy: "Always",
    restartStrategies: ["BlockingRecreate", "Recreate", "BlockingRecreate"],
    leftRestarts: [{ of: "All", left: 9 }],
    condition: ["RestartingJobSet"],
    jobs: {
      exists: [true, true, false],
      attempts: ["current", "current", "previous", "next"],
      states: [active, active, active, "completed"],
      suspended: [false],
    },
  },
  Successes: {
    replicas: [1, 1, 2, 0],
    suspended: false,
    jobs: { states: ["completed", "completed", "completed", active] },
  },
  Startups: {
    hasMoreMembers: true,
    suspended: false,
    startupOrders: ["AnyOrder", "InOrder", "InOrder"],
    restartStrategies: ["Recreate", "BlockingRecreate"],
    jobs: {
      exists: [true, false],
      states: [active, "completed"],
      suspended: [false, false, false, true],
    },
  },
  Chains: {
    replicatedJobs: 3,
    suspended: false,
    dependsOn: "Always",
    startupOrders: ["AnyOrder"],
    jobs: inTurn,
  },
  Orders: {
    replicatedJobs: 2,
    suspended: false,
    dependsOn: "Never",
    startupOrders: ["InOrder"],
    jobs: inTurn,
  },
  Suspensions: {
    hasMoreMembers: true,
    replicatedJobs: 2,
    suspended: true,
    startupOrders: ["AnyOrder", "InOrder"],
    jobs: {
      exists: [true, false, false],
      states: [active, active, active, "completed"],
      suspended: [false, false, true],
    },
  },
  Resumes: {
    hasMoreMembers: true,
    suspended: false,
    features: ["ExecutionAttemptsTracking"],
    condition: ["Suspended"],
    startupOrders: ["AnyOrder", "InOrder", "AnyOrder"],
    jobs: {
      attempts: mostlyCurrent,
      states: [active, active, active, active, active, "completed"],
      suspended: [true, true, true, false],
      rested: true,
    },
  },
  Scaling: {
    hasMoreMembers: true,
    suspended: false,
    features: ["ElasticJobSet"],
    jobs: { states: [active] },
  },
  SharedServices: { suspended: false, sharesService: true },
  RestartsInPlace: {
    replicatedJobs: 2,
    suspended: false,
    features: ["InPlaceRestart"],
    failurePolicy: "Always",
    restartStrategies: ["InPlaceRestart"],
    // If no restart is left, the JobSet just fails.
    leftRestarts: [
      undefined,
      ...Array<{ of: "All"; left: number }>(4).fill({ of: "All", left: 9 }),
    ],
    // Pods of a missing Job are not counted.
    jobs: { exists: [...Array<boolean>(24).fill(true), false], states: [active] },
  },
  Ends: { condition: ["Completed", "Failed"], hasSlowClocks: true },
};

/** All situations. */
export const situations = Object.keys(TRAITS) as readonly Situation[];
