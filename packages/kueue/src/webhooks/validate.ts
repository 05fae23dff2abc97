import { isSuspended, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { type FieldError, forbidden, formatFieldError, invalid } from "@jobset-ts/api/errors";
import { getAnnotation, getLabel, getNamespace } from "@jobset-ts/api/kubernetes";
import type { KueueFeatureGates } from "../features.ts";
import {
  ADMISSION_GATED_BY_KEY,
  DEFAULT_LOCAL_QUEUE,
  ELASTIC_JOB_KEY,
  MAX_EXECUTION_TIME_KEY,
  PRIORITY_CLASS_KEY,
  QUEUE_NAME_KEY,
} from "../keys.ts";
import { findNamed, type LocalQueue } from "../objects/cluster.ts";
import { jobPodSets } from "../pod-sets/pod-sets.ts";
import { prebuiltWorkloadName } from "../workload/workload-name.ts";
import type { DenialStatus } from "./default-on-create.ts";
import {
  admissionGateErrors,
  annotationField,
  elasticErrors,
  executionLimitErrors,
  getAdmissionGates,
  isElastic,
  labelField,
  prebuiltNameErrors,
  prebuiltWorkloadField,
  queueNameErrors,
} from "./validate-names.ts";
import { topologyErrors } from "./validate-topology.ts";

/** The result of Kueue's validating webhook. */
export type KueueValidation =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly status: DenialStatus;
      /** All errors. Empty if a topology annotation cannot be parsed; then only the message describes it. */
      readonly errors: readonly FieldError[];
    };

/**
 * Validates the creation of a JobSet as Kueue's webhook does.
 *
 * @example
 * const jobSet = { metadata: { labels: { "kueue.x-k8s.io/max-exec-time-seconds": "0" } } };
 * const validation = validateKueueCreate(jobSet, new Set());
 * validation.allowed ? "" : validation.status.message // => "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]: Invalid value: 0: should be greater than 0"
 */
export function validateKueueCreate(
  jobSet: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): KueueValidation {
  return validation(jobSet, [], features);
}

/**
 * Validates an update of a JobSet as Kueue's webhook does.
 *
 * @param localQueues - a JobSet must keep its queue if the namespace has a default LocalQueue
 * @example
 * const before = { metadata: { labels: { "kueue.x-k8s.io/queue-name": "a" } }, spec: { suspend: false } };
 * const after = { metadata: { labels: { "kueue.x-k8s.io/queue-name": "b" } }, spec: { suspend: false } };
 * const validation = validateKueueUpdate(before, after, [], new Set());
 * validation.allowed ? "" : validation.status.message // => 'metadata.labels[kueue.x-k8s.io/queue-name]: Invalid value: "b": field is immutable'
 */
export function validateKueueUpdate(
  before: Unvalidated<JobSet>,
  after: Unvalidated<JobSet>,
  localQueues: readonly Unvalidated<LocalQueue>[],
  features: KueueFeatureGates,
): KueueValidation {
  return validation(after, updateErrors(before, after, localQueues, features), features);
}

function validation(
  jobSet: Unvalidated<JobSet>,
  found: readonly FieldError[],
  features: KueueFeatureGates,
): KueueValidation {
  const errors = [
    ...found,
    ...queueNameErrors(jobSet),
    ...prebuiltNameErrors(jobSet, features),
    ...executionLimitErrors(jobSet),
    ...elasticErrors(jobSet, features),
    ...admissionGateErrors(jobSet, features),
  ];
  if (features.has("TopologyAwareScheduling")) {
    const podSets = jobPodSets(jobSet, features);
    if (!podSets.ok) return deny(podSets.refusal.message, []);
    errors.push(...topologyErrors(jobSet, podSets.value, features));
  }
  if (errors.length === 0) return { allowed: true };
  const texts = [...new Set(errors.map(formatFieldError))];
  return deny(texts.length === 1 ? texts.join() : `[${texts.join(", ")}]`, errors);
}

function deny(message: string, errors: readonly FieldError[]): KueueValidation {
  return { allowed: false, status: { code: 403, reason: "Forbidden", message }, errors };
}

const IMMUTABLE = "field is immutable";

function updateErrors(
  before: Unvalidated<JobSet>,
  after: Unvalidated<JobSet>,
  localQueues: readonly Unvalidated<LocalQueue>[],
  features: KueueFeatureGates,
): readonly FieldError[] {
  return [
    ...queueChangeErrors(before, after, localQueues),
    ...prebuiltChangeErrors(before, after, features),
    ...limitChangeErrors(before, after),
    ...priorityChangeErrors(before, after),
    ...elasticChangeErrors(before, after, features),
    ...gateChangeErrors(before, after, features),
  ];
}

function queueChangeErrors(
  before: Unvalidated<JobSet>,
  after: Unvalidated<JobSet>,
  localQueues: readonly Unvalidated<LocalQueue>[],
): readonly FieldError[] {
  const field = labelField(QUEUE_NAME_KEY);
  const [old, next] = [before, after].map((jobSet) => getLabel(jobSet, QUEUE_NAME_KEY) ?? "");
  const errors: FieldError[] = [];
  if (old !== next && !isSuspended(after)) errors.push(invalid(field, next, IMMUTABLE));
  const hasDefault = findNamed(localQueues, DEFAULT_LOCAL_QUEUE, getNamespace(after)) !== undefined;
  if (old !== "" && next === "" && hasDefault) {
    const detail = "queue-name must not be empty in namespace with default queue";
    errors.push(invalid(field, next, detail));
  }
  return errors;
}

function prebuiltChangeErrors(
  before: Unvalidated<JobSet>,
  after: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): readonly FieldError[] {
  const isOldElastic = features.has("ElasticJobsViaWorkloadSlices") && isElastic(before);
  if (isSuspended(after) || isOldElastic) return prebuiltNameErrors(after, features);
  const next = prebuiltWorkloadName(after, features) ?? "";
  if (next === (prebuiltWorkloadName(before, features) ?? "")) return [];
  return [invalid(prebuiltWorkloadField(after, features).field, next, IMMUTABLE)];
}

function limitChangeErrors(
  before: Unvalidated<JobSet>,
  after: Unvalidated<JobSet>,
): readonly FieldError[] {
  if (isSuspended(before) && isSuspended(after)) return [];
  const [old, next] = [before, after].map(
    (jobSet) => getLabel(jobSet, MAX_EXECUTION_TIME_KEY) ?? "",
  );
  return old === next ? [] : [invalid(labelField(MAX_EXECUTION_TIME_KEY), next, IMMUTABLE)];
}

function priorityChangeErrors(
  before: Unvalidated<JobSet>,
  after: Unvalidated<JobSet>,
): readonly FieldError[] {
  const field = labelField(PRIORITY_CLASS_KEY);
  const [old, next] = [before, after].map((jobSet) => getLabel(jobSet, PRIORITY_CLASS_KEY) ?? "");
  if (old === "" && next !== "" && !isSuspended(after)) {
    const detail = "WorkloadPriorityClass cannot be added to a non-suspended workload";
    return [invalid(field, next, detail)];
  }
  if (old !== "" && next === "") {
    const detail = "WorkloadPriorityClass cannot be removed from a workload";
    return [invalid(field, next, detail)];
  }
  return [];
}

function elasticChangeErrors(
  before: Unvalidated<JobSet>,
  after: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): readonly FieldError[] {
  const isToggled =
    features.has("ElasticJobsViaWorkloadSlices") && isElastic(before) !== isElastic(after);
  return isToggled ? [invalid(annotationField(ELASTIC_JOB_KEY), isElastic(after), IMMUTABLE)] : [];
}

function gateChangeErrors(
  before: Unvalidated<JobSet>,
  after: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): readonly FieldError[] {
  if (!features.has("AdmissionGatedBy")) return [];
  const field = annotationField(ADMISSION_GATED_BY_KEY);
  const hadNone = (getAnnotation(before, ADMISSION_GATED_BY_KEY) ?? "") === "";
  const hasAny = (getAnnotation(after, ADMISSION_GATED_BY_KEY) ?? "") !== "";
  const errors: FieldError[] = [];
  if (hadNone && hasAny) {
    errors.push(forbidden(field, "cannot add admission gate after creation"));
  } else if (!hadNone) {
    const old = new Set(getAdmissionGates(before));
    if (getAdmissionGates(after).some((gate) => !old.has(gate))) {
      errors.push(forbidden(field, "can only remove gates, not add new ones"));
    }
  }
  return [...errors, ...admissionGateErrors(after, features)];
}
