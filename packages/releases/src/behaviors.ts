import type { ReleaseBehavior } from "@jobset-ts/core";
import { type ReleaseName, releaseNames } from "./releases.ts";

/** A behavior of releases that upstream's main branch does not have. */
export interface Behavior {
  /** A stable name for the behavior of the releases. A quirk of core if `implementation` is `Quirk`. */
  readonly name: string;
  /** `Rule` if upstream added or changed a rule later. `Defect` if upstream fixed a defect later. */
  readonly kind: "Rule" | "Defect";
  /** The behavior of the releases, in one sentence. */
  readonly inRelease: string;
  /** The behavior of main, in one sentence. */
  readonly onMain: string;
  /** The effect on users of the releases, in one sentence. */
  readonly effect: string;
  /** Upstream's pull requests that changed the behavior. */
  readonly pullRequests: readonly number[];
  /** The supported releases with this behavior, newest first. */
  readonly releases: readonly ReleaseName[];
  /**
   * How the behavior is reproduced: a quirk in the context, the schema of the release, or nothing. For example, a
   * panic is not reproduced: jobset-ts returns the same as main.
   */
  readonly implementation: "Quirk" | "Schema" | "None";
}

/** A row of the table. The behavior ends with the release after `until`, and starts with the oldest supported one. */
interface Row extends Omit<Behavior, "name" | "releases" | "implementation"> {
  readonly until: ReleaseName;
  /** The oldest supported release with the behavior. Default: all up to `until`. */
  readonly since?: ReleaseName;
}

/** The behaviors that a quirk reproduces. */
const byQuirk: Readonly<Record<ReleaseBehavior, Row>> = {
  GeneratedNamesRejected: {
    kind: "Defect",
    until: "v0.12.0",
    pullRequests: [1267],
    inRelease:
      "If a JobSet has only `generateName`, the webhook validates the names of its Jobs and Pods without the name of the JobSet, so it denies the JobSet.",
    onMain: "The webhook validates names that start with `generateName`.",
    effect:
      "A cluster shows no effect, because the API server generates the name before it calls the validating webhook.",
  },
  FinishedLeadersFound: {
    kind: "Defect",
    until: "v0.12.0",
    pullRequests: [1276],
    inRelease: "The Pod webhooks also find leader Pods that have finished.",
    onMain: "The Pod webhooks ignore leader Pods that have finished.",
    effect:
      "After a leader Pod fails, its followers are denied or follow its old domain until the failed Pod is deleted.",
  },
  RepairDeletesNothing: {
    kind: "Defect",
    until: "v0.12.0",
    pullRequests: [1269],
    inRelease:
      "Placement repair fails with an error if a follower has a different node selector or none.",
    onMain: "Placement repair deletes these followers.",
    effect: "Pods of one Job stay in different topology domains.",
  },
  DenialsForbidden: {
    kind: "Rule",
    until: "v0.11.1",
    pullRequests: [1207],
    inRelease: "A denial of a JobSet has code 403, reason `Forbidden` and no causes.",
    onMain: "It has code 422, reason `Invalid` and a cause for each field.",
    effect: "Clients cannot read the invalid fields from the response.",
  },
  JobSetsAlwaysSerialized: {
    kind: "Rule",
    until: "v0.11.1",
    pullRequests: [],
    inRelease:
      "The mutating webhook sends back a new JobSet as its types encode it, even if it sets no default.",
    onMain: "The webhook sends back only a JobSet in which it sets a default.",
    effect: "Quantities get their canonical form, such as `512Mi` for `0.5Gi`.",
  },
  RestartJobUnchecked: {
    kind: "Rule",
    until: "v0.11.1",
    pullRequests: [1177],
    inRelease:
      "The webhook does not check failure policy rules for the actions `RestartJob` and `RestartJobAndIgnoreMaxRestarts`.",
    onMain: "The webhook denies these actions unless the gate `RestartJob` is on.",
    effect: "Only the schema of the release rejects these actions.",
  },
  RestartJobUnknown: {
    kind: "Rule",
    until: "v0.11.1",
    pullRequests: [1177],
    inRelease:
      "The controller does not know the actions `RestartJob` and `RestartJobAndIgnoreMaxRestarts`.",
    onMain: "A failure policy can restart single Jobs if the gate `RestartJob` is on.",
    effect:
      "A pass that would apply such a rule fails, and Jobs have no label `job-restart-attempt`.",
  },
  ReplicatedJobsComparedByIndex: {
    kind: "Rule",
    until: "v0.11.1",
    pullRequests: [1179],
    inRelease:
      "An update of a suspended JobSet compares ReplicatedJobs by index, and there are no elastic JobSets.",
    onMain:
      "It compares them by name, and Pod counts can change if the gate `ElasticJobSet` is on.",
    effect: "The webhook reports different fields, and a running JobSet cannot be scaled.",
  },
  RestartConditionAbsent: {
    kind: "Rule",
    until: "v0.11.1",
    pullRequests: [1225],
    inRelease: "The condition `RestartingJobSet` does not exist.",
    onMain: "The condition is True during a restart, and Events report its changes.",
    effect: "Only the restart count shows that a JobSet restarts.",
  },
  ConditionTextsKept: {
    kind: "Defect",
    until: "v0.11.1",
    pullRequests: [1225],
    inRelease: "A condition whose status does not change keeps its reason and message.",
    onMain: "The reason and message are updated.",
    effect: "A condition can show the reason of an earlier change.",
  },
  StatusErrorsIgnored: {
    kind: "Defect",
    until: "v0.11.1",
    pullRequests: [1194],
    inRelease:
      "If a status write is rejected, the pass ends without an error, and only a conflict is retried.",
    onMain: "The pass ends with an error and is retried.",
    effect: "The status can stay out of date until the next change of a Job.",
  },
  FailedPodsRestartInPlace: {
    kind: "Defect",
    until: "v0.11.1",
    since: "v0.11.1",
    pullRequests: [1140],
    inRelease: "In-place restart also counts Pods that have failed.",
    onMain: "It ignores failed Pods.",
    effect: "Pods wait for attempts of failed Pods, or restart because of them.",
  },
  ForeignFollowersFound: {
    kind: "Defect",
    until: "v0.11.1",
    pullRequests: [1154],
    inRelease: "Placement repair also finds Pods of other owners with the same Job key.",
    onMain: "It finds only Pods with the same owner as the leader Pod.",
    effect: "Placement repair can act on Pods of a deleted Job.",
  },
  JobsListedByOwnerName: {
    kind: "Defect",
    until: "v0.10.1",
    pullRequests: [1167],
    inRelease: "Jobs belong to a JobSet if their owner has its name.",
    onMain: "Jobs belong to a JobSet if their owner has its UID.",
    effect:
      "A recreated JobSet counts Jobs of the deleted one, and can fail, restart or complete because of them.",
  },
  InPlaceRestartUngated: {
    kind: "Rule",
    until: "v0.10.1",
    pullRequests: [1096, 1099],
    inRelease:
      "The restart strategy `InPlaceRestart` does not exist, and the webhook does not check it.",
    onMain:
      "Pods can restart without being recreated if the gate `InPlaceRestart` is on, and the webhook denies the strategy otherwise.",
    effect: "Only the schema of the release rejects the restart strategy.",
  },
  CoordinatorValueUnchecked: {
    kind: "Defect",
    until: "v0.10.1",
    pullRequests: [1079],
    inRelease:
      "The webhook does not check whether the address of the coordinator is a valid label value.",
    onMain: "The webhook denies an address that is not.",
    effect: "Jobs with a long coordinator address cannot be created.",
  },
  JobCreationFailuresUnreported: {
    kind: "Rule",
    until: "v0.10.1",
    pullRequests: [1076],
    inRelease: "No Event reports that a Job cannot be created.",
    onMain: "An Event `JobCreationFailed` reports it.",
    effect: "Only the log of the controller shows why a Job does not exist.",
  },
  OnlyExclusivePodsMutated: {
    kind: "Defect",
    until: "v0.10.1",
    pullRequests: [1077],
    inRelease:
      "The mutating Pod webhook changes every Pod with the annotation `exclusive-topology`, and no other Pod.",
    onMain: "The webhook changes the Pods of JobSets, and gives all of them the label `priority`.",
    effect:
      "Pods without exclusive placement have no label `priority`, so exclusive placement ignores them.",
  },
  MissingNodeSelectsEmptyDomain: {
    kind: "Defect",
    until: "v0.10.1",
    pullRequests: [1089],
    inRelease:
      "If the Node of the leader Pod does not exist, a follower gets a node selector with an empty value.",
    onMain: "The mutating Pod webhook denies the follower.",
    effect: "The follower Pod is created and stays pending, because no Node matches.",
  },
  ValuesInGoSyntax: {
    kind: "Rule",
    until: "v0.9.1",
    pullRequests: [],
    inRelease: "The message of a denied update shows values in Go syntax.",
    onMain: "The message shows values as JSON.",
    effect: "The message contains memory addresses, and jobset-ts shows these values as JSON.",
  },
  GroupNameUnchecked: {
    kind: "Rule",
    until: "v0.8.2",
    pullRequests: [822],
    inRelease: "The webhook does not check group names.",
    onMain: "The webhook denies a `groupName` that is not a DNS label.",
    effect: "The API server prunes `groupName`.",
  },
  GroupLabelsAbsent: {
    kind: "Rule",
    until: "v0.8.2",
    pullRequests: [822],
    inRelease: "Jobs and Pods have no labels for groups of ReplicatedJobs.",
    onMain: "They have `group-name`, `group-replicas` and `job-group-index`.",
    effect: "Programs in Pods cannot read their group, and the API server prunes `groupName`.",
  },
  UidLabelAbsent: {
    kind: "Rule",
    until: "v0.8.2",
    pullRequests: [862],
    inRelease: "Jobs and Pods do not have the label `jobset-uid`.",
    onMain: "They have it.",
    effect: "Selectors cannot distinguish Pods of a recreated JobSet.",
  },
  ZeroRestartsOmitted: {
    kind: "Rule",
    until: "v0.8.2",
    pullRequests: [905],
    inRelease: "The status omits `restarts` while it is 0.",
    onMain: "The status contains `restarts: 0`.",
    effect: "Clients must treat an absent restart count as 0.",
  },
  OneDependencyChecked: {
    kind: "Rule",
    until: "v0.8.2",
    pullRequests: [878],
    inRelease: "The webhook checks only the first entry of `dependsOn`.",
    onMain: "The webhook checks all entries.",
    effect: "The schema of the release rejects a second entry.",
  },
  OneDependencyAwaited: {
    kind: "Rule",
    until: "v0.8.2",
    pullRequests: [878],
    inRelease: "The controller waits only for the first entry of `dependsOn`.",
    onMain: "The controller waits for all entries.",
    effect: "A ReplicatedJob can wait for one other ReplicatedJob only.",
  },
  TerminatingLeadersFound: {
    kind: "Defect",
    until: "v0.8.2",
    pullRequests: [1026],
    inRelease: "The Pod webhooks also find leader Pods that are being deleted.",
    onMain: "The Pod webhooks ignore leader Pods that are being deleted.",
    effect: "New followers are assigned to the domain that their leader is leaving.",
  },
};

/** The behaviors that the schema of the release reproduces. */
const bySchema: Readonly<Record<string, Row>> = {
  NegativeReplicasAdmitted: {
    kind: "Defect",
    until: "v0.12.0",
    pullRequests: [1279],
    inRelease: "The schema admits negative `replicas`.",
    onMain: "The schema requires at least 0.",
    effect: "A JobSet with negative `replicas` is created and never makes progress.",
  },
  VolumeClaimPoliciesPruned: {
    kind: "Rule",
    until: "v0.10.1",
    pullRequests: [1062, 1098],
    inRelease: "The field `volumeClaimPolicies` does not exist.",
    onMain: "The controller creates PersistentVolumeClaims from `volumeClaimPolicies`.",
    effect: "The API server prunes the field, and Pods start without the volumes.",
  },
  MessagePatternsPruned: {
    kind: "Rule",
    until: "v0.9.1",
    pullRequests: [1033],
    inRelease: "The field `onJobFailureMessagePatterns` does not exist.",
    onMain: "Failure policy rules can match the message of a failed Job.",
    effect: "The API server prunes the field, and the rule applies to failures with any message.",
  },
};

/** The behaviors that jobset-ts does not reproduce. */
const notReproduced: Readonly<Record<string, Row>> = {
  PanicsWithoutNetwork: {
    kind: "Defect",
    until: "v0.12.0",
    pullRequests: [1266],
    inRelease: "The controller panics if `spec.network` is absent.",
    onMain: "The controller treats an absent `spec.network` as empty.",
    effect: "A JobSet that bypasses the mutating webhook is not reconciled.",
  },
  PanicsOnAddedReplicatedJob: {
    kind: "Defect",
    until: "v0.11.1",
    pullRequests: [1179],
    inRelease:
      "An update that adds a ReplicatedJob to a suspended JobSet panics in the webhook and gets code 500.",
    onMain: "The webhook denies the update.",
    effect: "The response does not name the field.",
  },
  PanicsOnUnknownReplicatedJob: {
    kind: "Defect",
    until: "v0.10.1",
    pullRequests: [1167],
    inRelease:
      "The controller panics if the label of a Job names a ReplicatedJob that does not exist.",
    onMain: "The controller reports an error or ignores the Job.",
    effect: "The JobSet is not reconciled.",
  },
  PanicsOnUnlabeledPod: {
    kind: "Defect",
    until: "v0.10.1",
    pullRequests: [1077],
    inRelease:
      "The mutating Pod webhook panics if a Pod with a priority and the annotation `exclusive-topology` has no labels.",
    onMain: "The webhook adds the label `priority`.",
    effect: "The Pod gets code 500 if another program created it without labels.",
  },
  PanicsOnEmptyDependencies: {
    kind: "Defect",
    until: "v0.8.2",
    pullRequests: [878],
    inRelease: "The webhook panics if a ReplicatedJob has an empty list `dependsOn`.",
    onMain:
      "The webhook treats an empty list as no dependency, except for the first ReplicatedJob.",
    effect: "The JobSet gets code 500 without a cause.",
  },
  FieldPathsAbsent: {
    kind: "Rule",
    until: "v0.8.2",
    pullRequests: [869],
    inRelease: "Denials of JobSets do not name the field.",
    onMain: "They name the field and its value.",
    effect: "Users must find the invalid field in the text.",
  },
  MetricsWithOneLabel: {
    kind: "Rule",
    until: "v0.8.2",
    pullRequests: [889],
    inRelease: "Metrics have one label `jobset_name` with the namespace and the name.",
    onMain: "They have the labels `jobset_name` and `namespace`.",
    effect: "Queries and alerts must use other labels after the upgrade.",
  },
  EventsInCoreV1: {
    kind: "Rule",
    until: "v0.11.1",
    pullRequests: [],
    inRelease: "Events have the API version `v1`.",
    onMain: "Events have the API version `events.k8s.io/v1` and the action `Reconciling`.",
    effect: "Queries by the fields of `v1` Events must change after the upgrade.",
  },
};

/**
 * All known differences between the supported releases and upstream's main branch.
 *
 * @example behaviors.find(({ name }) => name === "JobsListedByOwnerName")?.releases[0] // => "v0.10.1"
 */
export const behaviors: readonly Behavior[] = [
  ...listBehaviors(byQuirk, "Quirk"),
  ...listBehaviors(bySchema, "Schema"),
  ...listBehaviors(notReproduced, "None"),
];

function listBehaviors(
  rows: Readonly<Record<string, Row>>,
  implementation: Behavior["implementation"],
): readonly Behavior[] {
  return Object.entries(rows).map(([name, { until, since, ...row }]) => {
    const last = since === undefined ? releaseNames.length : releaseNames.indexOf(since) + 1;
    return {
      name,
      ...row,
      releases: releaseNames.slice(releaseNames.indexOf(until), last),
      implementation,
    };
  });
}
