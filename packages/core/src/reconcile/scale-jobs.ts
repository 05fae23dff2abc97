import type { Observed } from "@jobset-ts/api";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import type { Job } from "@jobset-ts/api/kubernetes";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { scaleJob } from "../child-jobs/scale-job.ts";
import { labelOf, replicatedJobsOf, textOf } from "../jobset-members.ts";
import { type PatchEffect, patchEffect } from "../plan/effects.ts";
import { applyChanges } from "../plan/member-changes.ts";
import type { Pass } from "./pass.ts";

/**
 * Lets active Jobs follow the numbers of Pods in their template (gate `ElasticJobSet`).
 *
 * @returns the active Jobs as they are afterwards
 */
export function scaleJobs(pass: Pass, { active }: ClassifiedJobs): readonly Observed<Job>[] {
  if (!pass.context.features.has("ElasticJobSet")) return active;
  const replicatedJobs = new Map(
    replicatedJobsOf(pass.jobSet).map((replicatedJob) => [
      textOf(replicatedJob.name),
      replicatedJob,
    ]),
  );
  const effects: PatchEffect[] = [];
  const scaled = active.map((job) => {
    const replicatedJob = replicatedJobs.get(labelOf(job, REPLICATED_JOB_NAME_KEY) ?? "");
    if (replicatedJob === undefined) return job;
    const decision = scaleJob(job, replicatedJob, pass.context);
    if (decision.action === "None") return job;
    effects.push(patchEffect(job, decision.patch));
    const changes = Object.entries(decision.patch.spec);
    return applyChanges(
      job,
      changes.map(([name, value]) => ({ path: ["spec", name], value: value ?? undefined })),
    );
  });
  pass.step({
    phase: "scale",
    decision: {
      phase: "scale",
      rule: "TemplateScaled",
      object: pass.self,
      message: "active Jobs take over parallelism and completions of their template",
    },
    effects,
    concurrency: 1,
    afterFailure: "TryOthers",
    finishPhase: false,
    errorText: 'failed to patch job "<name>" for scaling: <error>',
  });
  return scaled;
}
