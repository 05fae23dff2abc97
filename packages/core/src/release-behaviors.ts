/**
 * Behaviors of released JobSet versions that upstream's main branch does not have, by name. The name describes the
 * behavior of the release. `@jobset-ts/releases` says which release has which. Each name is read in exactly one place.
 *
 * @example releaseBehaviors.includes("JobsListedByOwnerName") // => true
 */
export const releaseBehaviors = [
  // Missing up to v0.12.
  /** The webhook denies a JobSet with `generateName`, because it validates names without the generated part (#1267). */
  "GeneratedNamesRejected",
  /** The Pod webhooks also find leader Pods that have finished (#1276). */
  "FinishedLeadersFound",
  /** Placement repair fails with an error instead of deleting followers in the wrong domain (#1269). */
  "RepairDeletesNothing",
  // Missing up to v0.11.
  /** Denials have code 403 and no causes, and their messages are joined in another way (#1207). */
  "DenialsForbidden",
  /** The mutating webhook serializes a JobSet again even if it sets no default, and so changes quantities. */
  "JobSetsAlwaysSerialized",
  /** The webhook does not check rules with the actions `RestartJob` and `RestartJobAndIgnoreMaxRestarts` (#1177). */
  "RestartJobUnchecked",
  /** The controller does not know the actions `RestartJob` and `RestartJobAndIgnoreMaxRestarts` (#1177). */
  "RestartJobUnknown",
  /** An update of a suspended JobSet compares its ReplicatedJobs by index instead of by name (#1179). */
  "ReplicatedJobsComparedByIndex",
  /** There is no condition `RestartingJobSet`, and there are no Events about it (#1225). */
  "RestartConditionAbsent",
  /** A condition is not updated if only its reason or message changes (#1225). */
  "ConditionTextsKept",
  /** A rejected status write is not an error (#1194). */
  "StatusErrorsIgnored",
  /** In-place restart also counts failed Pods (#1140). */
  "FailedPodsRestartInPlace",
  /** Placement repair also finds Pods of other owners with the same Job key (#1154). */
  "ForeignFollowersFound",
  // Missing up to v0.10.
  /** Jobs belong to the JobSet with the name of their owner, whatever its UID (#1167). */
  "JobsListedByOwnerName",
  /** The webhook admits the restart strategy `InPlaceRestart` without a feature gate (#1096). */
  "InPlaceRestartUngated",
  /** The address of the coordinator may be too long for a label value (#1079). */
  "CoordinatorValueUnchecked",
  /** No Event reports that a Job cannot be created (#1076). */
  "JobCreationFailuresUnreported",
  /** The mutating Pod webhook changes Pods with a topology key, of a JobSet or not, and no other Pods (#1077). */
  "OnlyExclusivePodsMutated",
  /** If the Node of the leader does not exist, a follower gets a node selector with an empty value (#1089). */
  "MissingNodeSelectsEmptyDomain",
  // Missing up to v0.9.
  /** Denials of updates show values in Go syntax. */
  "ValuesInGoSyntax",
  // Missing up to v0.8.
  /** The webhook does not check group names (#822). */
  "GroupNameUnchecked",
  /** Jobs have no group labels (#822). */
  "GroupLabelsAbsent",
  /** Jobs do not have the label `jobset-uid` (#862). */
  "UidLabelAbsent",
  /** The status omits `restarts` while it is 0 (#905). */
  "ZeroRestartsOmitted",
  /** The webhook checks only the first entry of `dependsOn` (#878). */
  "OneDependencyChecked",
  /** The controller waits only for the first entry of `dependsOn` (#878). */
  "OneDependencyAwaited",
  /** Leader Pods that are being deleted still count (#1026). */
  "TerminatingLeadersFound",
] as const;

/** The name of one behavior of released versions. */
export type ReleaseBehavior = (typeof releaseBehaviors)[number];
