import { jobSetReasons } from "@jobset-ts/api/conditions";
import { createJobClaims } from "../child-jobs/job-claims.ts";
import { scaleJob } from "../child-jobs/scale-job.ts";
import { asString, getReplicatedJobs } from "../jobset-members.ts";
import { type PatchEffect, patchEffect } from "../plan/effects.ts";
import { applyChanges } from "../plan/field-changes.ts";
import type { Draft } from "./draft.ts";
import { type Facts, jobSetReference, type Next } from "./phase.ts";

/** Scales active Jobs to the Pod counts of their template (gate `ElasticJobSet`). */
export function scaleJobs(facts: Facts, draft: Draft): Next {
  const { jobSet, context } = facts;
  if (!context.features.has("ElasticJobSet")) return draft.continue();
  const replicatedJobs = new Map(
    getReplicatedJobs(jobSet).map((replicatedJob) => [asString(replicatedJob.name), replicatedJob]),
  );
  const claimantOf = createJobClaims(jobSet, context);
  const effects: PatchEffect[] = [];
  const scaled = draft.active.map((child) => {
    const { job } = child;
    const replicatedJob = replicatedJobs.get(claimantOf(job) ?? "");
    if (replicatedJob === undefined) return child;
    const decision = scaleJob(job, replicatedJob, context);
    if (decision.action === "None") return child;
    effects.push(patchEffect(job, decision.patch));
    const changes = Object.entries(decision.patch.spec).map(([member, value]) => ({
      path: ["spec", member],
      value: value ?? undefined,
    }));
    return { ...child, job: applyChanges(job, changes) };
  });
  return draft
    .withActive(scaled)
    .step({
      phase: "scale",
      rule: "TemplateScaled",
      object: jobSetReference(facts),
      message: "active Jobs get the parallelism and completions of their template",
      effects,
      concurrency: 1,
      onError: "Continue",
      dependsOn: [],
      ...facts.onRejection.reporting(jobSetReasons.JobUpdateFailed),
      errorText: 'failed to patch job "<name>" for scaling: <error>',
    })
    .continue();
}
