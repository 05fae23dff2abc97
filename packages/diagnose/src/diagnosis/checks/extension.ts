import type { JobSetView, JobView, ReplicatedJobView } from "../view/jobset-view.ts";
import type { PodInJob } from "../view/pod-view.ts";
import type { DiagnosisCheck } from "./check-results.ts";
import type { FindingId } from "./finding-ids.ts";

/**
 * More checks for a diagnosis, such as those of Kueue. Import them from a subpath and pass them as `checks`.
 *
 * Each list has the checks of one part of a JobSet.
 */
export interface DiagnosisExtension {
  /** The kinds that these checks read besides those of `diagnosedKinds`. */
  readonly kinds: readonly string[];
  readonly jobSet?: readonly DiagnosisCheck<JobSetView>[];
  readonly replicatedJob?: readonly DiagnosisCheck<ReplicatedJobView>[];
  readonly job?: readonly DiagnosisCheck<JobView>[];
  /** Checks of each Pod of the current attempt that is neither ready nor succeeded. */
  readonly pod?: readonly DiagnosisCheck<PodInJob>[];
  /** Checks of each active Pod without a node. */
  readonly unscheduledPod?: readonly DiagnosisCheck<PodInJob>[];
  /** Checks of each ready Pod of a Job with exclusive placement. Other ready Pods are not checked: most Pods are. */
  readonly readyPod?: readonly DiagnosisCheck<PodInJob>[];
  /** Which findings may cause a finding of another set of checks, by the ID of that one. */
  readonly effects?: FindingsById;
  /** Which findings make a check of the same Pod superfluous, if they were found before. Checks of subpaths run first. */
  readonly replaces?: FindingsById;
  /** Findings that are reported only if they cause another one: a cluster-wide fault does not disturb every JobSet. */
  readonly onlyAsCause?: readonly FindingId[];
  /** Returns other advice for a root, for example to change the owner of the JobSet. */
  readonly advise?: (
    view: JobSetView,
    root: { readonly id: FindingId; readonly message: string },
    advice: readonly string[],
  ) => readonly string[];
}

type FindingsById = Partial<Readonly<Record<FindingId, readonly FindingId[]>>>;

/** Returns one set of checks that has the checks of several. */
export function combineExtensions(
  all: readonly DiagnosisExtension[],
): Required<DiagnosisExtension> {
  const none: readonly never[] = [];
  return {
    kinds: [...new Set(all.flatMap(({ kinds }) => kinds))],
    jobSet: all.flatMap(({ jobSet = none }) => jobSet),
    replicatedJob: all.flatMap(({ replicatedJob = none }) => replicatedJob),
    job: all.flatMap(({ job = none }) => job),
    pod: all.flatMap(({ pod = none }) => pod),
    unscheduledPod: all.flatMap(({ unscheduledPod = none }) => unscheduledPod),
    readyPod: all.flatMap(({ readyPod = none }) => readyPod),
    effects: mergeById(all.map(({ effects = {} }) => effects)),
    replaces: mergeById(all.map(({ replaces = {} }) => replaces)),
    onlyAsCause: all.flatMap(({ onlyAsCause = none }) => onlyAsCause),
    advise: (view, root, advice) =>
      all.reduce((before, { advise }) => advise?.(view, root, before) ?? before, advice),
  };
}

function mergeById(all: readonly FindingsById[]): FindingsById {
  const merged: { [Id in FindingId]?: readonly FindingId[] } = {};
  for (const [id, others] of all.flatMap((one) => Object.entries(one))) {
    const known = id as FindingId;
    merged[known] = [...(merged[known] ?? []), ...others];
  }
  return merged;
}
