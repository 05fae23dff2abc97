import type { ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import type { Quirks } from "../quirks.ts";

/** Whether an active Job follows a changed template (gate `ElasticJobSet`). */
export type ScaleDecision =
  /** The Job has the template's numbers, or the template's two numbers differ, so that it is not scaled. */
  { readonly action: "None" } | { readonly action: "Scale"; readonly patch: ScalePatch };

/** A merge patch of a Job with the changed members only. */
export type ScalePatch = {
  readonly spec: { readonly parallelism?: number | null; readonly completions?: number | null };
};

/**
 * Reports whether a Job's parallelism and completions must change to those of the template. They change only if the
 * template's two numbers are equal. If both are absent, they count as 1, the API server's default.
 *
 * @see JobSet gate `ElasticJobSet`; KEP-463
 */
export function scaleJob(
  job: Unvalidated<Job>,
  replicatedJob: Unvalidated<ReplicatedJob>,
  context: { readonly quirks: Quirks },
): ScaleDecision {
  const template = replicatedJob?.template?.spec;
  const parallelism = template?.parallelism ?? undefined;
  const completions = template?.completions ?? undefined;
  if (parallelism !== completions) return { action: "None" };
  // Upstream sends null, which the API server replaces with 1: a patch without effect on every pass.
  const filled = context.quirks.has("ElasticNullPatch") ? undefined : 1;
  const desired = parallelism ?? filled;
  const spec = {
    ...(job?.spec?.parallelism !== desired && { parallelism: desired ?? null }),
    ...(job?.spec?.completions !== desired && { completions: desired ?? null }),
  };
  return Object.keys(spec).length === 0 ? { action: "None" } : { action: "Scale", patch: { spec } };
}
