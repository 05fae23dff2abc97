import { type FieldError, formatFieldError } from "@jobset-ts/api/errors";
import type { Job } from "@jobset-ts/api/kubernetes";
import { validateJob, withGeneratedSelector } from "@jobset-ts/crd/job";
import type { KindRules } from "../kind-rules.ts";
import type { Stored } from "../objects.ts";
import { deepFreeze } from "../stored-values.ts";
import { isKnownPodSpec, rememberPodSpec } from "../valid-pod-specs.ts";
import { applyJobDefaults } from "./job-defaults.ts";
import { validateJobStatus } from "./job-status-validation.ts";
import { validateJobUpdate } from "./job-update-validation.ts";

/**
 * The API server's rules for Jobs.
 *
 * @see Kubernetes `pkg/apis/batch/validation`, 1.36
 */
export const jobRules: Partial<KindRules> = {
  countsGenerations: true,
  defaultPropagation: "Orphan",
  applyDefaults: applyJobDefaults,
  prepare: (job) => deepFreeze(withGeneratedSelector(job)),
  validateCreate: (job) => formatErrors(validateNewJob(asJob(job))),
  validateUpdate: (after, before, { kubernetes }) =>
    formatErrors(validateJobUpdate(asJob(after), asJob(before), kubernetes)),
  validateStatus: (after, before) => formatErrors(validateJobStatus(asJob(after), asJob(before))),
};

function validateNewJob(job: Job): readonly FieldError[] {
  const podSpec = job.spec.template.spec;
  const isPodSpecValid = isKnownPodSpec(podSpec);
  const errors = validateJob(job, { isPodSpecValid }).errors;
  if (errors.length === 0 && !isPodSpecValid) rememberPodSpec(podSpec);
  return errors;
}

function asJob(stored: Stored): Job {
  return stored as unknown as Job;
}

function formatErrors(errors: readonly FieldError[]): readonly string[] {
  return errors.map(formatFieldError);
}
