import type { JobSetView, JobView, ReplicatedJobView } from "../view/jobset-view.ts";
import type { PodInJob } from "../view/pod-view.ts";
import type { DiagnosisCheck } from "./check-results.ts";
import type { FindingId } from "./finding-ids.ts";

/**
 * Additional checks for a diagnosis, such as those of Kueue. Import them from a subpath and pass them as
 * `checks`. Each list has the checks of one part of a JobSet.
 */
export interface DiagnosisExtension {
  /** The kinds that these checks read in addition to those of `diagnosedKinds`. */
  readonly kinds: readonly string[];
  readonly jobSet?: readonly DiagnosisCheck<JobSetView>[];
  readonly replicatedJob?: readonly DiagnosisCheck<ReplicatedJobView>[];
  readonly job?: readonly DiagnosisCheck<JobView>[];
  /** Checks of each Pod of the current attempt that is neither ready nor succeeded. */
  readonly pod?: readonly DiagnosisCheck<PodInJob>[];
  /** Checks of each active Pod without a node. */
  readonly unscheduledPod?: readonly DiagnosisCheck<PodInJob>[];
  /**
   * Checks of each ready Pod of a Job with exclusive placement. Other ready Pods are not checked, because most Pods
   * are ready.
   */
  readonly readyPod?: readonly DiagnosisCheck<PodInJob>[];
  /** The findings that may cause a finding of another set of checks, by the ID of the latter. */
  readonly effects?: FindingsById;
  /** The earlier findings that make a check of the same Pod superfluous. Checks of subpaths run first. */
  readonly replaces?: FindingsById;
  /**
   * Findings that are reported only if they cause another one, because a cluster-wide fault does not affect every
   * JobSet.
   */
  readonly onlyAsCause?: readonly FindingId[];
  /** Returns other advice for a root, for example to change the owner of the JobSet. */
  readonly advise?: (
    view: JobSetView,
    root: { readonly id: FindingId; readonly message: string },
    advice: readonly string[],
  ) => readonly string[];
}

type FindingsById = Partial<Readonly<Record<FindingId, readonly FindingId[]>>>;

type CheckedPart = "jobSet" | "replicatedJob" | "job" | "pod" | "unscheduledPod" | "readyPod";

/** Returns the checks that extensions have for one part of a JobSet. */
export function listChecks<Part extends CheckedPart>(
  all: readonly DiagnosisExtension[],
  part: Part,
): Required<DiagnosisExtension>[Part] {
  const checks: readonly unknown[] = all.flatMap((one): readonly unknown[] => one[part] ?? []);
  return checks as Required<DiagnosisExtension>[Part];
}

/** Returns the findings that extensions relate to one: those that cause it, or those that replace it. */
export function listRelated(
  all: readonly DiagnosisExtension[],
  relation: "effects" | "replaces",
  id: FindingId,
): readonly FindingId[] {
  return all.flatMap((one) => one[relation]?.[id] ?? []);
}

/** Returns one set of checks that combines several sets. It has neither `onlyAsCause` nor `advise`. */
export function combineExtensions(
  all: readonly Omit<DiagnosisExtension, "onlyAsCause" | "advise">[],
): DiagnosisExtension {
  const merge = (relation: "effects" | "replaces"): FindingsById => {
    const ids = all.flatMap((one) => Object.keys(one[relation] ?? {}) as FindingId[]);
    return Object.fromEntries(ids.map((id) => [id, listRelated(all, relation, id)]));
  };
  return {
    kinds: [...new Set(all.flatMap(({ kinds }) => kinds))],
    jobSet: listChecks(all, "jobSet"),
    replicatedJob: listChecks(all, "replicatedJob"),
    job: listChecks(all, "job"),
    pod: listChecks(all, "pod"),
    unscheduledPod: listChecks(all, "unscheduledPod"),
    readyPod: listChecks(all, "readyPod"),
    effects: merge("effects"),
    replaces: merge("replaces"),
  };
}
