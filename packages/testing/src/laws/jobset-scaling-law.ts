import type { AJobSet } from "../builders/a-jobset.ts";
import { createEditsLaw } from "./edits-law.ts";
import {
  type JobName,
  jobNames,
  scaleJobs,
  train,
  withJobSpec,
  withWorkers,
} from "./jobset-edits.ts";
import type { Law } from "./law.ts";
import type { ValidatingWebhook } from "./webhook.ts";

const ended = train.withStatus({
  conditions: [
    {
      type: "Completed",
      status: "True",
      reason: "AllJobsCompleted",
      message: "jobset completed successfully",
      lastTransitionTime: "2026-02-07T06:56:19Z",
    },
  ],
});
const scaleJob = (
  jobSet: AJobSet,
  parallelism?: number,
  completions = parallelism,
  name: JobName = "workers",
) => withJobSpec(jobSet, { parallelism, completions }, name);

/** Without the feature gate `ElasticJobSet` of the subject, no size may change. */
export const scalingChangesParallelismAndCompletions: Law<ValidatingWebhook> = createEditsLaw(
  "scalingChangesParallelismAndCompletions",
  {
    sentence:
      "An update may change parallelism and completions of Indexed Jobs only with the feature gate, before the JobSet finishes, and to equal positive numbers.",
    defects: [],
  },
  [
    { says: "parallelism and completions grow", before: train, after: scaleJob(train, 3) },
    { says: "parallelism and completions shrink", before: train, after: scaleJob(train, 1) },
    { says: "only parallelism grows", before: train, after: scaleJob(train, 3, 2) },
    { says: "only completions grow", before: train, after: scaleJob(train, 2, 3) },
    { says: "parallelism and completions become 0", before: train, after: scaleJob(train, 0) },
    ...jobNames.flatMap((name) => [
      { says: `all Jobs of ${name} grow`, before: train, after: scaleJob(train, 4, 4, name) },
      {
        says: `all ReplicatedJobs grow, ${name} not in tandem`,
        before: train,
        after: scaleJob(scaleJobs(train, 3), 4, 3, name),
      },
      {
        says: `all ReplicatedJobs grow, ${name} to 0`,
        before: train,
        after: scaleJob(scaleJobs(train, 3), 0, 0, name),
      },
      {
        says: `all Jobs of ${name} grow after the JobSet finishes`,
        before: ended,
        after: scaleJob(ended, 4, 4, name),
      },
    ]),
    {
      says: "parallelism and completions grow after the JobSet finishes",
      before: ended,
      after: scaleJob(ended, 3),
    },
    {
      says: "replicas grow with them",
      before: train,
      after: withWorkers(scaleJob(train, 3), (one) => ({ ...one, replicas: 3 })),
    },
    {
      says: "Jobs that are not Indexed grow",
      before: withJobSpec(train, { completionMode: "NonIndexed" }),
      after: scaleJob(withJobSpec(train, { completionMode: "NonIndexed" }), 3),
    },
  ],
);
