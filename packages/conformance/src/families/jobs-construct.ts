import { type JobSet, resolveFeatureGates, type Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { createSnapshot, type Quirks } from "@jobset-ts/core";
import { classifyJobs, listChildJobs } from "@jobset-ts/core/child-jobs";
import { missingJobs } from "../../../core/src/testing/missing-jobs.ts";
import type { Family, ReplayContext, ReplayResult } from "./family.ts";
import { readRecordedInput } from "./recorded-input.ts";
import { replayWithQuirks } from "./replay-with-quirks.ts";

interface Input {
  readonly jobset: Unvalidated<JobSet>;
  /** All Jobs in upstream's list, in no order. Some are not children of the JobSet. */
  readonly jobs: readonly Unvalidated<Job>[];
  readonly features?: Readonly<Record<string, boolean>>;
}

/**
 * Replays the Jobs that a pass would create if only the restart strategy could delay them: the missing Jobs, in spec
 * order, then by index.
 *
 * The output is `jobs`, or `error` with the message for the first Job, by name, that cannot be classified.
 */
export const jobsConstruct: Family = { family: "jobs.construct", replay };

function replay(recorded: unknown, { quirks }: ReplayContext): ReplayResult {
  const input = readRecordedInput<Input>(recorded, ["jobset", "jobs"]);
  return replayWithQuirks(quirks, (under) => computeOutput(input, under));
}

function computeOutput({ jobset, jobs, features = {} }: Input, quirks: Quirks): unknown {
  const context = { features: resolveFeatureGates(features), quirks };
  const children = listChildJobs(createSnapshot(jobs), jobset, context);
  const classified = classifyJobs(jobset, children, context);
  if (!classified.ok) return { error: classified.message };
  return { jobs: missingJobs(jobset, classified, context) };
}
