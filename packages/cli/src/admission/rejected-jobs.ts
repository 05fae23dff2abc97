import type { FeatureGates, JobSet, Unvalidated } from "@jobset-ts/api";
import type { FieldError } from "@jobset-ts/api/errors";
import { asRecord, type Job } from "@jobset-ts/api/kubernetes";
import { omittedSuffix } from "@jobset-ts/api/text";
import { createJobFactories } from "@jobset-ts/core/desired";
import { validateJob } from "@jobset-ts/crd/job";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { formatErrorBody } from "./denial-diagnostics.ts";

/**
 * Reports the fields of a JobSet because of which the API server rejects its Jobs, although it admits the JobSet. Only
 * the first Job of each ReplicatedJob is validated, because the others have the same template.
 */
export function reportRejectedJobs(
  jobSet: Unvalidated<JobSet>,
  features: FeatureGates,
  diagnose: InputObject["diagnose"],
  severity: "error" | "warning",
): readonly Diagnostic[] {
  return createJobFactories(jobSet, { features }).flatMap(({ replicas, jobAt }, index) => {
    if (replicas === 0) return [];
    const job = withoutOwner(jobAt(0));
    const { errors, omitted } = validateRedactedJob(job);
    const path = `spec.replicatedJobs[${index}]`;
    const name = job.metadata?.name;
    const report = (error: FieldError) =>
      diagnose(
        findSourceField(error.field, path),
        `the API server rejects Job ${name}: ${formatErrorBody(error)}`,
        severity,
      );
    const rest =
      omitted === 0
        ? []
        : [{ ...diagnose(path, omittedSuffix(omitted), severity), count: omitted }];
    return [...dropRepeated(errors).map(report), ...rest];
  });
}

/** Validates a Job of a JobSet whose values are redacted. */
export function validateRedactedJob(job: Unvalidated<Job>): ReturnType<typeof validateJob> {
  return validateJob(withoutRedactedProfiles(job));
}

/** Returns the field of the JobSet from which a field of a Job comes. */
function findSourceField(field: string, path: string): string {
  if (field === "metadata.name") return `${path}.name`;
  // The server omits `metadata` in the path of a template's labels and annotations.
  const full = field.replace(/^(spec\.template)\.(labels|annotations)(?=[.[]|$)/, "$1.metadata.$2");
  return `${path}.template.${full}`;
}

function dropRepeated(errors: readonly FieldError[]): readonly FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ field, body }) => {
    const text = `${field}: ${body}`;
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** A JobSet in a file has no UID yet, so the reference to it is incomplete. */
function withoutOwner(job: Unvalidated<Job>): Unvalidated<Job> {
  const { ownerReferences: _, ...metadata } = asRecord(job.metadata);
  return { ...job, metadata };
}

/** A redacted value is not the one that the server validates. */
function withoutRedactedProfiles(job: Unvalidated<Job>): Unvalidated<Job> {
  const { template } = asRecord(job.spec);
  const annotations = asRecord(template?.metadata?.annotations);
  const readable = Object.entries(annotations).filter(
    ([, value]) => typeof value !== "string" || !/^\(redacted \d+\)$/.test(value),
  );
  if (readable.length === Object.keys(annotations).length) return job;
  const metadata = { ...template?.metadata, annotations: Object.fromEntries(readable) };
  return { ...job, spec: { ...job.spec, template: { ...template, metadata } } } as Unvalidated<Job>;
}
