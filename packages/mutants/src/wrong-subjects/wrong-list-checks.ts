// Webhooks for JobSets that check only some elements of a list on creation, or none.
import { edit, put, type Untyped } from "../edit.ts";
import { JOB, POD, partialChecks } from "./defect-tables.ts";
import { createWrongWebhooks, isCreation, misread, type WebhookDefect } from "./wrong-webhook.ts";

/**
 * A checked list in the spec of a JobSet: `[]` comes after the list. An unchecked element becomes valid before the
 * check: the member after `[]` gets a valid value, or the element is removed if there is no such member.
 */
type ListRule = readonly [
  law: string,
  description: string,
  path: `${string}[]${string}`,
  validValue?: Untyped,
];

const RULES = "failurePolicy.rules";

// biome-ignore format: a line for each rule
const rules: readonly ListRule[] = [
  ["namesFit", "the group names of ReplicatedJobs", "replicatedJobs[].groupName", "default"],
  ["namesFit", "the names of the Jobs and Pods of ReplicatedJobs", "replicatedJobs[].replicas", 1],
  ["podsCanBeCounted", "the Pod counts of ReplicatedJobs", "replicatedJobs[].replicas", 1],
  ["dependenciesPointBackwards", "the dependencies of ReplicatedJobs", "replicatedJobs[].dependsOn"],
  ["dependenciesPointBackwards", "the elements of dependsOn", "replicatedJobs.*.dependsOn[]"],
  ["exclusiveJobsHaveLeaders", "the completion mode of exclusive Jobs", `replicatedJobs[].${JOB}.completionMode`, "Indexed"],
  ["exclusiveJobsHaveLeaders", "the topology keys of ReplicatedJobs", "replicatedJobs[].template.metadata.annotations"],
  ["claimsCanBeMounted", "the volumes of ReplicatedJobs", `replicatedJobs[].${POD}.volumes`, []],
  ["claimsCanBeMounted", "the volumes of a Pod", `replicatedJobs.*.${POD}.volumes[]`],
  ["claimsCanBeMounted", "the mounted templates of the claim policies", "volumeClaimPolicies[].templates", []],
  ["claimsCanBeMounted", "the mounted templates of a claim policy", "volumeClaimPolicies.*.templates[]"],
  ["existingClaimsAreReused", "the reused templates of the claim policies", "volumeClaimPolicies[].templates", []],
  ["existingClaimsAreReused", "the reused templates of a claim policy", "volumeClaimPolicies.*.templates[]"],
  ["successTargetsExist", "the success policy's targets", "successPolicy.targetReplicatedJobs[]"],
  ["failureRulesCanApply", "the names of failure policy rules", `${RULES}[].name`, (index: number) => `unchecked${index}`],
  ["failureRulesCanApply", "the targets of failure policy rules", `${RULES}[].targetReplicatedJobs`, []],
  ["failureRulesCanApply", "the reasons of failure policy rules", `${RULES}[].onJobFailureReasons`, []],
  ["failureRulesCanApply", "the message patterns of failure policy rules", `${RULES}[].onJobFailureMessagePatterns`, []],
  ["failureRulesCanApply", "the targets of a failure policy rule", `${RULES}.*.targetReplicatedJobs[]`],
  ["failureRulesCanApply", "the reasons of a failure policy rule", `${RULES}.*.onJobFailureReasons[]`],
  ["failureRulesCanApply", "the message patterns of a failure policy rule", `${RULES}.*.onJobFailureMessagePatterns[]`],
  ["jobRestartsCanBeCounted", "the actions of failure policy rules", `${RULES}[].action`, "FailJobSet"],
];

// biome-ignore format: a line for each rule
const rulesUnderGates: readonly ListRule[] = [
  ["inPlaceRestartSpecsAreValid", "backoffLimit of Jobs with in-place restart", `replicatedJobs[].${JOB}.backoffLimit`, 2 ** 31 - 1],
  ["inPlaceRestartSpecsAreValid", "podReplacementPolicy of Jobs with in-place restart", `replicatedJobs[].${JOB}.podReplacementPolicy`, "Failed"],
  ["inPlaceRestartSpecsAreValid", "the size of Jobs with in-place restart", `replicatedJobs[].${JOB}.parallelism`, 1],
  ["jobRestartsCanBeCounted", "the replicas of ReplicatedJobs under single restarts", "replicatedJobs[].replicas", 1],
];

const choices = [...partialChecks, ["none", () => false] as const];

/** Returns the defects of a rule by their description. */
function createDefects([, description, path, validValue]: ListRule) {
  const [list, member = ""] = path.split("[]");
  const checkOnly = (isChecked: (index: number, length: number) => boolean): WebhookDefect =>
    misread((input) => {
      if (!isCreation(input)) return;
      edit(input.object?.spec, `${list}.*`, (element, _, index, length) => {
        if (isChecked(index, length)) return element;
        if (member === "") return undefined;
        const value = typeof validValue === "function" ? validValue(index) : validValue;
        put(element, member.slice(1), value);
        return element;
      });
    });
  return Object.fromEntries(
    choices.map(([elements, isChecked]) => {
      const what = `checks ${elements} of ${description}`;
      const isKnown = what === "checks none of the names of the Jobs and Pods of ReplicatedJobs";
      return [isKnown ? `B50 ${what}` : what, checkOnly(isChecked)];
    }),
  );
}

export const wrongListChecks = [
  ...rules.flatMap((rule) => createWrongWebhooks("jobSets", { [rule[0]]: createDefects(rule) })),
  ...rulesUnderGates.flatMap((rule) =>
    createWrongWebhooks("jobSetsUnderGates", { [rule[0]]: createDefects(rule) }),
  ),
];
