import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import {
  type ClusterIndex,
  type JobSetPhase,
  type JobSetPhaseResult,
  jobSetPhase,
} from "@jobset-ts/diagnose";
import { allChecks } from "@jobset-ts/diagnose/all";
import { printable } from "./printable.ts";

/** A JobSet in the list, with its phase and reason. */
export interface JobSetRow {
  readonly namespace: string;
  readonly name: string;
  readonly phase: RowPhase;
  /** The root cause, if there is one. */
  readonly why: string;
  /** Ready Pods and expected Pods. */
  readonly pods: string;
  /** Counted restarts and their limit. */
  readonly restarts: string;
}

/** The phase of a JobSet, if it is known. */
export type RowPhase = JobSetPhase | "Unknown";

/** Phases that need attention come first. */
const order: Readonly<Record<RowPhase, number>> = {
  Stuck: 0,
  Failed: 1,
  Restarting: 2,
  Queued: 3,
  Pending: 4,
  Starting: 5,
  Suspended: 6,
  Deleting: 7,
  Completing: 8,
  Running: 9,
  Completed: 10,
  Unknown: 11,
};

/** Returns all JobSets, those with problems first, and within a phase by namespace and name. */
export function jobSetRows(
  snapshot: Snapshot,
  context: { readonly now: number },
  facts: ClusterIndex,
): readonly JobSetRow[] {
  const lacking = lackingLine(snapshot);
  return snapshot.jobSets
    .map((jobSet): JobSetRow => {
      const key = { namespace: getNamespace(jobSet), name: getName(jobSet) };
      if (lacking !== undefined)
        return { ...key, phase: "Unknown", why: lacking, pods: "", restarts: "" };
      const found = jobSetPhase(snapshot, jobSet, { ...context, checks: allChecks }, facts);
      const { phase, restartsCounted, maxRestarts } = found;
      return {
        ...key,
        phase,
        why: printable(found.reason),
        pods: listPods(found),
        restarts: `${restartsCounted} of ${maxRestarts}`,
      };
    })
    .toSorted((one, other) => order[one.phase] - order[other.phase]);
}

/** The kinds without which the phase is unknown. */
const needed = ["Job", "Pod"] as const;

/** Returns why the phase is unknown, or undefined if it is known. */
export function lackingLine(snapshot: Snapshot): string | undefined {
  const lacking = needed.filter((kind) => snapshot.kindStatus(kind).outcome !== "Read");
  if (lacking.length === 0) return undefined;
  return `the phase is unknown without ${lacking.map((kind) => `${kind}s`).join(" and ")}`;
}

function listPods({ numbers: { ready, wanted, active } }: JobSetPhaseResult): string {
  return `${ready} of ${wanted ?? active}`;
}

/** Counts JobSets by phase. Phases that need attention come first. */
export function phaseCounts(rows: readonly JobSetRow[]): readonly (readonly [RowPhase, number])[] {
  const counts = new Map<RowPhase, number>();
  for (const { phase } of rows) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  return [...counts];
}

/** Returns the rows that contain every word of a filter in any column. */
export function filteredRows(rows: readonly JobSetRow[], filter: string): readonly JobSetRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ namespace, name, phase, why }) => {
    const text = `${namespace}/${name} ${phase} ${why}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
