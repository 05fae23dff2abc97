import { type FieldError, formatFieldError } from "@jobset-ts/api/errors";
import type { Job } from "@jobset-ts/api/kubernetes";
import type { KindRules } from "../kind-rules.ts";
import type { Stored } from "../objects.ts";
import { defaultedJob, withGeneratedSelector } from "./job-defaults.ts";
import { jobErrors } from "./job-spec-errors.ts";
import { jobStatusErrors } from "./job-status-errors.ts";
import { jobUpdateErrors } from "./job-update-errors.ts";

/**
 * What the API server does with a Job.
 *
 * @see Kubernetes `pkg/apis/batch/validation`, 1.36
 */
export const jobRules: Partial<KindRules> = {
  countsGenerations: true,
  defaultPropagation: "Orphan",
  defaulted: defaultedJob,
  prepared: withGeneratedSelector,
  creationErrors: (job) => texts(jobErrors(asJob(job))),
  updateErrors: (after, before, kubernetes) =>
    texts(jobUpdateErrors(asJob(after), asJob(before), kubernetes)),
  statusErrors: (after, before) => texts(jobStatusErrors(asJob(after), asJob(before))),
};

function asJob(stored: Stored): Job {
  return stored as unknown as Job;
}

function texts(errors: readonly FieldError[]): readonly string[] {
  return errors.map(formatFieldError);
}
