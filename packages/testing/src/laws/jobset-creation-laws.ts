import { validateJobSet } from "@jobset-ts/admission";
import type { JobSet, JobSetSpec } from "@jobset-ts/api";
import { getName } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot } from "@jobset-ts/core";
import fc from "fast-check";
import { type AJobSet, aJobSet } from "../builders/a-jobset.ts";
import { asJson } from "./as-json.ts";
import * as claims from "./claim-rules.ts";
import { dependencyRules, firstJobRules } from "./dependency-rules.ts";
import { type EnumeratedCases, enumerateCases, joinCases } from "./enumerated-cases.ts";
import { scaleJobs, spec, train, withWorkers } from "./jobset-edits.ts";
import * as rules from "./jobset-rules.ts";
import type { Law, LawText } from "./law.ts";
import { placementRules } from "./placement-rules.ts";
import * as policies from "./policy-rules.ts";
import type { RuleRow } from "./rule-samples.ts";
import type { ValidatingWebhook } from "./webhook.ts";
import { checkDecision, createWebhookLaw, type WebhookCase } from "./webhook-law.ts";
import { callWebhook, type WebhookRequest } from "./webhook-request.ts";

/** Returns whether JobSet's webhook admits a JobSet with these feature gates, and why. */
export function getJobSetDecision(
  { operation, object, oldObject, cluster }: WebhookRequest,
  { features = [] }: Pick<ValidatingWebhook, "features">,
) {
  const gates = Object.fromEntries(features.map((name) => [name, true]));
  const context = createContext({ now: 0, features: gates });
  const snapshot = createSnapshot(cluster, { kinds: ["PersistentVolumeClaim"] });
  const result = validateJobSet({ operation, object, oldObject }, snapshot, context);
  return result.allowed
    ? { allowed: true, reason: "the JobSet violates no rule" }
    : { allowed: false, reason: result.denial.status.message ?? "" };
}

/** Creates a law: the webhook admits JobSets that satisfy certain rules, and denies each one that violates a rule. */
function createRulesLaw(
  name: string,
  text: LawText,
  rows: readonly RuleRow[],
): Law<ValidatingWebhook> {
  return createWebhookLaw(
    name,
    text,
    getSamples(rows),
    async (subject: ValidatingWebhook, generated: WebhookCase) =>
      checkDecision(
        await callWebhook(subject.validate, "JobSet", generated),
        getJobSetDecision(generated, subject),
      ),
  );
}

/** Returns the samples in turn, because a webhook is often wrong about a single sample. */
function getSamples(rows: readonly RuleRow[]): EnumeratedCases<WebhookCase> {
  const samples = rows.flatMap(({ says, kept, broken }) =>
    [...broken, ...kept].map((sample) => ({ says, sample })),
  );
  return enumerateCases(samples, ({ says, sample }) =>
    fc.constantFrom(...surroundings).map((around) => ({
      kind: "JobSet",
      situation: `one rule: ${says}`,
      operation: "CREATE",
      object: asJson<JobSet>(around(sample.jobSet as AJobSet)),
      cluster: asJson(sample.cluster ?? []),
    })),
  );
}

/** Changes that affect no rule. */
const surroundings: readonly ((jobSet: AJobSet) => JobSet)[] = [
  (jobSet) => jobSet,
  (jobSet) => jobSet.suspended(),
  (jobSet) => jobSet.withLabels({ team: "a" }),
  (jobSet) => jobSet.withSpec({ ttlSecondsAfterFinished: 60 }),
  (jobSet) => jobSet.withSpec({ startupPolicy: { startupPolicyOrder: "AnyOrder" } }),
  // The API server has generated the name, and keeps its prefix.
  (jobSet) => {
    const generateName = getName(jobSet).slice(0, -5) || "t";
    return { ...jobSet, metadata: { ...jobSet.metadata, generateName } };
  },
];

/** Without this law, a webhook that denies everything would satisfy the others. */
export const validJobSetsAreAdmitted: Law<ValidatingWebhook> = createRulesLaw(
  "validJobSetsAreAdmitted",
  { sentence: "The webhook admits a JobSet that violates no rule.", defects: ["#819", "#60"] },
  [
    {
      rule: "schema-valid",
      says: "the JobSet satisfies all rules",
      kept: [
        { jobSet: aJobSet("train").withReplicatedJob("workers", { replicas: 2 }) },
        { jobSet: aJobSet("train") },
        { jobSet: aJobSet("train").withReplicatedJob("workers", { replicas: 0 }) },
        { jobSet: scaleJobs(aJobSet("train").withReplicatedJob("workers"), 0) },
        { jobSet: withoutPolicies(aJobSet("train").withReplicatedJob("workers")) },
        ...rules.allRules.flatMap(({ kept }) => kept.slice(0, 1)),
      ],
      broken: [],
    },
  ],
);

/** Removes defaults, as if a client sent the JobSet to a cluster without defaulting. */
function withoutPolicies(jobSet: AJobSet): AJobSet {
  return jobSet.withSpec({ network: undefined, successPolicy: undefined });
}

/**
 * Names, labels and selectors of all objects of a JobSet, up to the last index, must be valid for kube-apiserver 1.36.
 * Upstream checks less (quirks `DashedReplicatedJobAdmitted`, `ServiceNameUnchecked`, `LongNodeSelectorAdmitted`). Its
 * controller then retries forever without effect.
 */
export const namesFit: Law<ValidatingWebhook> = createRulesLaw(
  "namesFit",
  {
    sentence:
      "The webhook admits a JobSet if and only if the names of its last Job and Pod, its group, Service and labels are valid.",
    defects: ["#284", "#408"],
  },
  rules.nameRules,
);

/** The Pod count is parallelism times replicas, without an overflow. */
export const podsCanBeCounted: Law<ValidatingWebhook> = createRulesLaw(
  "podsCanBeCounted",
  {
    sentence: "The webhook denies a JobSet if the Pod count of a ReplicatedJob exceeds 32 bits.",
    defects: ["#184"],
  },
  rules.podCountRules,
);

/** The subdomain becomes the name of a Service. */
export const subdomainsAreServiceNames: Law<ValidatingWebhook> = createRulesLaw(
  "subdomainsAreServiceNames",
  { sentence: "The webhook denies a subdomain that is not a valid Service name.", defects: [] },
  rules.networkRules,
);

/** The manager of a JobSet is a path with a domain prefix. */
export const managedByHasADomain: Law<ValidatingWebhook> = createRulesLaw(
  "managedByHasADomain",
  {
    sentence:
      "The webhook denies a managedBy value unless it is a domain-prefixed path of at most 63 bytes.",
    defects: ["#487"],
  },
  rules.managerRules,
);

/**
 * Dependencies on preceding ReplicatedJobs cannot deadlock. As in jobset-ts, a ReplicatedJob must not depend on itself
 * (quirk `SelfDependencyAdmitted`). Upstream denies an empty `dependsOn` of the first ReplicatedJob; the law accepts
 * both.
 */
export const dependenciesPointBackwards: Law<ValidatingWebhook> = createRulesLaw(
  "dependenciesPointBackwards",
  {
    sentence:
      "The webhook denies a ReplicatedJob that depends on itself, on a later ReplicatedJob or on one that does not exist.",
    defects: ["#740"],
  },
  [...dependencyRules, ...firstJobRules],
);

/**
 * With the feature gate `InPlaceRestart` of the subject, the Job must support in-place restart. Without it, the policy
 * is invalid.
 */
export const inPlaceRestartSpecsAreValid: Law<ValidatingWebhook> = createRulesLaw(
  "inPlaceRestartSpecsAreValid",
  {
    sentence:
      "The webhook denies in-place restart without its feature gate, and for Jobs whose Pods the Job controller would replace.",
    defects: [],
  },
  [...rules.inPlaceRules, ...rules.inPlaceJobRules],
);

/**
 * Exclusive placement needs Jobs with a leader and a topology key that is a valid label key. Upstream checks neither
 * (quirks `NonIndexedExclusiveAdmitted`, `TopologyKeyUnchecked`), and then no Pod can be created.
 */
export const exclusiveJobsHaveLeaders: Law<ValidatingWebhook> = createRulesLaw(
  "exclusiveJobsHaveLeaders",
  {
    sentence:
      "The webhook denies exclusive placement for Jobs that are not Indexed, and for a topology key that is not a valid label key.",
    defects: ["#1284"],
  },
  placementRules,
);

/** A target that does not exist would never succeed. */
export const successTargetsExist: Law<ValidatingWebhook> = createRulesLaw(
  "successTargetsExist",
  {
    sentence: "The webhook denies a success policy that names a ReplicatedJob that does not exist.",
    defects: [],
  },
  policies.successRules,
);

/**
 * Names, targets, reasons and patterns of the rules must be usable. As in jobset-ts, an invalid pattern is denied
 * (quirk `InvalidPatternAdmitted`). The law does not limit the cost of patterns (`PatternWorkUnbounded`).
 */
export const failureRulesCanApply: Law<ValidatingWebhook> = createRulesLaw(
  "failureRulesCanApply",
  {
    sentence:
      "The webhook denies a failure policy if a rule has an invalid name, target, reason or pattern, or if two rules have one name.",
    defects: [],
  },
  policies.failureRules,
);

/**
 * With the feature gate `RestartJob` of the subject, the status can count this many Jobs. Without it, the action is
 * invalid.
 */
export const jobRestartsCanBeCounted: Law<ValidatingWebhook> = createRulesLaw(
  "jobRestartsCanBeCounted",
  {
    sentence:
      "The webhook denies restarts of single Jobs without their feature gate, and for more than 1024 Jobs.",
    defects: ["#920"],
  },
  [...policies.restartJobRules, ...policies.restartCountRules],
);

/** The address becomes a label of every Pod. */
export const coordinatorsAreValid: Law<ValidatingWebhook> = createRulesLaw(
  "coordinatorsAreValid",
  {
    sentence:
      "The webhook denies a coordinator that is not a Pod of the JobSet, or whose address is not a valid label value.",
    defects: ["#931"],
  },
  rules.coordinatorRules,
);

/**
 * As in jobset-ts, a dot in the name is denied (quirk `DottedClaimAdmitted`), because the name becomes a volume name.
 */
export const claimsCanBeMounted: Law<ValidatingWebhook> = createRulesLaw(
  "claimsCanBeMounted",
  {
    sentence:
      "The webhook denies a PVC template if its name is taken, too long or not a valid volume name, or if no container mounts it.",
    defects: [],
  },
  claims.claimRules,
);

/**
 * An existing PVC was retained and is reused. As in jobset-ts, fields that the cluster added do not count (quirk
 * `RetainedClaimRejected`). The law does not prescribe how quantities and empty fields are compared.
 */
export const existingClaimsAreReused: Law<ValidatingWebhook> = createRulesLaw(
  "existingClaimsAreReused",
  {
    sentence:
      "The webhook admits a PVC template whose PVC exists if the PVC is retained and equals the template, and denies it otherwise.",
    defects: ["#1307", "#1304"],
  },
  claims.existingClaimRules,
);

const forbiddenUpdates: readonly JobSet[] = [
  withWorkers(train, (one) => ({ ...one, replicas: 3 })),
  spec(train, { managedBy: "acme.io/controller" }),
  spec(train, { network: undefined }),
  spec(train, { coordinator: { replicatedJob: "nope" } }),
];

/**
 * A denial means invalid input. It is not a missing permission (403) or a failure of the webhook (500), after which a
 * client would retry. A response without code and causes is valid, too: the API server then returns 400. The law does
 * not prescribe which of several fields a cause names, and accepts causes without a field next to others.
 *
 * @see JobSet #1207
 */
export const invalidObjectsGetAnError: Law<ValidatingWebhook> = createWebhookLaw(
  "invalidObjectsGetAnError",
  {
    sentence:
      "A denial of a JobSet has code 422 or 400 and the matching reason, and its causes name fields of a JobSet.",
    defects: ["#1207"],
  },
  joinCases(
    getSamples(rules.allRules.map((row) => ({ ...row, kept: [] }))),
    enumerateCases(forbiddenUpdates, (after) =>
      fc.constant({
        kind: "JobSet",
        situation: "an immutable field changes",
        operation: "UPDATE",
        object: asJson(after),
        oldObject: asJson(train),
        cluster: [],
      }),
    ),
  ),
  async ({ validate }: ValidatingWebhook, generated: WebhookCase) => {
    const response = await callWebhook(validate, "JobSet", generated);
    // Other laws check whether the webhook denies it.
    if (response.allowed) return undefined;
    const { code, reason, fields } = response;
    const isMistake = invalidInputStatuses.some(
      (one) => (code ?? one.code) === one.code && (reason ?? one.reason) === one.reason,
    );
    if (!isMistake) {
      return {
        actual: `denies it with ${[code, reason].filter((one) => one !== undefined).join(" ")}`,
        expected: "422 Invalid, or 400 BadRequest",
      };
    }
    const blamed = fields.filter((field) => field !== "");
    const blamesNone = fields.length > 0 && blamed.length === 0;
    const wrong = blamesNone ? "" : blamed.find((field) => !namesMember(field));
    if (wrong === undefined) return undefined;
    return {
      actual: `blames ${wrong === "" ? "no field" : `the field ${wrong}`}`,
      expected: "a field of the JobSet's metadata or spec",
    };
  },
);

const invalidInputStatuses = [
  { code: 422, reason: "Invalid" },
  { code: 400, reason: "BadRequest" },
];

/** Accepts any notation, such as `.spec.network`, `$.spec.network`, `/spec/network` or `object.spec['network']`. */
function namesMember(field: string): boolean {
  const path = field.replaceAll(/\[(['"])(\w+)\1\]/g, ".$2").replace(/^(object|\$)?[./]/, "");
  const [top = "", member] = path.split(/[./[]/);
  return top === "spec" && member !== undefined
    ? Object.hasOwn(listSpecMembers, member)
    : top === "metadata" || top === "spec";
}

const listSpecMembers: Readonly<Record<keyof JobSetSpec, true>> = {
  replicatedJobs: true,
  network: true,
  successPolicy: true,
  failurePolicy: true,
  startupPolicy: true,
  suspend: true,
  coordinator: true,
  managedBy: true,
  ttlSecondsAfterFinished: true,
  volumeClaimPolicies: true,
};
