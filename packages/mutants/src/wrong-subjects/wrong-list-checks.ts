// Webhooks for JobSets that check only some elements of a list.
import { edit, type Loose, put, words } from "../edit.ts";
import {
  forEach,
  forEachPair,
  type IsChecked,
  isCreation,
  JOB,
  POD,
  someElements,
  type WrongByLaw,
} from "./jobset-parts.ts";
import type { SubjectsByLaw } from "./wrong-subject.ts";
import { validating, type WrongWebhook } from "./wrong-webhook.ts";

/**
 * A list in the spec of a JobSet with a rule, and how an element becomes valid: a member gets a value, or, without a
 * member, the element is removed.
 */
type ListRule = readonly [list: string, member?: string, value?: Loose];

const claimRules = (by: string): Readonly<Record<string, ListRule>> => ({
  [`templates of the claim policies (law ${by})`]: ["volumeClaimPolicies", "templates", []],
  [`templates of a claim policy (law ${by})`]: ["volumeClaimPolicies.*.templates"],
});
const NAMES = "the names of the Jobs and Pods of ReplicatedJobs";
const RULES = "failurePolicy.rules";
const ruleLists = words("targetReplicatedJobs onJobFailureReasons onJobFailureMessagePatterns");

const listRules: SubjectsByLaw<ListRule> = {
  namesFit: {
    "the group names of ReplicatedJobs": ["replicatedJobs", "groupName", "default"],
    [NAMES]: ["replicatedJobs", "replicas", 1],
  },
  podsCanBeCounted: { "the Pod counts of ReplicatedJobs": ["replicatedJobs", "replicas", 1] },
  dependenciesPointBackwards: {
    "the dependencies of ReplicatedJobs": ["replicatedJobs", "dependsOn"],
    "the elements of dependsOn": ["replicatedJobs.*.dependsOn"],
  },
  exclusiveJobsHaveLeaders: {
    "the completion mode of ReplicatedJobs under exclusive placement": [
      "replicatedJobs",
      `${JOB}.completionMode`,
      "Indexed",
    ],
    "the topology keys of ReplicatedJobs": ["replicatedJobs", "template.metadata.annotations"],
  },
  claimsCanBeMounted: {
    "the volumes of ReplicatedJobs": ["replicatedJobs", `${POD}.volumes`, []],
    "the volumes of a Pod": [`replicatedJobs.*.${POD}.volumes`],
    ...claimRules("claimsCanBeMounted"),
  },
  existingClaimsAreReused: claimRules("existingClaimsAreReused"),
  successTargetsExist: { "the success policy's targets": ["successPolicy.targetReplicatedJobs"] },
  failureRulesCanApply: {
    "the names of failure policy rules": [RULES, "name", (index: number) => `spared${index}`],
    ...forEach(ruleLists, (name): [string, ListRule] => [
      `${name} of failure policy rules`,
      [RULES, name, []],
    ]),
    ...forEach(ruleLists, (name): [string, ListRule] => [
      `the elements of ${name}`,
      [`${RULES}.*.${name}`],
    ]),
  },
  jobRestartsCanBeCounted: {
    "the actions of failure policy rules": [RULES, "action", "FailJobSet"],
  },
};

const listRulesUnderGates: SubjectsByLaw<ListRule> = {
  inPlaceRestartSpecsAreValid: {
    "backoffLimit of ReplicatedJobs with in-place restart": [
      "replicatedJobs",
      `${JOB}.backoffLimit`,
      2 ** 31 - 1,
    ],
    "podReplacementPolicy of ReplicatedJobs with in-place restart": [
      "replicatedJobs",
      `${JOB}.podReplacementPolicy`,
      "Failed",
    ],
    "the size of ReplicatedJobs with in-place restart": ["replicatedJobs", `${JOB}.parallelism`, 1],
  },
  jobRestartsCanBeCounted: {
    "the replicas of ReplicatedJobs under single restarts": ["replicatedJobs", "replicas", 1],
  },
};

/** Checks some elements of a list, or none, on creation. */
const partlyChecked = (laws: SubjectsByLaw<ListRule>): WrongByLaw =>
  forEach(Object.entries(laws), ([by, rules]) => [
    by,
    forEachPair(
      Object.entries(rules),
      [...someElements, ["none", () => false] as const],
      ([what, rule], [which, isChecked]) => [
        `${NAMES === what && which === "none" ? "B50 " : ""}checks ${which} of ${what}`,
        sparing(rule, isChecked),
      ],
    ),
  ]);

function sparing([path, member, value]: ListRule, isChecked: IsChecked): WrongWebhook {
  return validating((question) => {
    if (!isCreation(question)) return;
    edit(question.object?.spec, `${path}.*`, (element, _, index, length) => {
      if (isChecked(index, length)) return element;
      if (member === undefined) return undefined;
      put(element, member, typeof value === "function" ? value(index) : value);
      return element;
    });
  });
}

export const wrongListChecks = partlyChecked(listRules);
export const wrongListChecksUnderGates = partlyChecked(listRulesUnderGates);
