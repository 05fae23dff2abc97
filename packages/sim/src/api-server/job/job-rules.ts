import { type FieldError, formatFieldError } from "@jobset-ts/api/errors";
import type { Job } from "@jobset-ts/api/kubernetes";
import { validateJob, withGeneratedSelector } from "@jobset-ts/crd/job";
import type { KindRules } from "../kind-rules.ts";
import type { Stored } from "../objects.ts";
import { deepFreeze } from "../stored-values.ts";
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
  validateCreate: (job) => formatErrors(validateJob(asJob(job)).errors),
  validateUpdate: (after, before, { kubernetes }) =>
    formatErrors(validateJobUpdate(asJob(after), asJob(before), kubernetes)),
  validateStatus: (after, before) => formatErrors(validateJobStatus(asJob(after), asJob(before))),
};

function asJob(stored: Stored): Job {
  return stored as unknown as Job;
}

function formatErrors(errors: readonly FieldError[]): readonly string[] {
  return errors.map(formatFieldError);
}
