import type { ReleaseBehavior } from "./release-behaviors.ts";

/**
 * Upstream's defects that can be reproduced, by name. The name describes upstream's behavior. Without the quirk, the
 * library behaves correctly. Each quirk is read in exactly one place.
 *
 * @example quirks.includes("FollowerSelectorCheckedFirst") // => true
 */
export const quirks = [
  /** Pod validation reports a missing follower selector before it checks the leader (JobSet #1187). */
  "FollowerSelectorCheckedFirst",
  /** A resume only adds to a Job's Pod template: stale keys stay, and tolerations multiply (JobSet #1294). */
  "ResumeMergesTemplate",
  /** A ReplicatedJob may depend on itself in `dependsOn`, and then never starts. */
  "SelfDependencyAdmitted",
  /** The operator All over targets without replicas is satisfied by the success of any Job. */
  "EmptyTargetCompletes",
  /** A retained claim is denied unless the template lists everything that the cluster sets (JobSet #1307). */
  "RetainedClaimRejected",
  /** Exclusive placement of a NonIndexed Job is admitted, and the Job is stuck (JobSet #1284). */
  "NonIndexedExclusiveAdmitted",
  /** A message pattern that does not compile is admitted and never matches. */
  "InvalidPatternAdmitted",
  /** Message patterns are admitted however expensive they are to compile. */
  "PatternWorkUnbounded",
  /** A new JobSet gets its defaults even if it contains more objects than can be stored. */
  "ObjectsUncounted",
  /** An update may violate rules that creation checks. */
  "UpdateSkipsCreateChecks",
  /** An immutable policy can be removed. */
  "PolicyRemovable",
  /** A negative priority becomes an invalid label value, so that the Pod cannot be created (JobSet #1280). */
  "NegativePriorityLabel",
  /** Mutating a leader Pod that already has its affinity terms adds them again. */
  "LeaderTermsAppendedAgain",
  /** Placement repair deletes followers of Jobs that are placed by node selector. */
  "NodeSelectorFollowersRepaired",
  /** A leader that has finished still triggers placement repair. */
  "DeadLeaderEnforces",
  /** A follower that selects another domain than its leader's is admitted. */
  "FollowerSelectorValueUnchecked",
  /** Ordinary mistakes are reported as internal errors without a field. */
  "UnpathedErrorsAreInternal",
  /** A template without parallelism and completions is patched on every pass, without effect. */
  "ElasticNullPatch",
  /** The name of a ReplicatedJob may start or end with a dash, although the labels of its Jobs cannot. */
  "DashedReplicatedJobAdmitted",
  /** A JobSet without ReplicatedJobs may have a name that is not a valid Service name. */
  "ServiceNameUnchecked",
  /** Under placement by node labels, names may be too long for the Pods' node selector. */
  "LongNodeSelectorAdmitted",
  /** The name of a claim template may contain dots, although the name of a volume cannot. */
  "DottedClaimAdmitted",
  /** Exclusive placement may use a topology key that is not a valid label key. */
  "TopologyKeyUnchecked",
  /** A failed Job ends the pass, so Jobs of a suspended JobSet keep running until they are deleted or finish. */
  "FailureSkipsSuspension",
  /** A rejected request ends the pass. Independent parts wait as well, including the suspension and the status. */
  "RefusalEndsPass",
  /**
   * A Job is resumed with another Pod template while its Pods still run, which the API server rejects from Kubernetes
   * 1.36 on.
   */
  "ResumePrecedesStop",
  /** A suspended Job with a stale status, or without Pods, counts as started for its dependents. */
  "SuspendedReadyOpensGates",
  /** Jobs of a removed ReplicatedJob, and Jobs beyond `replicas`, count like all others. */
  "UnclaimedJobsCount",
  /** A Job of an earlier attempt that is created after its JobSet has finished keeps running. */
  "EndSparesEarlierAttempts",
  /** Placement repair checks followers only when their leader changes. */
  "LateFollowersUnseen",
  /** No message reports that the Service of a JobSet's subdomain selects the Pods of another JobSet. */
  "ServiceConflictUnsaid",
  /** `currentInPlaceRestartAttempt` decreases when all Pods appear at an earlier attempt, as in a stale cache. */
  "CurrentAttemptFalls",
  /** Pods under in-place restart are counted by the name of their JobSet, so those of a deleted JobSet count, too. */
  "PodsOfDeletedJobSetCount",
  /** When one startup condition becomes True, the other one becomes False without a new transition time. */
  "StartupConditionKeepsTime",
] as const;

/** The name of one upstream defect. */
export type Quirk = (typeof quirks)[number];

/** The upstream defects to reproduce, and the behaviors of a release: see `@jobset-ts/releases`. */
export type Quirks = ReadonlySet<Quirk | ReleaseBehavior>;

/**
 * No quirks: the correct behavior.
 *
 * @example NO_QUIRKS.size // => 0
 */
export const NO_QUIRKS: ReadonlySet<Quirk> = new Set();

/**
 * All quirks: the behavior of upstream's main branch.
 *
 * @example createContext({ now: 0, quirks: UPSTREAM_QUIRKS }).quirks.size === quirks.length // => true
 */
export const UPSTREAM_QUIRKS: ReadonlySet<Quirk> = /* @__PURE__ */ new Set(quirks);
