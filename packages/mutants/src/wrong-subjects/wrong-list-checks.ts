// Webhooks for JobSets that check only some elements of a list.
import { edit, put, type Untyped, words } from "../edit.ts";
import { JOB, POD, partialChecks } from "./defect-tables.ts";
import type { DefectsByLaw } from "./wrong-subject.ts";
import { isCreation, misread, type WebhookDefect } from "./wrong-webhook.ts";

/**
 * A checked list in the spec of a JobSet, and how its unchecked elements become valid: a member gets another value, or
 * the element is removed if the path has no member.
 */
type ListRule = readonly [path: `${string}[]${string}`, validValue?: Untyped];

const claimRules = (law: string): Readonly<Record<string, ListRule>> => ({
  [`templates of the claim policies (law ${law})`]: ["volumeClaimPolicies[].templates", []],
  [`templates of a claim policy (law ${law})`]: ["volumeClaimPolicies.*.templates[]"],
});
const ruleLists = words("targetReplicatedJobs onJobFailureReasons onJobFailureMessagePatterns");
const JOB_AND_POD_NAMES = "the names of the Jobs and Pods of ReplicatedJobs";

const rules: DefectsByLaw<ListRule> = {
  namesFit: {
    "the group names of ReplicatedJobs": ["replicatedJobs[].groupName", "default"],
    [JOB_AND_POD_NAMES]: ["replicatedJobs[].replicas", 1],
  },
  podsCanBeCounted: { "the Pod counts of ReplicatedJobs": ["replicatedJobs[].replicas", 1] },
  dependenciesPointBackwards: {
    "the dependencies of ReplicatedJobs": ["replicatedJobs[].dependsOn"],
    "the elements of dependsOn": ["replicatedJobs.*.dependsOn[]"],
  },
  exclusiveJobsHaveLeaders: {
    "the completion mode of ReplicatedJobs under exclusive placement": [
      `replicatedJobs[].${JOB}.completionMode`,
      "Indexed",
    ],
    "the topology keys of ReplicatedJobs": ["replicatedJobs[].template.metadata.annotations"],
  },
  claimsCanBeMounted: {
    "the volumes of ReplicatedJobs": [`replicatedJobs[].${POD}.volumes`, []],
    "the volumes of a Pod": [`replicatedJobs.*.${POD}.volumes[]`],
    ...claimRules("claimsCanBeMounted"),
  },
  existingClaimsAreReused: claimRules("existingClaimsAreReused"),
  successTargetsExist: { "the success policy's targets": ["successPolicy.targetReplicatedJobs[]"] },
  failureRulesCanApply: {
    "the names of failure policy rules": [
      "failurePolicy.rules[].name",
      (index: number) => `unchecked${index}`,
    ],
    ...Object.fromEntries(
      ruleLists.map((list) => [
        `${list} of failure policy rules`,
        [`failurePolicy.rules[].${list}`, []],
      ]),
    ),
    ...Object.fromEntries(
      ruleLists.map((list) => [`the elements of ${list}`, [`failurePolicy.rules.*.${list}[]`]]),
    ),
  },
  jobRestartsCanBeCounted: {
    "the actions of failure policy rules": ["failurePolicy.rules[].action", "FailJobSet"],
  },
};

const rulesUnderGates: DefectsByLaw<ListRule> = {
  inPlaceRestartSpecsAreValid: {
    "backoffLimit of ReplicatedJobs with in-place restart": [
      `replicatedJobs[].${JOB}.backoffLimit`,
      2 ** 31 - 1,
    ],
    "podReplacementPolicy of ReplicatedJobs with in-place restart": [
      `replicatedJobs[].${JOB}.podReplacementPolicy`,
      "Failed",
    ],
    "the size of ReplicatedJobs with in-place restart": [`replicatedJobs[].${JOB}.parallelism`, 1],
  },
  jobRestartsCanBeCounted: {
    "the replicas of ReplicatedJobs under single restarts": ["replicatedJobs[].replicas", 1],
  },
};

/** Creates webhooks that check some elements of each list on creation, or none. */
function createDefects(rulesByLaw: DefectsByLaw<ListRule>): DefectsByLaw<WebhookDefect> {
  const choices = [...partialChecks, ["none", () => false] as const];
  const ofLaw = (rulesOfLaw: Readonly<Record<string, ListRule>>) =>
    Object.entries(rulesOfLaw).flatMap(([what, rule]) =>
      choices.map(([elements, isChecked]) => {
        const knownDefect = what === JOB_AND_POD_NAMES && elements === "none" ? "B50 " : "";
        return [`${knownDefect}checks ${elements} of ${what}`, checkPartly(rule, isChecked)];
      }),
    );
  return Object.fromEntries(
    Object.entries(rulesByLaw).map(([law, some]) => [law, Object.fromEntries(ofLaw(some))]),
  );
}

function checkPartly(
  [path, validValue]: ListRule,
  isChecked: (index: number, length: number) => boolean,
): WebhookDefect {
  const [list, member = ""] = path.split("[]");
  return misread((input) => {
    if (!isCreation(input)) return;
    edit(input.object?.spec, `${list}.*`, (element, _, index, length) => {
      if (isChecked(index, length)) return element;
      if (member === "") return undefined;
      const value = typeof validValue === "function" ? validValue(index) : validValue;
      put(element, member.slice(1), value);
      return element;
    });
  });
}

export const wrongListChecks = createDefects(rules);
export const wrongListChecksUnderGates = createDefects(rulesUnderGates);
