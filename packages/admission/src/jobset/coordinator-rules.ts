import type { Coordinator, Unvalidated } from "@jobset-ts/api";
import { type FieldError, invalid } from "@jobset-ts/api/errors";
import { COORDINATOR_KEY } from "@jobset-ts/api/keys";
import { validateLabelValue } from "@jobset-ts/api/kubernetes";
import { goQuote } from "@jobset-ts/api/text";
import { renderJson } from "@jobset-ts/api/typed";
import { errorWithoutPath } from "./error-without-path.ts";
import { decimal, integerIn, type JobSetView, namesText } from "./jobset-view.ts";
import type { Violations } from "./violations.ts";

/** Checks that the coordinator Pod exists and that its address fits into a label. */
export function coordinatorRules(view: JobSetView, found: Violations): void {
  const { coordinator } = view.spec;
  if ((coordinator ?? undefined) === undefined) return;
  const named: NamedPod = {
    replicatedJob: namesText(coordinator?.replicatedJob),
    jobIndex: integerIn(coordinator?.jobIndex),
    podIndex: integerIn(coordinator?.podIndex),
  };
  const missing = missingPod(view, named);
  if (missing !== undefined) found.add("coordinator-exists", missing);
  if (view.quirks.has("CoordinatorValueUnchecked")) return;
  const unfit = findInvalidLabel(view, coordinator, named);
  if (unfit !== undefined) found.add("coordinator-label-valid", unfit);
}

interface NamedPod {
  readonly replicatedJob: string;
  readonly jobIndex: number;
  readonly podIndex: number;
}

/** Returns why there will be no such Pod. If there are several reasons, returns the first. */
function missingPod(view: JobSetView, named: NamedPod): FieldError | undefined {
  const { replicatedJob, jobIndex, podIndex } = named;
  const reportInvalid = (member: keyof NamedPod, detail: string) => {
    const value = named[member];
    const shown = typeof value === "number" ? decimal(value) : goQuote(value);
    const pathed = invalid(`spec.coordinator.${member}`, value, detail, shown);
    return errorWithoutPath(view, detail, pathed);
  };
  const target = view.replicatedJobNamed.get(replicatedJob);
  if (target === undefined) {
    const detail = `coordinator replicatedJob ${replicatedJob} does not exist`;
    return reportInvalid("replicatedJob", detail);
  }
  if (jobIndex < 0 || jobIndex >= target.replicas) {
    const detail = `coordinator job index ${decimal(jobIndex)} is invalid for replicatedJob ${target.name}`;
    return reportInvalid("jobIndex", detail);
  }
  const { completionMode, completions } = target;
  if (completionMode !== "Indexed" || completions === undefined) {
    const detail =
      "job for coordinator pod must be indexed completion mode, and completions number must be set";
    return reportInvalid("replicatedJob", detail);
  }
  if (podIndex < 0 || podIndex >= completions) {
    const detail = `coordinator pod index ${decimal(podIndex)} is invalid for replicatedJob ${replicatedJob} job index ${decimal(jobIndex)}`;
    return reportInvalid("podIndex", detail);
  }
  return undefined;
}

function findInvalidLabel(
  view: JobSetView,
  coordinator: Unvalidated<Coordinator> | undefined,
  { replicatedJob, jobIndex, podIndex }: NamedPod,
): FieldError | undefined {
  const { name, spec } = view;
  const subdomain = namesText(spec.network?.subdomain) || name;
  const label = `${name}-${replicatedJob}-${decimal(jobIndex)}-${decimal(podIndex)}.${subdomain}`;
  const messages = validateLabelValue(label);
  if (messages.length === 0) return undefined;
  const detail = `spec will lead to invalid label value ${goQuote(label)} for coordinator label "${COORDINATOR_KEY}" (long JobSet / ReplicatedJob / SubDomain name?): ${messages.join(", ")}`;
  const shown = renderJson(coordinator, "Coordinator");
  return errorWithoutPath(view, detail, invalid("spec.coordinator", coordinator, detail, shown));
}
