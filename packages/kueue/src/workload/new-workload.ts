import type { JobSet, Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  getAnnotation,
  getLabel,
  getName,
  getNamespace,
  getUid,
  validateLabelValue,
} from "@jobset-ts/api/kubernetes";
import { createOwnerReference } from "@jobset-ts/core/desired";
import type { KueueFeatureGates } from "../features.ts";
import {
  ADMISSION_GATED_BY_KEY,
  JOB_UID_KEY,
  KUEUE_API_VERSION,
  MAX_EXECUTION_TIME_KEY,
  PROVISIONING_PREFIX,
  QUEUE_NAME_KEY,
  RESOURCE_IN_USE_FINALIZER,
} from "../keys.ts";
import type { KueueConfig } from "../objects/config.ts";
import type { KueueResult } from "../objects/kueue-error.ts";
import { getString, getStringMap } from "../objects/members.ts";
import type { Workload } from "../objects/workload.ts";
import { parseInt32 } from "../pod-sets/go-numbers.ts";
import { jobPodSets } from "../pod-sets/pod-sets.ts";
import { type PriorityClasses, workloadPriority } from "./priority.ts";
import { workloadName } from "./workload-name.ts";

/**
 * Creates the Workload that requests quota for a JobSet.
 *
 * Does not check the number of Pod sets. The API server accepts 1 to 18.
 *
 * @param config - names the labels and annotations to copy
 * @returns an error if a topology annotation cannot be parsed or a priority class does not exist
 * @example
 * const jobSet = { metadata: { name: "train", namespace: "ml", uid: "u-1" }, spec: { replicatedJobs: [{ name: "w" }] } };
 * const made = newWorkload(jobSet, {}, {}, new Set());
 * made.ok && made.value.spec // => { podSets: [{ name: "w", template: {}, count: 1 }], priority: 0 }
 */
export function newWorkload(
  jobSet: Unvalidated<JobSet>,
  classes: PriorityClasses,
  config: KueueConfig,
  features: KueueFeatureGates,
): KueueResult<Workload> {
  const podSets = jobPodSets(jobSet, features);
  if (!podSets.ok) return podSets;
  const priority = workloadPriority(jobSet, podSets.value, classes);
  if (!priority.ok) return priority;
  const queueName = getLabel(jobSet, QUEUE_NAME_KEY) ?? "";
  const limit = executionTimeLimit(jobSet);
  const annotations = workloadAnnotations(jobSet, config, features);
  return {
    ok: true,
    value: {
      apiVersion: KUEUE_API_VERSION,
      kind: "Workload",
      metadata: {
        name: workloadName({ name: getName(jobSet), uid: getUid(jobSet) }, features),
        namespace: getNamespace(jobSet),
        labels: workloadLabels(jobSet, config),
        ...(Object.keys(annotations).length > 0 && { annotations }),
        finalizers: [RESOURCE_IN_USE_FINALIZER],
        ownerReferences: [createOwnerReference(jobSet)],
      },
      spec: {
        podSets: [...podSets.value],
        ...(queueName !== "" && { queueName }),
        ...priority.value,
        ...(limit !== undefined && { maximumExecutionTimeSeconds: limit }),
      },
    },
  };
}

function workloadLabels(jobSet: Unvalidated<JobSet>, config: KueueConfig): Record<string, string> {
  const uid = getUid(jobSet);
  return {
    ...copyKeys(getStringMap(jobSet?.metadata?.labels), config?.labelKeysToCopy),
    ...(validateLabelValue(uid).length === 0 && { [JOB_UID_KEY]: uid }),
  };
}

function workloadAnnotations(
  jobSet: Unvalidated<JobSet>,
  config: KueueConfig,
  features: KueueFeatureGates,
): Record<string, string> {
  const annotations = getStringMap(jobSet?.metadata?.annotations);
  const gates = getAnnotation(jobSet, ADMISSION_GATED_BY_KEY) ?? "";
  return {
    ...Object.fromEntries(
      Object.entries(annotations).filter(([key]) => key.startsWith(PROVISIONING_PREFIX)),
    ),
    ...(features.has("CustomMetricLabels") && copyKeys(annotations, config?.annotationsToCopy)),
    ...(features.has("AdmissionGatedBy") && gates !== "" && { [ADMISSION_GATED_BY_KEY]: gates }),
  };
}

function copyKeys(
  map: Readonly<Record<string, string>>,
  keys: readonly string[] | undefined,
): Record<string, string> {
  return Object.fromEntries(
    asArray(keys).flatMap((key) => {
      const value = getString(map, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/**
 * Returns the maximum run time in seconds from the JobSet's label. A value that is not a positive 32-bit number sets no
 * limit.
 */
export function executionTimeLimit(jobSet: Unvalidated<JobSet>): number | undefined {
  const parsed = parseInt32(getLabel(jobSet, MAX_EXECUTION_TIME_KEY) ?? "");
  return parsed.ok && parsed.value > 0 ? parsed.value : undefined;
}
