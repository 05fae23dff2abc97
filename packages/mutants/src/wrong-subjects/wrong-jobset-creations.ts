// Webhooks for JobSets that are wrong about new JobSets, or under feature gates.
import { getReplicas, getReplicatedJobs } from "@jobset-ts/api";
import { JOBSET_CONTROLLER_NAME } from "@jobset-ts/api/keys";
import { edit, get, type Untyped, words } from "../edit.ts";
import { jobSets, jobSetsUnderGates, type WebhookLawSet } from "../law-sets.ts";
import { defectForEach, JOB, memberNames, POD, partialReads, specPaths } from "./schema-paths.ts";
import { createWrongSubjects } from "./wrong-subject.ts";
import {
  admitDespite,
  denyIf,
  dropMembers,
  isCreation,
  misread,
  omitFromPatch,
  setMember,
} from "./wrong-webhook.ts";

const TEMPLATES = "volumeClaimPolicies.*.templates";

const denyCreationIf = (isDenied: (replicatedJobs: readonly Untyped[]) => unknown) =>
  denyIf((input) => isCreation(input) && isDenied(getReplicatedJobs(input.object)));

const countPods = (replicatedJob: Untyped): number =>
  getReplicas(replicatedJob) * (get(replicatedJob, "template.spec.parallelism") ?? 1);
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

export const wrongJobSetCreations = createWrongSubjects(jobSets, {
  validJobSetsAreAdmitted: {
    "denies ReplicatedJobs without replicas": denyIf(({ object }) =>
      getReplicatedJobs(object).some((one) => one?.replicas === 0),
    ),
  },
  newJobSetsGetDefaults: {
    ...defectForEach(words("suspend managedBy ttlSecondsAfterFinished coordinator"), (name) => [
      `sets no defaults in a JobSet with ${name}`,
      omitFromPatch((_, { object }) => object?.spec?.[name] !== undefined),
    ]),
    "sets no defaults in a JobSet without a name": omitFromPatch(
      (_, { object }) => !object?.metadata?.name,
    ),
  },
  givenValuesAreKept: {
    ...defectForEach(specPaths, (path) => [
      `drops ${path}`,
      dropMembers((jobSet) =>
        getReplicatedJobs(jobSet).map((_, index) => `spec.${path.replace("*", `${index}`)}`),
      ),
    ]),
    "B66 sets managedBy": setMember("/spec/managedBy", ({ object }) =>
      object?.spec?.managedBy ? undefined : JOBSET_CONTROLLER_NAME,
    ),
  },
  namesFit: {
    "B50 checks the names of Jobs with the index 0": misread(
      "object.spec.replicatedJobs.*.replicas",
      (replicas) => replicas && 1,
    ),
    "B51 does not check the names of Pods": admitDespite(/pod names generated for this JobSet/),
    "treats generateName as the name": misread(
      "object.metadata.name",
      (name, { owner }) => owner.generateName ?? name,
    ),
    "admits group names that end with a dash": misread(
      "object.spec.replicatedJobs.*.groupName",
      (name) => name?.replace(/-$/, "a"),
    ),
  },
  coordinatorsAreValid: {
    "B55 throws on a coordinator without completions": denyIf(({ object }) => {
      const hasCompletions = (one: Untyped) => get(one, "template.spec.completions");
      if (object?.spec?.coordinator && !getReplicatedJobs(object).every(hasCompletions))
        throw new TypeError("completions");
    }),
    "B56 looks up the first ReplicatedJob for the coordinator": misread(
      "object.spec.coordinator.replicatedJob",
      (_, { object }) => getReplicatedJobs(object)[0]?.name,
    ),
    "admits a coordinator after the last Pod": misread(
      "object.spec.coordinator.podIndex",
      (index) => (index > 0 ? index - 1 : index),
    ),
    "checks the address of a coordinator as if its indexes were 0": misread(
      "object.spec.coordinator",
      (coordinator) => coordinator && { ...coordinator, jobIndex: 0, podIndex: 0 },
    ),
  },
  podsCanBeCounted: {
    "B64 lets the number of Pods overflow": misread("object.spec.replicatedJobs.*", (one) =>
      countPods(one) >= 2 ** 31 && (countPods(one) | 0) >= 0 ? { ...one, replicas: 1 } : one,
    ),
    "counts Pods over all ReplicatedJobs": denyCreationIf(
      (all) => sum(all.map(countPods)) >= 2 ** 31,
    ),
  },
  subdomainsAreServiceNames: {
    "B71 admits a subdomain that starts with a digit": misread(
      "object.spec.network.subdomain",
      (name) => name?.replace(/^\d/, "a"),
    ),
  },
  managedByHasADomain: {
    "denies managedBy of 63 bytes": denyIf(({ object }) => object?.spec?.managedBy?.length === 63),
    "denies managedBy with two slashes": denyIf(({ object }) =>
      /\/.*\//.test(object?.spec?.managedBy),
    ),
  },
  claimsCanBeMounted: {
    "ignores the volume mounts of init containers": misread(
      `object.spec.${POD}.initContainers`,
      () => undefined,
    ),
  },
  existingClaimsAreReused: defectForEach(
    memberNames("PersistentVolumeClaimSpec", "volumeName"),
    (name) => [
      `does not compare ${name} of an existing PVC`,
      misread(`object.spec.${TEMPLATES}.*.spec.${name}`, (value, { cluster }) => {
        if (value !== undefined) edit(cluster, `*.spec.${name}`, () => value);
        return value;
      }),
    ],
  ),
});

export const wrongUnderGates = createWrongSubjects(jobSetsUnderGates, {
  scalingChangesParallelismAndCompletions: {
    "lets NonIndexed Jobs scale": misread(`*.spec.${JOB}.completionMode`, () => "Indexed"),
  },
  jobRestartsCanBeCounted: {
    "denies 1024 Jobs under single restarts": denyCreationIf((all) =>
      all.some((one) => getReplicas(one) === 1024),
    ),
    "counts Jobs under single restarts over all ReplicatedJobs": denyCreationIf(
      (all) => Math.max(...all.map(getReplicas)) <= 1024 && sum(all.map(getReplicas)) > 1024,
    ),
  },
});

/**
 * A checked value in the spec of a JobSet. If a webhook does not check the value in an element of the innermost list of
 * the path, it reads a valid value there. Without a valid value, it reads none.
 */
type ListRule = readonly [law: string, path: string, validValue?: unknown];

const RULE = "failurePolicy.rules.*";

const rules: readonly ListRule[] = [
  ["namesFit", "replicatedJobs.*.groupName", "default"],
  ["namesFit", "replicatedJobs.*.replicas", 1],
  ["podsCanBeCounted", "replicatedJobs.*.replicas", 1],
  ["dependenciesPointBackwards", "replicatedJobs.*.dependsOn"],
  ["dependenciesPointBackwards", "replicatedJobs.*.dependsOn.*"],
  ["exclusiveJobsHaveLeaders", `${JOB}.completionMode`, "Indexed"],
  ["exclusiveJobsHaveLeaders", "replicatedJobs.*.template.metadata.annotations"],
  ["claimsCanBeMounted", `${POD}.volumes`],
  ["claimsCanBeMounted", `${POD}.volumes.*`],
  ["claimsCanBeMounted", TEMPLATES, []],
  ["claimsCanBeMounted", `${TEMPLATES}.*`],
  ["existingClaimsAreReused", TEMPLATES, []],
  ["existingClaimsAreReused", `${TEMPLATES}.*`],
  ["successTargetsExist", "successPolicy.targetReplicatedJobs.*"],
  ["failureRulesCanApply", `${RULE}.name`],
  ["failureRulesCanApply", `${RULE}.targetReplicatedJobs`],
  ["failureRulesCanApply", `${RULE}.targetReplicatedJobs.*`],
  ["failureRulesCanApply", `${RULE}.onJobFailureReasons`],
  ["failureRulesCanApply", `${RULE}.onJobFailureReasons.*`],
  ["failureRulesCanApply", `${RULE}.onJobFailureMessagePatterns`],
  ["failureRulesCanApply", `${RULE}.onJobFailureMessagePatterns.*`],
  ["jobRestartsCanBeCounted", `${RULE}.action`, "FailJobSet"],
];

const rulesUnderGates: readonly ListRule[] = [
  ["inPlaceRestartSpecsAreValid", `${JOB}.backoffLimit`, 2 ** 31 - 1],
  ["inPlaceRestartSpecsAreValid", `${JOB}.podReplacementPolicy`, "Failed"],
  ["inPlaceRestartSpecsAreValid", `${JOB}.parallelism`, 1],
  ["jobRestartsCanBeCounted", "replicatedJobs.*.replicas", 1],
];

export const wrongListChecks = [
  ...createListSubjects(jobSets, rules),
  ...createListSubjects(jobSetsUnderGates, rulesUnderGates),
];

function createListSubjects(lawSet: WebhookLawSet, rules: readonly ListRule[]) {
  return rules.flatMap(([law, path, validValue]) => {
    const defects = defectForEach(partialReads, ([elements, isRead]) => [
      `applies ${law} to ${elements} of ${path}`,
      misread(`object.spec.${path}`, (value, input) =>
        isRead(input) || !isCreation(input) ? value : validValue,
      ),
    ]);
    return createWrongSubjects(lawSet, { [law]: defects });
  });
}
