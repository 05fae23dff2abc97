import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@jobset-ts/api/errors";
import {
  asArray,
  asInteger,
  asRecord,
  type Job,
  type JobSpec,
  matchesLabelSelector,
  type ObjectMeta,
  validateDNS1123Label,
  validateDNS1123Subdomain,
} from "@jobset-ts/api/kubernetes";
import { byteLength } from "@jobset-ts/api/text";
import { validateAnnotations, validateLabels } from "../label-validation.ts";
import type { Stored } from "../objects.ts";
import { validatePodSpec } from "../pod-spec-validation.ts";
import { isEqualJson } from "../stored-values.ts";
import { createGeneratedLabels } from "./job-defaults.ts";
import { validatePodFailurePolicy, validateSuccessPolicy } from "./job-policy-validation.ts";

const MAX_MANAGED_BY_BYTES = 63;
/** The maximum parallelism of an Indexed Job, and the maximum of its `maxFailedIndexes`. */
const MAX_INDEXED = 100_000;
/** A Job with `backoffLimitPerIndex` and more completions than this has lower limits. */
const MANY_COMPLETIONS = 100_000;
const MAX_WITH_MANY_COMPLETIONS = 10_000;

/** Validates a new or changed Job with defaults and a generated selector. */
export function validateJob(job: Job): readonly FieldError[] {
  const { metadata, spec } = job;
  const { name = "" } = metadata;
  const errors = validateDNS1123Subdomain(name).map((text) => invalid("metadata.name", name, text));
  errors.push(...validateMetadata(withoutCopiedLabels(job), "metadata"));
  errors.push(...validateGeneratedSelector(job), ...validateJobSpec(spec));
  const completions = asInteger(spec.completions, 0);
  if (spec.completionMode === "Indexed" && completions > 0) {
    const hostname = `${name}-${completions - 1}`;
    if (validateDNS1123Label(hostname).length > 0) {
      const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
      errors.push(invalid("metadata.name", name, detail));
    }
  }
  return errors;
}

/**
 * Returns the metadata that the client sent. A Job without labels got the labels of its template, so these are removed.
 */
function withoutCopiedLabels(job: Job): Partial<ObjectMeta> {
  const generated = createGeneratedLabels(job as unknown as Stored);
  const isOwn = ([key, value]: readonly [string, unknown]) => generated[key] !== value;
  const labels = Object.entries(asRecord(job.metadata.labels)).filter(isOwn);
  return { ...job.metadata, labels: Object.fromEntries(labels) as Record<string, string> };
}

function validateJobSpec(spec: JobSpec): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const member of COUNTS) {
    const count = spec[member];
    if (count !== undefined && asInteger(count, 0) < 0) {
      errors.push(invalid(`spec.${member}`, count, "must be greater than or equal to 0"));
    }
  }
  const { backoffLimitPerIndex, maxFailedIndexes, managedBy, completionMode } = spec;
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    errors.push(required("spec.backoffLimitPerIndex", "when maxFailedIndexes is specified"));
  }
  if (managedBy !== undefined) errors.push(...validateManagedBy(managedBy));
  if (completionMode !== "Indexed" && completionMode !== "NonIndexed") {
    const modes = ["NonIndexed", "Indexed"];
    errors.push(notSupported("spec.completionMode", completionMode, modes));
  }
  if (completionMode === "Indexed") errors.push(...validateIndexed(spec));
  if (completionMode === "NonIndexed") errors.push(...validateNonIndexed(spec));
  if (spec.podFailurePolicy !== undefined) errors.push(...validatePodFailurePolicy(spec));
  if (spec.successPolicy !== undefined) errors.push(...validateSuccessPolicy(spec));
  errors.push(...validatePodReplacementPolicy(spec), ...validateTemplate(spec));
  if (spec.selector === undefined) errors.push(required("spec.selector"));
  const { matchLabels } = spec.selector ?? {};
  const labels = spec.template?.metadata?.labels;
  const isSelected =
    matchLabels === undefined || matchesLabelSelector({ matchLabels }, labels ?? {});
  if (spec.selector === undefined || !isSelected) {
    const detail = "`selector` does not match template `labels`";
    errors.push(invalid("spec.template.metadata.labels", labels ?? null, detail));
  }
  return errors;
}

/** In the order in which Kubernetes validates them. */
const COUNTS = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
] as const;

/** Validates the selector and the template labels that only the server generates. */
function validateGeneratedSelector(job: Job): readonly FieldError[] {
  const { spec } = job;
  if (spec.manualSelector === true) return [];
  const errors: FieldError[] = [];
  const labels = asRecord(spec.template?.metadata?.labels);
  const generated = createGeneratedLabels(job as unknown as Stored);
  for (const [key, value] of Object.entries(generated)) {
    const field = `spec.template.metadata.labels[${key}]`;
    if (labels[key] === undefined) errors.push(required(field, `must be '${value}'`));
    else if (labels[key] !== value) errors.push(invalid(field, labels, `must be '${value}'`));
  }
  if (!matchesLabelSelector(spec.selector ?? {}, generated)) {
    errors.push(invalid("spec.selector", spec.selector, "`selector` not auto-generated"));
  }
  return errors;
}

function validateManagedBy(managedBy: string): readonly FieldError[] {
  if (managedBy === "") return [required("spec.managedBy")];
  const errors: FieldError[] = [];
  const [domain = "", path = ""] = [
    managedBy.split("/", 1)[0],
    managedBy.slice(managedBy.indexOf("/") + 1),
  ];
  if (!managedBy.includes("/") || domain === "" || path === "") {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    errors.push(invalid("spec.managedBy", managedBy, detail));
  } else {
    for (const text of validateDNS1123Subdomain(domain)) {
      errors.push(invalid("spec.managedBy", domain, text));
    }
  }
  if (byteLength(managedBy) > MAX_MANAGED_BY_BYTES) {
    errors.push(tooLong("spec.managedBy", managedBy, MAX_MANAGED_BY_BYTES));
  }
  return errors;
}

function validateIndexed(spec: JobSpec): readonly FieldError[] {
  const { completions, parallelism, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = [];
  if (completions === undefined) {
    errors.push(required("spec.completions", "when completion mode is Indexed"));
  }
  if (parallelism !== undefined && parallelism > MAX_INDEXED) {
    const detail = `must be less than or equal to ${MAX_INDEXED} when completion mode is Indexed`;
    errors.push(invalid("spec.parallelism", parallelism, detail));
  }
  if (
    completions !== undefined &&
    maxFailedIndexes !== undefined &&
    maxFailedIndexes > completions
  ) {
    const detail = "must be less than or equal to completions";
    errors.push(invalid("spec.maxFailedIndexes", maxFailedIndexes, detail));
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MAX_INDEXED) {
    const detail = `must be less than or equal to ${MAX_INDEXED}`;
    errors.push(invalid("spec.maxFailedIndexes", maxFailedIndexes, detail));
  }
  if (completions === undefined || completions <= MANY_COMPLETIONS) return errors;
  if (backoffLimitPerIndex === undefined) return errors;
  if (maxFailedIndexes === undefined) {
    const detail = `must be specified when completions is above ${MANY_COMPLETIONS}`;
    errors.push(required("spec.maxFailedIndexes", detail));
  }
  const detail = `must be less than or equal to ${MAX_WITH_MANY_COMPLETIONS} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  if (parallelism !== undefined && parallelism > MAX_WITH_MANY_COMPLETIONS) {
    errors.push(invalid("spec.parallelism", parallelism, detail));
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MAX_WITH_MANY_COMPLETIONS) {
    errors.push(invalid("spec.maxFailedIndexes", maxFailedIndexes, detail));
  }
  return errors;
}

function validateNonIndexed(spec: JobSpec): readonly FieldError[] {
  return (["backoffLimitPerIndex", "maxFailedIndexes"] as const)
    .filter((member) => spec[member] !== undefined)
    .map((member) => invalid(`spec.${member}`, spec[member], "requires indexed completion mode"));
}

function validatePodReplacementPolicy({
  podReplacementPolicy,
  podFailurePolicy,
}: JobSpec): FieldError[] {
  const supported = podFailurePolicy === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  if (podReplacementPolicy !== undefined && supported.includes(podReplacementPolicy)) return [];
  return [notSupported("spec.podReplacementPolicy", podReplacementPolicy, supported)];
}

/** Validates the labels and annotations of a Job or of its template. */
function validateMetadata(
  metadata: Partial<ObjectMeta> | undefined,
  field: string,
): readonly FieldError[] {
  return [
    ...validateLabels(metadata?.labels, `${field}.labels`),
    ...validateAnnotations(metadata?.annotations, `${field}.annotations`),
  ];
}

/** Validates the Job-specific rules for the Pod template. */
function validateTemplate({ template, podFailurePolicy }: JobSpec): readonly FieldError[] {
  const errors: FieldError[] = [];
  errors.push(...validateMetadata(template?.metadata, "spec.template"));
  const containers = asArray(template?.spec?.containers);
  if (containers.length === 0) errors.push(required("spec.template.spec.containers"));
  const names = new Set<string>();
  for (const [at, { name }] of containers.entries()) {
    const field = `spec.template.spec.containers[${at}].name`;
    if (!name) errors.push(required(field));
    else if (names.has(name)) errors.push(duplicate(field, name));
    names.add(name);
  }
  errors.push(...validatePodSpec(template?.spec, "spec.template.spec"));
  const field = "spec.template.spec.restartPolicy";
  const { restartPolicy = "Always" } = template?.spec ?? {};
  if (restartPolicy === "Always")
    errors.push(required(field, 'valid values: "OnFailure", "Never"'));
  else if (restartPolicy !== "OnFailure" && restartPolicy !== "Never") {
    errors.push(notSupported(field, restartPolicy, ["OnFailure", "Never"]));
  } else if (podFailurePolicy !== undefined && restartPolicy !== "Never") {
    const detail = 'only "Never" is supported when podFailurePolicy is specified';
    errors.push(invalid(field, restartPolicy, detail));
  }
  return errors;
}

/** Returns one error if an immutable field changed. */
export function validateImmutable(
  field: string,
  after: unknown,
  before: unknown,
): readonly FieldError[] {
  return isEqualJson(after, before) ? [] : [invalid(field, after ?? null, "field is immutable")];
}
