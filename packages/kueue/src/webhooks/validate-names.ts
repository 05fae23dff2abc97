import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { type FieldError, forbidden, invalid, tooLong } from "@jobset-ts/api/errors";
import { getAnnotation, getLabel, validateDNS1123Subdomain } from "@jobset-ts/api/kubernetes";
import { isLongerThan } from "@jobset-ts/api/text";
import type { KueueFeatureGates } from "../features.ts";
import {
  ADMISSION_GATED_BY_KEY,
  ELASTIC_JOB_KEY,
  MAX_EXECUTION_TIME_KEY,
  PREBUILT_WORKLOAD_KEY,
  QUEUE_NAME_KEY,
} from "../keys.ts";
import { parseInt64 } from "../pod-sets/go-numbers.ts";
import { MAX_LABEL_BYTES } from "../workload/workload-name.ts";

// Validates the Kueue labels and annotations of a JobSet.

/** Returns the field path of a JobSet label. */
export function labelField(key: string): string {
  return `metadata.labels[${key}]`;
}

/** Returns the field path of a JobSet annotation. */
export function annotationField(key: string): string {
  return `metadata.annotations[${key}]`;
}

export function queueNameErrors(jobSet: Unvalidated<JobSet>): readonly FieldError[] {
  return nameErrors(getLabel(jobSet, QUEUE_NAME_KEY), labelField(QUEUE_NAME_KEY));
}

/** @param name - absent is legal, empty is not */
function nameErrors(name: string | undefined, field: string): readonly FieldError[] {
  const messages = name === undefined ? [] : validateDNS1123Subdomain(name);
  return messages.length === 0 ? [] : [invalid(field, name, messages.join(","))];
}

/** Returns the field with the name of a prebuilt Workload, and its value. */
export function prebuiltWorkloadField(
  jobSet: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): { readonly field: string; readonly name: string | undefined } {
  const annotation = getAnnotation(jobSet, PREBUILT_WORKLOAD_KEY) ?? "";
  const countsAnnotation =
    annotation !== "" &&
    (features.has("WorkloadIdentifierAnnotations") || isLongerThan(annotation, MAX_LABEL_BYTES));
  return countsAnnotation
    ? { field: annotationField(PREBUILT_WORKLOAD_KEY), name: annotation }
    : { field: labelField(PREBUILT_WORKLOAD_KEY), name: getLabel(jobSet, PREBUILT_WORKLOAD_KEY) };
}

export function prebuiltNameErrors(
  jobSet: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): readonly FieldError[] {
  const { field, name } = prebuiltWorkloadField(jobSet, features);
  return nameErrors(name, field);
}

/** A limit beyond 32 bits is valid and then ignored. */
export function executionLimitErrors(jobSet: Unvalidated<JobSet>): readonly FieldError[] {
  const label = getLabel(jobSet, MAX_EXECUTION_TIME_KEY);
  if (label === undefined) return [];
  const field = labelField(MAX_EXECUTION_TIME_KEY);
  const parsed = parseInt64(label);
  if (!parsed.ok) return [invalid(field, label, parsed.message)];
  if (parsed.value > 0n) return [];
  return [invalid(field, label, "should be greater than 0", String(parsed.value))];
}

export function elasticErrors(
  jobSet: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): readonly FieldError[] {
  if (!features.has("ElasticJobsViaWorkloadSlices") || !isElastic(jobSet)) return [];
  const detail = 'elastic job is not supported for "jobset.x-k8s.io/v1alpha2, Kind=JobSet"';
  return [forbidden(annotationField(ELASTIC_JOB_KEY), detail)];
}

/** Reports whether a JobSet requests scaling through slices. */
export function isElastic(jobSet: Unvalidated<JobSet>): boolean {
  return getAnnotation(jobSet, ELASTIC_JOB_KEY) === "true";
}

/** Returns the admission gates of a JobSet in order. Empty for a blank annotation. */
export function getAdmissionGates(jobSet: Unvalidated<JobSet>): readonly string[] {
  const text = trimSpace(getAnnotation(jobSet, ADMISSION_GATED_BY_KEY) ?? "");
  return text === "" ? [] : text.split(",").map(trimSpace);
}

/** Trims white space as Go's `strings.TrimSpace` does. */
function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start] ?? "")) start += 1;
  while (end > start && isSpace(text[end - 1] ?? "")) end -= 1;
  return text.slice(start, end);
}

function isSpace(character: string): boolean {
  return character === "\u0085" || (/\s/.test(character) && character !== "\ufeff");
}

export function admissionGateErrors(
  jobSet: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): readonly FieldError[] {
  if (!features.has("AdmissionGatedBy")) return [];
  const annotation = getAnnotation(jobSet, ADMISSION_GATED_BY_KEY);
  const field = annotationField(ADMISSION_GATED_BY_KEY);
  const seen = new Set<string>();
  return getAdmissionGates(jobSet).flatMap((gate) => {
    if (gate === "") return [invalid(field, annotation, "cannot contain empty gate names")];
    if (seen.has(gate)) return [invalid(field, annotation, `duplicate gate name: ${gate}`)];
    seen.add(gate);
    return [
      ...domainPathErrors(gate, field),
      ...(isLongerThan(gate, MAX_LABEL_BYTES) ? [tooLong(field, gate, MAX_LABEL_BYTES)] : []),
    ];
  });
}

/** @see Kubernetes `validation.IsDomainPrefixedPath` */
function domainPathErrors(gate: string, field: string): readonly FieldError[] {
  const slash = gate.indexOf("/");
  if (slash <= 0 || slash === gate.length - 1) {
    return [invalid(field, gate, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const [host, path] = [gate.slice(0, slash), gate.slice(slash + 1)];
  const pathDetail = `Invalid path (regex used for validation is '${httpPath.source}')`;
  return [
    ...validateDNS1123Subdomain(host).map((message) => invalid(field, host, message)),
    ...(wholeHttpPath.test(path) ? [] : [invalid(field, path, pathDetail)]),
  ];
}

const httpPath = { source: String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+` };
const wholeHttpPath = new RegExp(`^${httpPath.source}$`);
