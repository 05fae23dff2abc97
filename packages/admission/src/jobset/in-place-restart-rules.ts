import { forbidden, invalid } from "@jobset-ts/api/errors";
import { MAX_INT32, renderJson } from "@jobset-ts/api/typed";
import { errorWithoutPath } from "./error-without-path.ts";
import type { Violations } from "./jobset-rule.ts";
import type { JobSetView, ReplicatedJobView } from "./jobset-view.ts";

/** Restarting in place needs its gate. */
export function* inPlaceRestartGateRules(view: JobSetView): Violations {
  if (!asksForRestartInPlace(view) || view.features.has("InPlaceRestart")) return;
  const detail =
    "InPlaceRestart restart strategy cannot be set when InPlaceRestart feature gate is disabled";
  const pathed = forbidden("spec.failurePolicy.restartStrategy", detail);
  yield { rule: "in-place-restart-enabled", error: errorWithoutPath(view, detail, pathed) };
}

/** Restarting in place needs Jobs that never replace a failed Pod, and all of whose Pods run at once. */
export function* inPlaceRestartJobRules(view: JobSetView, one: ReplicatedJobView): Violations {
  if (!asksForRestartInPlace(view) || !view.features.has("InPlaceRestart")) return;
  const { name, jobSpec, completions, parallelism } = one;
  const { backoffLimit, podReplacementPolicy } = jobSpec;
  const refuse = (member: string, value: unknown, shown: string, demand: string) => ({
    rule: "job-restarts-in-place" as const,
    error: invalid(
      `${one.field}.template.spec.${member}`,
      value ?? null,
      `replicatedJob ${name}: ${demand} when in-place restart is enabled`,
      shown,
    ),
  });
  if (backoffLimit !== MAX_INT32) {
    const demand = `must be set to ${MAX_INT32} (MaxInt32)`;
    yield refuse("backoffLimit", backoffLimit, renderJson(backoffLimit, "int32"), demand);
  }
  if (podReplacementPolicy !== "Failed") {
    const shown = renderJson(podReplacementPolicy, "string");
    yield refuse("podReplacementPolicy", podReplacementPolicy, shown, "must be set to Failed");
  }
  if (completions === undefined || completions !== parallelism) {
    const demand = "completions and parallelism must be set and equal to each other";
    yield refuse("completions", completions, renderJson(completions, "int32"), demand);
  }
}

function asksForRestartInPlace({ spec }: JobSetView): boolean {
  return spec.failurePolicy?.restartStrategy === "InPlaceRestart";
}
