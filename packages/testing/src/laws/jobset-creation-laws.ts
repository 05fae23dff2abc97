import { validateJobSet } from "@jobset-ts/admission";
import type { JobSet, JobSetSpec } from "@jobset-ts/api";
import { getName } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot } from "@jobset-ts/core";
import fc from "fast-check";
import { type AJobSet, aJobSet } from "../builders/a-jobset.ts";
import { asJson } from "./as-json.ts";
import { createAnswer, type Question } from "./asked.ts";
import * as rules from "./jobset-rules.ts";
import type { Law, LawText } from "./law.ts";
import { type InTurn, inTurn } from "./turns.ts";
import type { ValidatingWebhook } from "./webhook.ts";
import { decisionViolation, type WebhookCase, webhookLaw } from "./webhook-law.ts";

/** Whether JobSet's webhook lets a JobSet in under these gates, and why or why not. */
export function judgedByJobSet(
  { operation, object, oldObject, cluster }: Question,
  { features = [] }: Pick<ValidatingWebhook, "features">,
) {
  const gates = Object.fromEntries(features.map((name) => [name, true]));
  const context = createContext({ now: 0, features: gates });
  const snapshot = createSnapshot(cluster, { kinds: ["PersistentVolumeClaim"] });
  const answer = validateJobSet({ operation, object, oldObject }, snapshot, context);
  return answer.allowed
    ? { allowed: true, because: "the JobSet violates no rule" }
    : { allowed: false, because: answer.denial.status.message ?? "" };
}

/** That JobSets which keep rules are let in, and that each that breaks one is refused. */
function rulesLaw(
  name: string,
  text: LawText,
  rows: readonly rules.RuleRow[],
): Law<ValidatingWebhook> {
  return webhookLaw(
    name,
    text,
    getSamples(rows),
    async (subject: ValidatingWebhook, drawn: WebhookCase) =>
      decisionViolation(
        await createAnswer(subject.validate, "JobSet", drawn),
        judgedByJobSet(drawn, subject),
      ),
  );
}

/** Each sample has its turn: a webhook is often wrong about a single one. */
function getSamples(rows: readonly rules.RuleRow[]): InTurn<WebhookCase> {
  const samples = rows.flatMap(({ says, kept, broken }) =>
    [...broken, ...kept].map((sample) => ({ says, sample })),
  );
  return inTurn(samples, ({ says, sample }) =>
    fc.constantFrom(...surroundings).map((around) => ({
      kind: "JobSet",
      situation: `one rule: ${says}`,
      operation: "CREATE",
      object: asJson<JobSet>(around(sample.jobSet as AJobSet)),
      cluster: asJson(sample.cluster ?? []),
    })),
  );
}

/** What makes no difference to any rule. */
const surroundings: readonly ((jobSet: AJobSet) => JobSet)[] = [
  (jobSet) => jobSet,
  (jobSet) => jobSet.suspended(),
  (jobSet) => jobSet.withLabels({ team: "a" }),
  (jobSet) => jobSet.withSpec({ ttlSecondsAfterFinished: 60 }),
  (jobSet) => jobSet.withSpec({ startupPolicy: { startupPolicyOrder: "AnyOrder" } }),
  // An API server has made the name by now, and leaves there what it made it of.
  (jobSet) => {
    const generateName = getName(jobSet).slice(0, -5) || "t";
    return { ...jobSet, metadata: { ...jobSet.metadata, generateName } };
  },
];

/** What breaks no rule is let in: so that to refuse everything is no way to keep the other laws. */
export const validJobSetsAreLetIn: Law<ValidatingWebhook> = rulesLaw(
  "validJobSetsAreLetIn",
  { sentence: "The webhook admits a JobSet that violates no rule.", defects: ["#819", "#60"] },
  [
    {
      rule: "schema-valid",
      says: "the JobSet satisfies all rules",
      kept: [
        { jobSet: aJobSet("train").withReplicatedJob("workers", { replicas: 2 }) },
        { jobSet: aJobSet("train") },
        { jobSet: withoutPolicies(aJobSet("train").withReplicatedJob("workers")) },
        ...rules.allRules.flatMap(({ kept }) => kept.slice(0, 1)),
      ],
      broken: [],
    },
  ],
);

/** As a client sends it to a cluster without defaults. */
function withoutPolicies(jobSet: AJobSet): AJobSet {
  return jobSet.withSpec({ network: undefined, successPolicy: undefined });
}

/**
 * What a JobSet becomes has names, labels and selectors that an API server takes for every index up to the last, by
 * kube-apiserver 1.36. Upstream asks less (quirks `DashedReplicatedJobAdmitted`, `ServiceNameUnchecked`,
 * `LongNodeSelectorAdmitted`), and then its controller asks in vain for ever.
 */
export const namesFit: Law<ValidatingWebhook> = rulesLaw(
  "namesFit",
  {
    sentence:
      "The webhook admits a JobSet if and only if the names of its last Job and Pod, its group, Service and labels are valid.",
    defects: ["#284", "#408"],
  },
  rules.nameRules,
);

/** Parallelism times replicas, without an overflow. */
export const podsCanBeCounted: Law<ValidatingWebhook> = rulesLaw(
  "podsCanBeCounted",
  {
    sentence: "The webhook denies a JobSet if the Pod count of a ReplicatedJob exceeds 32 bits.",
    defects: ["#184"],
  },
  rules.podCountRules,
);

/** The subdomain becomes the name of a Service. */
export const subdomainsAreServiceNames: Law<ValidatingWebhook> = rulesLaw(
  "subdomainsAreServiceNames",
  { sentence: "The webhook denies a subdomain that is not a valid Service name.", defects: [] },
  rules.networkRules,
);

/** Who manages a JobSet is named by a path behind a domain. */
export const managersHaveADomain: Law<ValidatingWebhook> = rulesLaw(
  "managersHaveADomain",
  {
    sentence:
      "The webhook denies a managedBy value unless it is a domain-prefixed path of at most 63 bytes.",
    defects: ["#487"],
  },
  rules.managerRules,
);

/**
 * Dependencies point backwards, so that the Jobs come in the end. Nobody depends on itself, as jobset-ts has it (quirk
 * `SelfDependencyAdmitted`). An empty `dependsOn` of the first ReplicatedJob, which upstream refuses, is taste.
 */
export const dependenciesPointBackwards: Law<ValidatingWebhook> = rulesLaw(
  "dependenciesPointBackwards",
  {
    sentence:
      "The webhook denies a ReplicatedJob that depends on itself, on a later ReplicatedJob or on one that does not exist.",
    defects: ["#740"],
  },
  [...rules.dependencyRules, ...rules.firstJobRules],
);

/** Under the gate `InPlaceRestart` of the subject, the Job has to be made for it; without the gate nobody may ask. */
export const restartsInPlaceAreFit: Law<ValidatingWebhook> = rulesLaw(
  "restartsInPlaceAreFit",
  {
    sentence:
      "The webhook denies in-place restart without its feature gate, and for Jobs whose Pods the Job controller would replace.",
    defects: [],
  },
  [...rules.inPlaceRules, ...rules.inPlaceJobRules],
);

/**
 * Exclusive placement needs Jobs with a leader, and a topology key that can be a label's. Upstream asks neither (quirks
 * `NonIndexedExclusiveAdmitted`, `TopologyKeyUnchecked`), and then no Pod can be created.
 */
export const exclusiveJobsHaveLeaders: Law<ValidatingWebhook> = rulesLaw(
  "exclusiveJobsHaveLeaders",
  {
    sentence:
      "The webhook denies exclusive placement for Jobs that are not Indexed, and for a topology key that is not a valid label key.",
    defects: ["#1284"],
  },
  rules.placementRules,
);

/** A target that does not exist would never succeed. */
export const successTargetsExist: Law<ValidatingWebhook> = rulesLaw(
  "successTargetsExist",
  {
    sentence: "The webhook denies a success policy that names a ReplicatedJob that does not exist.",
    defects: [],
  },
  rules.successRules,
);

/**
 * Names, targets, reasons and patterns of the rules are such that they can apply. A pattern that does not compile is refused,
 * as jobset-ts has it (quirk `InvalidPatternAdmitted`); how much work patterns may need is taste (`PatternWorkUnbounded`).
 */
export const failureRulesCanApply: Law<ValidatingWebhook> = rulesLaw(
  "failureRulesCanApply",
  {
    sentence:
      "The webhook denies a failure policy if a rule has an invalid name, target, reason or pattern, or if two rules have one name.",
    defects: [],
  },
  rules.failureRules,
);

/** Under the gate `RestartJob` of the subject the status counts so many; without the gate nobody may ask. */
export const jobRestartsCanBeCounted: Law<ValidatingWebhook> = rulesLaw(
  "jobRestartsCanBeCounted",
  {
    sentence:
      "The webhook denies restarts of single Jobs without their feature gate, and for more than 1024 Jobs.",
    defects: ["#920"],
  },
  [...rules.restartJobRules, ...rules.restartCountRules],
);

/** Its address is a label of every Pod. */
export const coordinatorsWillExist: Law<ValidatingWebhook> = rulesLaw(
  "coordinatorsWillExist",
  {
    sentence:
      "The webhook denies a coordinator that is not a Pod of the JobSet, or whose address is not a valid label value.",
    defects: ["#931"],
  },
  rules.coordinatorRules,
);

/** A dot in the name is refused, as jobset-ts has it (quirk `DottedClaimAdmitted`): it becomes a volume's name. */
export const claimsCanBeMounted: Law<ValidatingWebhook> = rulesLaw(
  "claimsCanBeMounted",
  {
    sentence:
      "The webhook denies a PVC template if its name is taken, too long or not a valid volume name, or if no container mounts it.",
    defects: [],
  },
  rules.claimRules,
);

/**
 * A claim that is there already was retained, and is taken up again. What the cluster added to it does not count, as
 * jobset-ts has it (quirk `RetainedClaimRejected`); how quantities and empty members are compared is taste.
 */
export const existingClaimsAreTakenUp: Law<ValidatingWebhook> = rulesLaw(
  "existingClaimsAreTakenUp",
  {
    sentence:
      "The webhook admits a PVC template whose PVC exists if the PVC is retained and equals the template, and denies it otherwise.",
    defects: ["#1307", "#1304"],
  },
  rules.existingClaimRules,
);

/**
 * A refused JobSet is a mistake in it: not a want of rights (403), nor a fault of the webhook (500), which a client would
 * try again. Who says neither code nor causes is right as well: an API server then answers 400. Whether the members of a
 * JobSet that a cause names are those to blame is taste, since a rule is often about two, and so is a cause without a field
 * beside others.
 *
 * @see JobSet #1207
 */
export const mistakesAreToldAsSuch: Law<ValidatingWebhook> = webhookLaw(
  "mistakesAreToldAsSuch",
  {
    sentence:
      "A denial of a JobSet has code 422 or 400 and the matching reason, and its causes name fields of a JobSet.",
    defects: ["#1207"],
  },
  getSamples(rules.allRules.map((row) => ({ ...row, kept: [] }))),
  async ({ validate }: ValidatingWebhook, drawn: WebhookCase) => {
    const answer = await createAnswer(validate, "JobSet", drawn);
    // Whether it is refused is another law's affair.
    if (answer.allowed) return undefined;
    const { code, reason, fields } = answer;
    const isMistake = mistakes.some(
      (one) => (code ?? one.code) === one.code && (reason ?? one.reason) === one.reason,
    );
    if (!isMistake) {
      return {
        did: `denies it with ${[code, reason].filter((one) => one !== undefined).join(" ")}`,
        due: "422 Invalid, or 400 BadRequest",
      };
    }
    const blamed = fields.filter((field) => field !== "");
    const blamesNone = fields.length > 0 && blamed.length === 0;
    const lost = blamesNone ? "" : blamed.find((field) => !namesMember(field));
    if (lost === undefined) return undefined;
    return {
      did: `blames ${lost === "" ? "no field" : `the field ${lost}`}`,
      due: "a field of the JobSet's metadata or spec",
    };
  },
);

const mistakes = [
  { code: 422, reason: "Invalid" },
  { code: 400, reason: "BadRequest" },
];

/** In whatever notation: `spec.network`, `.spec.network`, `$.spec.network` or `/spec/network`. */
function namesMember(field: string): boolean {
  const [top = "", member] = field.replace(/^\$?[./]/, "").split(/[./[]/);
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
