import { forbidden, invalid } from "@jobset-ts/api/errors";
import { MAX_INT32, renderJson } from "@jobset-ts/api/typed";
import { errorWithoutPath } from "./error-without-path.ts";
import type { JobSetView, ReplicatedJobView } from "./jobset-view.ts";
import type { Violations } from "./violations.ts";

/** Checks that the feature gate for in-place restart is enabled. */
export function inPlaceRestartGateRules(view: JobSetView, found: Violations): void {
  if (!usesInPlaceRestart(view) || view.features.has("InPlaceRestart")) return;
  if (view.quirks.has("InPlaceRestartUngated")) return;
  const detail =
    "InPlaceRestart restart strategy cannot be set when InPlaceRestart feature gate is disabled";
  const pathed = forbidden("spec.failurePolicy.restartStrategy", detail);
  found.add("in-place-restart-enabled", errorWithoutPath(view, detail, pathed));
}

/**
 * Checks that the Jobs support in-place restart: they never replace a failed Pod, and all their Pods run at the
 * same time.
 */
export function inPlaceRestartJobRules(
  view: JobSetView,
  one: ReplicatedJobView,
  found: Violations,
): void {
  if (!usesInPlaceRestart(view) || !view.features.has("InPlaceRestart")) return;
  const { name, jobSpec, completions, parallelism } = one;
  const { backoffLimit, podReplacementPolicy } = jobSpec;
  const reportInvalid = (member: string, value: unknown, shown: string, demand: string) => {
    const field = `${one.field}.template.spec.${member}`;
    const detail = `replicatedJob ${name}: ${demand} when in-place restart is enabled`;
    found.add("job-restarts-in-place", invalid(field, value ?? null, detail, shown));
  };
  if (backoffLimit !== MAX_INT32) {
    const demand = `must be set to ${MAX_INT32} (MaxInt32)`;
    reportInvalid("backoffLimit", backoffLimit, renderJson(backoffLimit, "int32"), demand);
  }
  if (podReplacementPolicy !== "Failed") {
    const shown = renderJson(podReplacementPolicy, "string");
    reportInvalid("podReplacementPolicy", podReplacementPolicy, shown, "must be set to Failed");
  }
  if (completions === undefined || completions !== parallelism) {
    const demand = "completions and parallelism must be set and equal to each other";
    reportInvalid("completions", completions, renderJson(completions, "int32"), demand);
  }
}

function usesInPlaceRestart({ spec }: JobSetView): boolean {
  return spec.failurePolicy?.restartStrategy === "InPlaceRestart";
}
