/**
 * The defects of upstream that can be reproduced, by name. A name says what upstream does; without it we do what
 * is right. Each is read in exactly one place.
 *
 * @example quirks.includes("FollowerSelectorCheckedFirst") // => true
 */
export const quirks = [
  /** Pod validation reports a missing follower selector before it looks at the leader (JobSet #1187). */
  "FollowerSelectorCheckedFirst",
  /** Resuming a Job only adds to its Pod template; stale keys stay and tolerations multiply (JobSet #1294). */
  "ResumeMergesTemplate",
  /** A ReplicatedJob may name itself in `dependsOn`, and then never starts. */
  "SelfDependencyAdmitted",
  /** Operator All over targets without replicas is satisfied by the success of any Job. */
  "EmptyTargetCompletes",
  /** A retained claim is refused unless the template spells out all that the cluster sets (JobSet #1307). */
  "RetainedClaimRejected",
  /** Exclusive placement of a NonIndexed Job is admitted and then stuck (JobSet #1284). */
  "NonIndexedExclusiveAdmitted",
  /** A message pattern that does not compile is admitted and never matches. */
  "InvalidPatternAdmitted",
  /** Message patterns are admitted whatever work it takes to compile them. */
  "PatternWorkUnbounded",
  /** A new JobSet gets its defaults however many objects it holds, though it could never be stored. */
  "ObjectsUncounted",
  /** An update may break what creation checked. */
  "UpdateSkipsCreateChecks",
  /** An immutable policy can be removed. */
  "PolicyRemovable",
  /** A negative priority becomes an invalid label value, and the Pod cannot be created (JobSet #1280). */
  "NegativePriorityLabel",
  /** Mutating a leader Pod that has its affinity terms adds them a second time. */
  "LeaderTermsAppendedAgain",
  /** Placement repair deletes followers of Jobs that are placed by node selector. */
  "NodeSelectorFollowersRepaired",
  /** A leader that has ended still drives placement repair. */
  "DeadLeaderEnforces",
  /** A follower pinned to another domain than its leader's is admitted. */
  "FollowerSelectorValueUnchecked",
  /** Ordinary mistakes are reported as internal errors without a field. */
  "UnpathedErrorsAreInternal",
  /** A template without parallelism and completions is patched on every pass, without effect. */
  "ElasticNullPatch",
  /** The name of a ReplicatedJob may begin or end with a dash, and no label of its Jobs can hold it. */
  "DashedReplicatedJobAdmitted",
  /** A JobSet without ReplicatedJobs may have a name that its Service cannot have. */
  "ServiceNameUnchecked",
  /** Under placement by node labels, names may be too long together for the Pods' node selector. */
  "LongNodeSelectorAdmitted",
  /** The name of a claim template may have dots, and no volume of a Pod can have it. */
  "DottedClaimAdmitted",
  /** Exclusive placement may use a topology key that is not a valid label key. */
  "TopologyKeyUnchecked",
  /** A failed Job ends the pass, so that Jobs of a suspended JobSet run on until they are deleted or have ended. */
  "FailureSkipsSuspension",
  /** A refused request ends the pass: what does not depend on it waits, too, the suspension and the status among it. */
  "RefusalEndsPass",
  /** A Job is resumed with another Pod template while its Pods still run, which the API server refuses from 1.36 on. */
  "ResumePrecedesStop",
  /** A suspended Job whose status is stale, or that needs no Pods, counts as started for what waits for it. */
  "SuspendedReadyOpensGates",
  /** Jobs of a ReplicatedJob that was removed, and those beyond `replicas`, count like the others. */
  "UnclaimedJobsCount",
  /** A Job of an earlier attempt that comes into being when its JobSet has ended runs on. */
  "EndSparesEarlierAttempts",
  /** Placement repair looks at followers only when their leader changes. */
  "LateFollowersUnseen",
  /** Nothing says that the Service of a JobSet's subdomain selects the Pods of another JobSet. */
  "ServiceConflictUnsaid",
  /** `currentInPlaceRestartAttempt` falls when all Pods are seen at an earlier attempt, as in a stale cache. */
  "CurrentAttemptFalls",
  /** Pods under in-place restart are counted by the name of their JobSet, so those of a deleted JobSet count, too. */
  "PodsOfDeletedJobSetCount",
  /** Of the startup conditions, the one that turns False as the other becomes True keeps its time. */
  "StartupConditionKeepsTime",
] as const;

/** The name of one upstream defect. */
export type Quirk = (typeof quirks)[number];

/** The upstream defects to reproduce. */
export type Quirks = ReadonlySet<Quirk>;

/**
 * None of them: what is right.
 *
 * @example NO_QUIRKS.size // => 0
 */
export const NO_QUIRKS: Quirks = new Set();

/**
 * All of them: what upstream does.
 *
 * @example createContext({ now: 0, quirks: UPSTREAM_QUIRKS }).quirks.size === quirks.length // => true
 */
export const UPSTREAM_QUIRKS: Quirks = new Set(quirks);
