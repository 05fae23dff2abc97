import {
  type JobSetRuleId,
  mutateJobSet,
  type ValidationResult,
  validateJobSet,
  type WebhookRequest,
} from "@jobset-ts/admission";
import { defaultJobSet } from "@jobset-ts/api";
import { type Context, createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { asJson } from "./as-json.ts";
import { jobSetAdmissionLaws } from "./jobset-admission-laws.ts";
import { allRules } from "./jobset-rules.ts";
import type { RuleSample } from "./rule-samples.ts";
import { expectCaught, findViolation, reformatResponses, seeds } from "./testing/webhooks.ts";
import { type WebhookSubject, type Webhooks, webhooksFromFunctions } from "./webhook.ts";

// biome-ignore lint/suspicious/noExplicitAny: wrong webhooks use values of the wrong type
type AnyObject = any;

const functions = { mutate: mutateJobSet, validate: validateJobSet };
const correctWebhooks = webhooksFromFunctions(functions);
const gates = { InPlaceRestart: true, RestartJob: true, ElasticJobSet: true };
const gated = createContext({ now: 0, features: gates });

describe("jobSetAdmissionLaws", () => {
  it.each([...jobSetAdmissionLaws])(
    "the webhooks of jobset-ts satisfy the JobSet law %s",
    async (_, law) => {
      for (const seed of seeds)
        expect(await findViolation(law, correctWebhooks, seed)).toBeUndefined();
    },
  );

  it.each([...jobSetAdmissionLaws])(
    "the webhooks of jobset-ts with all feature gates satisfy the JobSet law %s",
    async (_, law) => {
      expect(await findViolation(law, webhooksFromFunctions(functions, gated), 4)).toBeUndefined();
    },
  );

  it.each([...jobSetAdmissionLaws])(
    "reformatted webhooks of jobset-ts satisfy the JobSet law %s",
    async (_, law) => {
      expect(await findViolation(law, reformatResponses(correctWebhooks), 4)).toBeUndefined();
    },
  );

  it("each JobSet law has a one-sentence summary", () => {
    for (const [name, { sentence, defects }] of jobSetAdmissionLaws) {
      expect([name, sentence]).toEqual([
        name,
        expect.stringMatching(/^[A-Z].*\.$|^managedBy .*\.$/),
      ]);
      for (const defect of defects) expect(defect).toMatch(/^#\d+$/);
    }
  });
});

/** Rules under the first gate have no effect without it. */
const underGates: ReadonlySet<JobSetRuleId> = new Set([
  "job-restarts-in-place",
  "restart-job-countable",
]);

describe("samples that violate one rule", () => {
  it.each(allRules)("a sample for $rule violates no other rule", ({ rule, kept, broken }) => {
    const context = underGates.has(rule) ? gated : createContext({ now: 0 });
    expect(kept.map((sample) => rulesBrokenBy(sample, context))).toEqual(kept.map(() => []));
    // No ReplicatedJob precedes the first one.
    const others = rule === "first-job-independent" ? ["dependency-listed-before"] : [];
    const expected = broken.map(() => [rule, ...others]);
    expect(broken.map((sample) => rulesBrokenBy(sample, context))).toEqual(expected);
  });
});

function rulesBrokenBy({ jobSet, cluster = [] }: RuleSample, context: Context) {
  const snapshot = createSnapshot(cluster, { kinds: ["PersistentVolumeClaim"] });
  const request: WebhookRequest = { operation: "CREATE", object: asJson(jobSet) };
  const result = validateJobSet(request, snapshot, context);
  return result.allowed ? [] : [...new Set(result.denial.roots.map(({ id }) => id))];
}

describe("a validating webhook without one rule", () => {
  const laws: Readonly<Partial<Record<JobSetRuleId, string>>> = {
    "in-place-restart-enabled": "inPlaceRestartSpecsAreValid",
    "subdomain-valid": "subdomainsAreServiceNames",
    "service-name-valid": "namesFit",
    "managed-by-valid": "managedByHasADomain",
    "pod-count-in-range": "podsCanBeCounted",
    "group-name-valid": "namesFit",
    "job-name-valid": "namesFit",
    "pod-name-valid": "namesFit",
    "replicated-job-label-valid": "namesFit",
    "node-selector-valid": "namesFit",
    "dependency-listed-before": "dependenciesPointBackwards",
    "job-restarts-in-place": "inPlaceRestartSpecsAreValid",
    "exclusive-placement-indexed": "exclusiveJobsHaveLeaders",
    "topology-key-valid": "exclusiveJobsHaveLeaders",
    "success-targets-exist": "successTargetsExist",
    "restart-job-enabled": "jobRestartsCanBeCounted",
    "restart-job-countable": "jobRestartsCanBeCounted",
    "rule-name-valid": "failureRulesCanApply",
    "failure-targets-exist": "failureRulesCanApply",
    "failure-reason-known": "failureRulesCanApply",
    "message-pattern-valid": "failureRulesCanApply",
    "rule-names-unique": "failureRulesCanApply",
    "coordinator-exists": "coordinatorsAreValid",
    "coordinator-label-valid": "coordinatorsAreValid",
    "claim-name-unique": "claimsCanBeMounted",
    "claim-name-valid": "claimsCanBeMounted",
    "claim-name-short": "claimsCanBeMounted",
    "claim-volume-name-valid": "claimsCanBeMounted",
    "claim-volume-free": "claimsCanBeMounted",
    "claim-mounted": "claimsCanBeMounted",
    "existing-claim-agrees": "existingClaimsAreReused",
    "existing-claim-retained": "existingClaimsAreReused",
    "replicated-jobs-immutable": "replicatedJobsAreImmutable",
    "managed-by-immutable": "managedByIsImmutable",
    "policy-kept": "policiesAreNotRemoved",
    "scaling-before-end": "scalingChangesParallelismAndCompletions",
    "scaling-positive": "scalingChangesParallelismAndCompletions",
    "scaling-in-tandem": "scalingChangesParallelismAndCompletions",
  };

  it.each(Object.entries(laws))("a JobSet law catches a webhook without %s", async (rule, law) => {
    const needsGates = underGates.has(rule as JobSetRuleId) || rule.startsWith("scaling");
    const context = needsGates ? gated : undefined;
    // A name that is not a valid subdomain is not a valid volume name either, so both rules deny it.
    const forgotten = rule === "claim-name-valid" ? [rule, "claim-volume-name-valid"] : [rule];
    const validate = withoutRules((id) => forgotten.includes(id));
    await expectCaught(
      jobSetAdmissionLaws.get(law),
      webhooksFromFunctions({ ...functions, validate }, context),
    );
  });

  it.each(allRules.filter(({ rule }) => rule !== "first-job-independent"))(
    "a law covers the rule $rule",
    ({ rule }) => expect(laws[rule]).toBeDefined(),
  );
});

/** The webhooks of jobset-ts without the findings of some rules. */
function withoutRules(isForgotten: (id: JobSetRuleId) => boolean, operation?: string) {
  return (request: WebhookRequest, snapshot: Snapshot, context: Context): ValidationResult => {
    const result = validateJobSet(request, snapshot, context);
    if (result.allowed || (operation !== undefined && request.operation !== operation))
      return result;
    const found = [...result.denial.roots, ...result.denial.symptoms];
    return found.every(({ id }) => isForgotten(id)) ? { allowed: true } : result;
  };
}

describe("a wrong webhook", () => {
  it.each<[string, Partial<Webhooks>, string]>([
    ["fills in nothing", { mutate: allowRequest }, "newJobSetsGetDefaults"],
    [
      "fills in defaults on updates",
      createDefaultingWebhook((created) => created, "UPDATE"),
      "updatesGetNoDefaults",
    ],
    [
      "fills in defaults again",
      createDefaultingWebhook(({ spec, ...rest }) => ({
        ...rest,
        spec: { ...spec, replicatedJobs: [...spec.replicatedJobs, spec.replicatedJobs[0]] },
      })),
      "defaultingIsIdempotent",
    ],
    [
      "numbers what it did",
      createDefaultingWebhook((created) => ({
        ...created,
        metadata: { ...created.metadata, generation: (created.metadata.generation ?? 0) + 1 },
      })),
      "defaultingIsIdempotent",
    ],
    [
      "overwrites the success policy",
      createOverwritingWebhook("successPolicy", { operator: "All" }),
      "givenValuesAreKept",
    ],
    [
      "overwrites what is false",
      createOverwritingWebhook("network", {
        enableDNSHostnames: true,
        publishNotReadyAddresses: true,
      }),
      "givenValuesAreKept",
    ],
    [
      "drops what it does not know",
      createDefaultingWebhook(({ metadata, ...rest }) => ({
        ...rest,
        metadata: { name: metadata.name },
      })),
      "givenValuesAreKept",
    ],
    [
      "sets itself as the manager",
      createOverwritingWebhook("managedBy", "jobset.sigs.k8s.io/jobset-controller"),
      "givenValuesAreKept",
    ],
    ["denies everything", { validate: denyRequest }, "validJobSetsAreAdmitted"],
    ["denies everything, even updates", { validate: denyRequest }, "mutableFieldsCanChange"],
    ["denies everything, even deletions", { validate: denyRequest }, "jobSetDeletionIsAllowed"],
    ["admits everything", { validate: allowRequest }, "namesFit"],
    [
      "forbids what is a mistake",
      { validate: denyWithStatus({ code: 403, reason: "Forbidden" }) },
      "invalidObjectsGetAnError",
    ],
    [
      "reports invalid input as its own failure",
      { validate: denyWithStatus({ code: 500 }) },
      "invalidObjectsGetAnError",
    ],
    [
      "gives a reason that is another code's",
      { validate: denyWithStatus({ code: 422, reason: "BadRequest" }) },
      "invalidObjectsGetAnError",
    ],
    [
      "blames nothing",
      { validate: denyWithStatus({ code: 422, details: { causes: [{ message: "no" }] } }) },
      "invalidObjectsGetAnError",
    ],
    [
      "blames what JobSets do not have",
      { validate: denyWithStatus({ details: { causes: [{ field: "spec.replicas" }] } }) },
      "invalidObjectsGetAnError",
    ],
    ["admits everything: edits", { validate: allowRequest }, "replicatedJobsAreImmutable"],
    [
      "forgets what creation checks when it is edited",
      {
        validate: webhooksFromFunctions({
          ...functions,
          validate: withoutRules((id) => !/immutable|kept/.test(id), "UPDATE"),
        }).validate,
      },
      "updatesAreRevalidated",
    ],
    ["denies every change of the spec", { validate: frozenSpec() }, "mutableFieldsCanChange"],
    [
      "admits changed Pod templates only if the old JobSet was suspended",
      { validate: oldSuspendOnly() },
      "mutableFieldsCanChange",
    ],
    ["denies old violations again", { validate: reviewsTwice() }, "jobSetDeletionIsAllowed"],
    ["multiplies in 32 bits", { validate: sumsWithOverflow() }, "podsCanBeCounted"],
    [
      "throws at what it does not expect",
      { validate: createFragileWebhook },
      "jobSetReviewsGetAResponse",
    ],
  ])("a JobSet law catches a webhook that %s", async (_, wrong, law) => {
    await expectCaught(jobSetAdmissionLaws.get(law), { ...correctWebhooks, ...wrong });
  });

  it.each([
    "spec.successPolicy",
    "spec.startupPolicy",
    "spec.network",
    "spec.network.enableDNSHostnames",
    "spec.network.publishNotReadyAddresses",
    "spec.replicatedJobs[1].template.spec.completionMode",
    "spec.replicatedJobs[0].template.spec.template.spec.restartPolicy",
    "spec.failurePolicy.rules[1].name",
    "spec.volumeClaimPolicies[0].retentionPolicy",
    "spec.volumeClaimPolicies[1].retentionPolicy",
  ])("a JobSet law catches a webhook without the default of %s", async (path) => {
    const place = path.replaceAll(/\[(\d)\]/g, ".$1").split(".");
    const wrong = createDefaultingWebhook((created, sent) => restoreAt(created, sent, place));
    await expectCaught(jobSetAdmissionLaws.get("newJobSetsGetDefaults"), {
      ...correctWebhooks,
      ...wrong,
    });
  });
});

/** Restores the original value at one path. */
function restoreAt(
  created: AnyObject,
  sent: AnyObject,
  [name = "", ...rest]: readonly string[],
): AnyObject {
  if (Array.isArray(created)) {
    return created.map((one, index) =>
      String(index) === name ? restoreAt(one, sent?.[index], rest) : one,
    );
  }
  const { [name]: member, ...others } = created;
  if (rest.length > 0) return { ...others, [name]: restoreAt(member, sent?.[name], rest) };
  return sent?.[name] === undefined ? others : { ...others, [name]: sent[name] };
}

function allowRequest({ request: { uid } }: Parameters<WebhookSubject>[0]) {
  return createReview({ uid, allowed: true });
}

function denyWithStatus(status: object): WebhookSubject {
  return ({ request: { uid } }) =>
    createReview({ uid, allowed: false, status: { message: "no", ...status } });
}

const denyRequest = denyWithStatus({ code: 422 });

function createReview(response: object) {
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response };
}

/** Returns a webhook that changes the result of the webhook of jobset-ts. */
function createDefaultingWebhook(
  change: (created: AnyObject, sent: AnyObject) => unknown,
  also?: string,
): Partial<Webhooks> {
  const mutate = ({ operation, object }: WebhookRequest) => {
    const sent = object as AnyObject;
    const isAsked = operation === "CREATE" || operation === also;
    const created = isAsked ? change(asJson(defaultJobSet(sent)), sent) : sent;
    return { allowed: true, object: created, changed: true, decisions: [] } as const;
  };
  return { mutate: webhooksFromFunctions({ ...functions, mutate }).mutate };
}

function createOverwritingWebhook(member: string, value: unknown) {
  return createDefaultingWebhook(({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, [member]: value },
  }));
}

function createValidatingWebhook(
  judge: (
    request: WebhookRequest,
    call: (request: WebhookRequest) => ValidationResult,
  ) => ValidationResult,
): WebhookSubject {
  const validate = (request: WebhookRequest, snapshot: Snapshot, context: Context) =>
    judge(request, (one) => validateJobSet(one, snapshot, context));
  return webhooksFromFunctions({ ...functions, validate }).validate;
}

const DENIED_RESPONSE = {
  allowed: false,
  denial: { status: { message: "no", code: 422 } },
} as AnyObject;

function frozenSpec() {
  return createValidatingWebhook((request, call) => {
    const [before, after] = [request.oldObject, request.object].map((one) =>
      JSON.stringify((one as AnyObject)?.spec),
    );
    return request.operation === "UPDATE" && before !== after ? DENIED_RESPONSE : call(request);
  });
}

/** The old JobSet, as in an update that suspends it and must not restore the template. */
function oldSuspendOnly() {
  return createValidatingWebhook((request, call) => {
    const [before, after] = [request.oldObject, request.object] as AnyObject[];
    const suspends = request.operation === "UPDATE" && !before.spec.suspend && after.spec.suspend;
    return suspends
      ? call({ ...request, object: { ...after, spec: { ...after.spec, suspend: false } } })
      : call(request);
  });
}

function reviewsTwice() {
  return createValidatingWebhook((request, call) => {
    const asNew =
      request.operation === "UPDATE"
        ? call({ operation: "CREATE", object: request.object })
        : call(request);
    return asNew.allowed ? call(request) : asNew;
  });
}

function sumsWithOverflow() {
  return createValidatingWebhook((request, call) => {
    const { replicatedJobs = [] } = (request.object as AnyObject)?.spec ?? {};
    const overflows = replicatedJobs.some(
      (one: AnyObject) => Math.imul(one.replicas ?? 1, one.template?.spec?.parallelism ?? 1) === 0,
    );
    return overflows ? { allowed: true } : call(request);
  });
}

function createFragileWebhook(...requests: Parameters<WebhookSubject>) {
  const jobSet = (requests[0].request.object ?? requests[0].request.oldObject) as AnyObject;
  if (jobSet.metadata.name.length > 253) return denyRequest(...requests);
  return correctWebhooks.validate(...requests);
}
