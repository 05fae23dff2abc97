import { invalid, notSupported, required, tooLong } from "@jobset-ts/api/errors";
import { type JsonObject, validateDNS1123Subdomain } from "@jobset-ts/api/kubernetes";
import { isLongerThan, jsonQuote } from "@jobset-ts/api/text";
import { type FoundErrors, invalidForEach, negativeErrors } from "../found-errors.ts";
import { hasMember, integerIn, mapIn, optionalTextIn, textIn } from "../members-of.ts";
import { podTemplateErrors } from "../pod-template/pod-template.ts";
import { podFailurePolicyErrors } from "./pod-failure-policy.ts";
import { successPolicyErrors } from "./success-policy.ts";

const MAX_MANAGED_BY_BYTES = 63;
/** The maximum parallelism of an Indexed Job, and the maximum of its `maxFailedIndexes`. */
const MAX_INDEXED = 100_000;
/** A Job with `backoffLimitPerIndex` and more completions than this has lower limits. */
const MANY_COMPLETIONS = 100_000;
const MAX_WITH_MANY_COMPLETIONS = 10_000;

/** The members with a number, in the order in which Kubernetes validates them. */
const COUNTS = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];

/**
 * Yields the errors in the spec of a Job, except its selector, in the order of the API server.
 *
 * @param spec - with the defaults of the API
 * @param isPodSpecValid - whether the spec of the Pods has been validated
 */
export function* jobSpecErrors(spec: JsonObject, isPodSpecValid: boolean): FoundErrors {
  for (const name of COUNTS) yield* negativeErrors(`spec.${name}`, integerIn(spec, name));
  const hasPerIndexLimit = hasMember(spec, "backoffLimitPerIndex");
  if (hasMember(spec, "maxFailedIndexes") && !hasPerIndexLimit) {
    yield required("spec.backoffLimitPerIndex", "when maxFailedIndexes is specified");
  }
  yield* managedByErrors(optionalTextIn(spec, "managedBy"));
  const mode = textIn(spec, "completionMode");
  if (mode === "Indexed") yield* indexedErrors(spec);
  else if (mode === "NonIndexed") yield* nonIndexedErrors(spec);
  else yield notSupported("spec.completionMode", mode, ["NonIndexed", "Indexed"], jsonQuote(mode));
  yield* podFailurePolicyErrors(spec);
  yield* successPolicyErrors(spec);
  yield* podReplacementErrors(spec);
  yield* podTemplateErrors(mapIn(spec, "template"), "spec.template", isPodSpecValid);
  yield* restartPolicyErrors(spec);
}

function* managedByErrors(managedBy: string | undefined): FoundErrors {
  const field = "spec.managedBy";
  if (managedBy === undefined) return;
  const slash = managedBy.indexOf("/");
  const [domain, path] = [managedBy.slice(0, slash), managedBy.slice(slash + 1)];
  if (managedBy === "") yield required(field);
  else if (slash < 1 || path === "") {
    yield invalid(field, managedBy, 'must be a domain-prefixed path (such as "acme.io/foo")');
  } else {
    yield* invalidForEach(field, domain, validateDNS1123Subdomain(domain));
    if (!isHttpPath.test(path)) {
      yield invalid(field, path, `Invalid path (regex used for validation is '${httpPath}')`);
    }
  }
  if (isLongerThan(managedBy, MAX_MANAGED_BY_BYTES)) {
    yield tooLong(field, managedBy, MAX_MANAGED_BY_BYTES);
  }
}

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const isHttpPath = new RegExp(`^${httpPath}$`);

function* indexedErrors(spec: JsonObject): FoundErrors {
  const [completions, parallelism, maxFailed] = [
    "completions",
    "parallelism",
    "maxFailedIndexes",
  ].map((name) => integerIn(spec, name));
  if (completions === undefined) {
    yield required("spec.completions", "when completion mode is Indexed");
  }
  const ofIndexed = "when completion mode is Indexed";
  yield* maximumErrors("parallelism", parallelism, MAX_INDEXED, ofIndexed);
  if (completions !== undefined && maxFailed !== undefined && maxFailed > completions) {
    const detail = "must be less than or equal to completions";
    yield invalid("spec.maxFailedIndexes", maxFailed, detail);
  }
  yield* maximumErrors("maxFailedIndexes", maxFailed, MAX_INDEXED);
  const hasPerIndexLimit = hasMember(spec, "backoffLimitPerIndex");
  if (!hasPerIndexLimit || (completions ?? 0) <= MANY_COMPLETIONS) return;
  if (maxFailed === undefined) {
    const detail = `must be specified when completions is above ${MANY_COMPLETIONS}`;
    yield required("spec.maxFailedIndexes", detail);
  }
  const ofMany = `when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  yield* maximumErrors("parallelism", parallelism, MAX_WITH_MANY_COMPLETIONS, ofMany);
  yield* maximumErrors("maxFailedIndexes", maxFailed, MAX_WITH_MANY_COMPLETIONS, ofMany);
}

function* maximumErrors(
  name: string,
  value: number | undefined,
  maximum: number,
  condition = "",
): FoundErrors {
  if (value === undefined || value <= maximum) return;
  yield invalid(
    `spec.${name}`,
    value,
    `must be less than or equal to ${maximum} ${condition}`.trimEnd(),
  );
}

function* nonIndexedErrors(spec: JsonObject): FoundErrors {
  for (const name of ["backoffLimitPerIndex", "maxFailedIndexes"]) {
    const value = integerIn(spec, name);
    if (value !== undefined)
      yield invalid(`spec.${name}`, value, "requires indexed completion mode");
  }
}

function* podReplacementErrors(spec: JsonObject): FoundErrors {
  const policy = textIn(spec, "podReplacementPolicy");
  const hasFailurePolicy = hasMember(spec, "podFailurePolicy");
  const policies = hasFailurePolicy ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  if (policies.includes(policy)) return;
  yield notSupported("spec.podReplacementPolicy", policy, policies, jsonQuote(policy));
}

/** Jobs need a restart policy that ends Pods. */
function* restartPolicyErrors(spec: JsonObject): FoundErrors {
  const field = "spec.template.spec.restartPolicy";
  const policy = textIn(mapIn(mapIn(spec, "template"), "spec"), "restartPolicy");
  if (policy === "Always" || policy === "") {
    yield required(field, 'valid values: "OnFailure", "Never"');
  } else if (policy !== "OnFailure" && policy !== "Never") {
    yield notSupported(field, policy, ["OnFailure", "Never"], jsonQuote(policy));
  } else if (hasMember(spec, "podFailurePolicy") && policy !== "Never") {
    const detail = 'only "Never" is supported when podFailurePolicy is specified';
    yield invalid(field, policy, detail, jsonQuote(policy));
  }
}
