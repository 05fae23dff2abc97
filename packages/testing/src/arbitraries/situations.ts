import type { FailurePolicyAction, FeatureGates, RestartStrategy } from "@jobset-ts/api";

/** States that a pass comes to by few ways, so that they are drawn seldom unless somebody asks for them. */
export type Situation =
  /** Jobs have failed, and there are rules for that. */
  | "Failures"
  /** Jobs have failed, and hardly a restart is left. */
  | "LastRestarts"
  /** Several Jobs have failed, and the first is to restart alone. */
  | "SingleRestarts"
  /** Jobs have failed, and a rule asks for what nobody can do. */
  | "Refusals"
  /** Jobs of the attempt before are still there, and some of this one. */
  | "Recreations"
  /** Jobs have completed, and none has failed. */
  | "Successes"
  /** Jobs are missing, and others run. */
  | "Startups"
  /** Each ReplicatedJob waits for the one before it. */
  | "Chains"
  /** ReplicatedJobs start in the order of the spec. */
  | "Orders"
  /** A suspended JobSet has Jobs that run. */
  | "Suspensions"
  /** A JobSet that runs has suspended Jobs. */
  | "Resumes"
  /** Jobs run that are to follow their templates. */
  | "Scaling"
  /** Another JobSet has the same subdomain, and controls the Service of that name. */
  | "SharedServices"
  /** Pods have restarted in place. */
  | "RestartsInPlace"
  /** The JobSet has ended. */
  | "Ends";

/** What the clusters of a situation have in common. What is left out is as in clusters of any kind. */
export interface Traits {
  /** How many ReplicatedJobs there are at least. */
  readonly replicatedJobs?: number;
  readonly suspended?: boolean;
  /** Feature gates that are on. */
  readonly features?: readonly Parameters<FeatureGates["has"]>[0][];
  /** Whether each ReplicatedJob waits for the one before it; default now and then. */
  readonly dependsOn?: "Always" | "Never";
  readonly startupOrders?: readonly ("AnyOrder" | "InOrder")[];
  /** How often there is one, more than usual. */
  readonly failurePolicy?: "Always" | "Often";
  readonly restartStrategies?: readonly RestartStrategy[];
  /** What the rules of the failure policy ask for; each asks for one thing at most to be so. */
  readonly actions?: readonly FailurePolicyAction[];
  /** By how much the limit of restarts is beyond those that count, of the JobSet or of its Jobs, too; undefined: by anything. */
  readonly leftRestarts?: readonly (
    | { readonly of: "JobSet" | "All"; readonly left: number }
    | undefined
  )[];
  /** One of these conditions is True. */
  readonly condition?: readonly string[];
  /** Whether the Service of the JobSet's subdomain is another JobSet's. */
  readonly sharesService?: boolean;
  readonly jobs?: JobTraits;
}

/** How the Jobs stand. */
export interface JobTraits {
  /** Whether up to some ReplicatedJob they have started, and the rest have not. */
  readonly inTurn?: boolean;
  readonly exists?: readonly boolean[];
  readonly attempts?: readonly ("current" | "previous" | "next")[];
  readonly states?: readonly ("active" | "failed" | "completed")[];
  readonly suspended?: readonly boolean[];
  /** Whether what is suspended has no Pods any more, mostly. */
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

export const traitsOf: Readonly<Record<Situation, Traits>> = {
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
    suspended: false,
    jobs: { states: ["completed", "completed", "completed", active] },
  },
  Startups: {
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
  Scaling: { suspended: false, features: ["ElasticJobSet"], jobs: { states: [active] } },
  SharedServices: { suspended: false, sharesService: true },
  RestartsInPlace: {
    suspended: false,
    features: ["InPlaceRestart"],
    failurePolicy: "Always",
    restartStrategies: ["InPlaceRestart"],
    // Where none is left, all that there is to see is that the JobSet fails.
    leftRestarts: [undefined, undefined, { of: "All", left: 9 }],
    // The Pods of a Job that is not there count for nobody.
    jobs: { exists: [...Array<boolean>(24).fill(true), false], states: [active] },
  },
  Ends: { condition: ["Completed", "Failed"] },
};

/** All of them. */
export const situations = Object.keys(traitsOf) as readonly Situation[];
