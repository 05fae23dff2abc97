import { type EpochMillis, getRestarts, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { CONDITION_RESTARTING } from "@jobset-ts/api/conditions";
import { asInteger, isBeingDeleted } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { findTrueCondition } from "@jobset-ts/core/status";
import type { FindingId } from "../checks/finding-ids.ts";
import { pluralize, toBe } from "../checks/pluralize.ts";
import { type Diagnosis, type DiagnosisOptions, getDiagnosis } from "../engine/diagnose.ts";
import type { DiagnosisStatus } from "../engine/status.ts";
import { type ClusterIndex, indexCluster } from "../view/cluster-facts.ts";
import { createJobSetView } from "../view/create-jobset-view.ts";
import type { JobSetView } from "../view/jobset-view.ts";
import type { PodNumbers } from "../view/numbers.ts";
import { createThresholds } from "../view/thresholds.ts";
import { phaseSince } from "./phase-since.ts";

/**
 * The phase of a JobSet. Each refines a status of the diagnosis:
 *
 * | phase | status | when |
 * | --- | --- | --- |
 * | `Deleting` | any but `Stuck` | deletion was requested |
 * | `Completed` | `Finished` | |
 * | `Failed` | `Failed` | |
 * | `Stuck` | `Stuck` | exactly if the status is `Stuck` |
 * | `Queued` | `Waiting` | a queue suspends it |
 * | `Suspended` | `Waiting` | another client suspends it |
 * | `Restarting` | `Waiting`, `Progressing` | Jobs of an earlier attempt still exist, or the condition is set |
 * | `Completing` | `Waiting`, `Progressing` | every Job has succeeded or is about to |
 * | `Pending` | `Waiting`, `Progressing` | it has no Pods yet |
 * | `Starting` | `Waiting`, `Progressing` | Pods are missing, or not all are ready |
 * | `Running` | `Waiting`, `Progressing` | every required Pod is ready |
 *
 * The first that applies.
 */
export type JobSetPhase =
  | "Deleting"
  | "Completed"
  | "Failed"
  | "Stuck"
  | "Queued"
  | "Suspended"
  | "Restarting"
  | "Completing"
  | "Pending"
  | "Starting"
  | "Running";

/** The phase of a JobSet for a dashboard, with reason, start time and status. */
export interface JobSetPhaseResult {
  readonly phase: JobSetPhase;
  /** The reason, as a sentence that does not repeat the phase. */
  readonly reason: string;
  /** When the phase started. Absent if it is unknown, and always if the JobSet is `Stuck`. */
  readonly since?: EpochMillis;
  /** The status of the diagnosis. */
  readonly status: DiagnosisStatus;
  readonly roots: readonly FindingId[];
  /** The number of all restarts. */
  readonly restarts: number;
  /** The number of restarts that count toward `maxRestarts`. */
  readonly restartsCounted: number;
  readonly maxRestarts: number;
  readonly numbers: PodNumbers;
}

/**
 * Returns the phase of a JobSet, with a reason and its start time.
 *
 * If nothing in the cluster changes, the phase changes at most once: when an expected object is overdue.
 *
 * @param facts - the index of the snapshot; reuse it for several JobSets
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const suspended = { type: "Suspended", status: "True" };
 * const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train", namespace: "ml", uid: "u" }, spec: { suspend: true }, status: { conditions: [suspended] } };
 * jobSetPhase(createSnapshot([jobSet], { kinds: "all" }), jobSet, createContext({ now: 0 })).phase // => "Suspended"
 */
export function jobSetPhase(
  snapshot: Snapshot,
  jobSet: Unvalidated<JobSet>,
  options: DiagnosisOptions,
  facts: ClusterIndex = indexCluster(snapshot),
): JobSetPhaseResult {
  const thresholds = createThresholds(options.thresholds);
  const view = createJobSetView(jobSet ?? {}, facts, options.now, thresholds, options.quirks);
  const diagnosis = getDiagnosis(view, options.checks);
  const { status, numbers } = diagnosis;
  const phase = getPhase(view, diagnosis);
  const since = phaseSince(phase, view);
  return {
    phase,
    reason: getReason(phase, view, diagnosis),
    ...(since !== undefined && { since }),
    status,
    roots: [...new Set(diagnosis.roots.map(({ id }) => id))],
    ...restartCounts(view),
    numbers,
  };
}

function restartCounts({ jobSet }: JobSetView) {
  const { restartsCountTowardsMax } = jobSet.status ?? {};
  return {
    restarts: getRestarts(jobSet),
    restartsCounted: asInteger(restartsCountTowardsMax, 0),
    maxRestarts: asInteger(jobSet.spec?.failurePolicy?.maxRestarts, 0),
  };
}

function getPhase(view: JobSetView, { status, roots, symptoms, numbers }: Diagnosis): JobSetPhase {
  if (status === "Stuck") return "Stuck";
  if (isBeingDeleted(view.jobSet)) return "Deleting";
  if (status === "Finished") return "Completed";
  if (status === "Failed") return "Failed";
  // With checks of Kueue or owners, the suspension is the symptom of another root.
  const has = (id: FindingId) => [...roots, ...symptoms].some((one) => one.id === id);
  if (has("queued")) return "Queued";
  if (has("suspended")) return "Suspended";
  if (isRestarting(view)) return "Restarting";
  if (isCompleting(view)) return "Completing";
  const { byPhase, missing, wanted, ready, active, terminating } = numbers;
  if (active + terminating + byPhase.Succeeded + byPhase.Failed === 0) return "Pending";
  const isComplete = (missing ?? 0) === 0 && ready >= (wanted ?? active);
  return isComplete ? "Running" : "Starting";
}

function isRestarting({ jobSet, previousJobs }: JobSetView): boolean {
  const restarting = findTrueCondition(jobSet.status?.conditions, CONDITION_RESTARTING);
  return previousJobs.length > 0 || restarting !== undefined;
}

/** Reports whether Jobs exist and each has succeeded or met its success policy. */
function isCompleting({ replicatedJobs }: JobSetView): boolean {
  const due = replicatedJobs.flatMap(({ jobs }) => jobs.filter(({ isDue }) => isDue));
  return (
    due.length > 0 &&
    due.every(({ job }) => {
      const conditions = job?.status?.conditions;
      return findTrueCondition(conditions, "Complete", "SuccessCriteriaMet") !== undefined;
    })
  );
}

function getReason(phase: JobSetPhase, view: JobSetView, diagnosis: Diagnosis): string {
  const { roots, numbers } = diagnosis;
  const [root] = roots;
  const others = roots.length > 1 ? `, and ${pluralize(roots.length - 1, "other root cause")}` : "";
  const { ready, active, missing } = numbers;
  const desired = numbers.wanted ?? active;
  switch (phase) {
    case "Completed":
      return "all required Jobs have succeeded";
    case "Completing":
      return "all Jobs have succeeded, but the JobSet status does not show it yet";
    case "Running":
      return root === undefined
        ? `${ready} of ${desired} Pods are ready`
        : `${root.message}${others}`;
    case "Deleting":
      return `${pluralize(view.childJobs.length, "Job")} and ${pluralize(active + numbers.terminating, "Pod")} are not deleted yet`;
    default:
      if (root !== undefined) return `${root.message}${others}`;
      return missing === undefined || missing === 0
        ? `${ready} of ${desired} Pods are ready`
        : `${missing} of ${desired} Pods ${toBe(missing)} missing`;
  }
}
