import { type FieldError, formatFieldError } from "@jobset-ts/api/errors";
import { asInteger, type Pod, type PodSpec } from "@jobset-ts/api/kubernetes";
import { validateLabels, validatePodSpec } from "@jobset-ts/crd/job";
import type { KindRules } from "./kind-rules.ts";
import { isGated, isPodFinished } from "./pod-conditions.ts";
import { validatePodUpdate } from "./pod-update-validation.ts";
import { deepFreeze } from "./stored-values.ts";
import { isKnownPodSpec, rememberPodSpec } from "./valid-pod-specs.ts";

const DEFAULT_GRACE_SECONDS = 30;

/** The API server's rules for Pods. */
export const podRules: Partial<KindRules> = {
  prepare: (stored) => {
    const gated = isGated(stored as unknown as Pod);
    const status = { phase: "Pending", ...(gated && { conditions: [SCHEDULING_GATED] }) };
    return deepFreeze({ ...stored, status });
  },
  validateCreate: (stored) => {
    const { metadata, spec } = stored as unknown as Pod;
    const labels = validateLabels(metadata.labels, "metadata.labels").errors;
    return [...labels, ...validateSpec(spec)].map(formatFieldError);
  },
  validateUpdate: (after, before) =>
    validatePodUpdate(after as unknown as Pod, before as unknown as Pod),
  // A finished Pod or a Pod without a node needs no grace period.
  graceSeconds: (stored, requestedSeconds) => {
    const pod = stored as unknown as Pod;
    if (!pod.spec?.nodeName || isPodFinished(pod)) return 0;
    return (
      requestedSeconds ?? asInteger(pod.spec.terminationGracePeriodSeconds, DEFAULT_GRACE_SECONDS)
    );
  },
};

function validateSpec(spec: PodSpec | undefined): readonly FieldError[] {
  if (isKnownPodSpec(spec)) return [];
  const errors = validatePodSpec(spec ?? {}, "spec").errors;
  if (errors.length === 0) rememberPodSpec(spec);
  return errors;
}

/** The server sets it on create, not a scheduler, so it has no transition time. */
const SCHEDULING_GATED = {
  type: "PodScheduled",
  status: "False",
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
};
