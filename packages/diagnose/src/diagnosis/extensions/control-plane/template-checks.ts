import { resolveFeatureGates, type Unvalidated } from "@jobset-ts/api";
import type { FieldError } from "@jobset-ts/api/errors";
import type { Job } from "@jobset-ts/api/kubernetes";
import { createJobFactories } from "@jobset-ts/core/desired";
import { fail, fieldEvidence, jobSetKey, pass } from "../../checks/check-results.ts";
import type { DiagnosisExtension } from "../../checks/extension.ts";
import { listCreationErrors } from "../../checks/jobs/job-checks.ts";
import { ageSinceStart } from "../../view/age.ts";
import type { ReplicatedJobView } from "../../view/jobset-view.ts";
import { adviseRecreation } from "../containers/recreate.ts";

/** Validates a Job as the API server does: `validateJob` of `@jobset-ts/crd/job`. */
export type JobValidator = (job: Unvalidated<Job>) => {
  readonly errors: readonly Pick<FieldError, "field" | "body">[];
};

/**
 * Returns the checks that find the invalid field because of which the API server rejects the Jobs of a JobSet. They
 * matter if the Events with the server's error have expired.
 *
 * @example createTemplateChecks(() => ({ errors: [] })).onlyAsCause // => ["job-invalid"]
 */
export function createTemplateChecks(validateJob: JobValidator): DiagnosisExtension {
  return {
    kinds: [],
    replicatedJob: [
      { id: "job-invalid", causes: [], run: (view) => checkTemplate(view, validateJob) },
    ],
    effects: { "job-absent": ["job-invalid"] },
    onlyAsCause: ["job-invalid"],
  };
}

function checkTemplate({ jobs, jobSet, position }: ReplicatedJobView, validateJob: JobValidator) {
  if (!jobSet.facts.wasRead("Job")) return pass;
  const absent = jobs.find(({ isDue, job, foreign }) => isDue && (job ?? foreign) === undefined);
  if (absent === undefined || listCreationErrors(jobSet).size > 0) return pass;
  const factories = createJobFactories(jobSet.jobSet, { features: noGates });
  const job = factories[position]?.jobAt(absent.index);
  const [error] = job === undefined ? [] : validateJob(job).errors;
  if (error === undefined) return pass;
  const field = findSourceField(error.field, `spec.replicatedJobs[${position}]`);
  return fail(`the API server rejects job ${absent.name}: ${field}: ${error.body}`, {
    objects: [jobSetKey(jobSet)],
    evidence: [fieldEvidence(jobSetKey(jobSet), field, error.body)],
    advice: [adviseRecreation(jobSet, `correct ${field}`)],
    ...ageSinceStart(jobSet),
  });
}

const noGates = /* @__PURE__ */ resolveFeatureGates({});

/** Returns the field of a JobSet from which a field of its Job comes. */
function findSourceField(field: string, path: string): string {
  return field === "metadata.name" ? `${path}.name` : `${path}.template.${field}`;
}
