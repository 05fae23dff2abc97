import type { EpochMillis, JobSet, Unvalidated } from "@jobset-ts/api";
import { CONDITION_COMPLETED } from "@jobset-ts/api/conditions";
import { isBeingDeleted } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { Context, ObjectKey, Quirks, Snapshot } from "@jobset-ts/core";
import { findTrueCondition } from "@jobset-ts/core/status";
import { jobSetKey } from "../checks/check-results.ts";
import type { DiagnosisExtension } from "../checks/extension.ts";
import { type ClusterIndex, indexCluster } from "../view/cluster-facts.ts";
import { createJobSetView } from "../view/create-jobset-view.ts";
import type { JobSetView } from "../view/jobset-view.ts";
import { listContradictions, type PodNumbers, sumNumbers } from "../view/numbers.ts";
import { createThresholds, type Thresholds } from "../view/thresholds.ts";
import { findAll } from "./find.ts";
import { type LocatedFinding, listFailures } from "./located-finding.ts";
import { listNotes } from "./notes.ts";
import { type DiagnosisChain, type DiagnosisFinding, reportFindings } from "./report-findings.ts";
import { type DiagnosisStatus, getStatus } from "./status.ts";

/** The inputs of a diagnosis in addition to the cluster. */
export interface DiagnosisOptions extends Pick<Context, "now"> {
  /** The normal duration of each state. Default: see `Thresholds`. */
  readonly thresholds?: Partial<Thresholds>;
  /** The behaviors of a JobSet release, see `@jobset-ts/releases`: they decide which Jobs belong to a JobSet. */
  readonly quirks?: Quirks;
  /**
   * Additional checks, such as those of `@jobset-ts/diagnose/kueue`. `@jobset-ts/diagnose/all` has all of
   * them.
   */
  readonly checks?: readonly DiagnosisExtension[];
}

/** The reason why a JobSet makes no progress, from root causes to symptoms. */
export interface Diagnosis {
  readonly jobSet: ObjectKey;
  /** The time of the diagnosis, from which the ages of findings count. */
  readonly now: EpochMillis;
  readonly status: DiagnosisStatus;
  /**
   * The findings that no other finding causes, the one that determines the status first. Similar findings of the Pods
   * of one Job are merged.
   */
  readonly roots: readonly DiagnosisFinding[];
  /** The other findings, in the order of their roots. */
  readonly symptoms: readonly DiagnosisFinding[];
  /** For each root, the longest path to a symptom that causes nothing further. */
  readonly chains: readonly DiagnosisChain[];
  readonly numbers: PodNumbers;
  /** The checks that could not run because objects are missing, as `<finding>:<list>`, sorted. */
  readonly notChecked: readonly string[];
  /** Additional information, such as that a message describes a consequence. */
  readonly notes: readonly string[];
  /** Numbers that are inconsistent. If there are any, no finding is certain. */
  readonly contradictions: readonly string[];
}

/**
 * Diagnoses why a JobSet makes no progress.
 *
 * Every check runs for the JobSet, its Jobs and its Pods. Checks of Pods, Kueue and others come from subpaths, as `options.checks`. A finding that another one causes is a symptom. A check that
 * needs objects of an unread kind neither fails nor passes: it is listed under `notChecked`.
 *
 * @param snapshot - the whole cluster, if possible; Events, nodes and Pods of other owners are used too
 * @param options - `now` is the time of the snapshot, see {@link latestTimestamp}
 * @param facts - the index of that snapshot; reuse it to diagnose several JobSets
 * @returns no findings if the JobSet has completed, unless it is being deleted and its deletion is stuck
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const suspended = { type: "Suspended", status: "True" };
 * const snapshot = createSnapshot([{ apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train", namespace: "ml", uid: "u" }, spec: { suspend: true }, status: { conditions: [suspended] } }], { kinds: "all" });
 * const [root] = diagnose(snapshot, snapshot.jobSet("ml", "train") ?? {}, createContext({ now: 0 })).roots;
 * root?.message // => "JobSet is suspended"
 */
export function diagnose(
  snapshot: Snapshot,
  jobSet: Unvalidated<JobSet>,
  options: DiagnosisOptions,
  facts: ClusterIndex = indexCluster(snapshot),
): Diagnosis {
  const thresholds = createThresholds(options.thresholds);
  const view = createJobSetView(jobSet ?? {}, facts, options.now, thresholds, options.quirks);
  return getDiagnosis(view, options.checks);
}

/**
 * Diagnoses all JobSets, sorted by name. Facts about the whole cluster are computed once.
 *
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train", namespace: "ml" } };
 * diagnoseAll(createSnapshot([jobSet]), createContext({ now: 0 })).map((one) => one.jobSet.name) // => ["train"]
 */
export function diagnoseAll(snapshot: Snapshot, options: DiagnosisOptions): readonly Diagnosis[] {
  const facts = indexCluster(snapshot);
  return snapshot.jobSets.map((jobSet) => diagnose(snapshot, jobSet, options, facts));
}

/** Diagnoses a JobSet from its view. */
export function getDiagnosis(
  view: JobSetView,
  more: readonly DiagnosisExtension[] = [],
): Diagnosis {
  const numbers = sumPodNumbers(view);
  const contradictions = view.replicatedJobs.flatMap(({ jobs }) =>
    jobs.flatMap((job) => listContradictions(job.numbers, job.name)),
  );
  const of = { jobSet: jobSetKey(view), now: view.now, numbers, contradictions };
  const nothing = { roots: [], symptoms: [], chains: [], notChecked: [], notes: [] };
  const finished = { ...of, status: "Finished", ...nothing } as const;
  const { jobSet } = view;
  const isCompleted = findTrueCondition(jobSet.status?.conditions, CONDITION_COMPLETED);
  if (isCompleted && !isBeingDeleted(jobSet)) return finished;

  const inJobSet = findAll(view, more);
  const { found } = inJobSet;
  const failures = found.length === 0 ? found : listFailures(inJobSet.jobSet);
  const unknown = found.filter(({ finding }) => finding.outcome === "Unknown");
  const reported = reportFindings({
    view,
    failures,
    inJobSet,
    isCertain: contradictions.length === 0,
    more,
  });
  const roots = reported.roots.map(({ first }) => first);
  const status = getStatus(roots, failures);
  if (isCompleted && status !== "Stuck") return finished;
  return {
    ...of,
    status,
    roots: reported.roots.map(({ finding }) => finding),
    symptoms: reported.symptoms,
    chains: reported.chains,
    notChecked: getNotChecked(unknown),
    notes: listNotes(view, failures, roots),
  };
}

function sumPodNumbers({ replicatedJobs }: JobSetView): PodNumbers {
  return sumNumbers(
    replicatedJobs.flatMap(({ jobs, unlisted }) => [
      ...jobs.map(({ numbers }) => numbers),
      ...(unlisted.count > 0 ? [unlisted.numbers] : []),
    ]),
  );
}

/** The names that `kubectl` uses for lists of the kinds. */
const listNames: ReadonlyMap<string, string> = new Map([
  ["Job", "jobs"],
  ["Pod", "pods"],
  ["Node", "nodes"],
  ["Service", "services"],
  ["PersistentVolumeClaim", "persistentVolumeClaims"],
  ["Event", "events"],
]);

function getNotChecked(unknown: readonly LocatedFinding[]): readonly string[] {
  const lines = unknown.flatMap(({ finding: { id, missing = [] } }) =>
    missing.map((kind) => `${id}:${listNames.get(kind) ?? kind}`),
  );
  return [...new Set(lines)].sort(compareBytes);
}
