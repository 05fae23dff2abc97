import { formatTime } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createSnapshot } from "@jobset-ts/core";
import { diagnose, diagnosedKinds, indexCluster } from "@jobset-ts/diagnose";
import { allChecks } from "@jobset-ts/diagnose/all";
import type { SimulationResult } from "@jobset-ts/sim";
import type { StepResult } from "@jobset-ts/sim/kernel";
import { getNames } from "../../input/jobset-selector.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";

/**
 * Explains JobSets that are unfinished at the end of the run: the most important root cause, and how to fix it.
 * JobSets that are suspended or managed by another controller are reported before the run.
 *
 * @param events - all Events of the run
 */
export function explainStuckJobSets(
  { end, isIdle }: SimulationResult,
  events: StepResult["events"],
): readonly Diagnostic[] {
  const objects = diagnosedKinds.flatMap((kind) => end.objects.ofKind<KubernetesObject>(kind));
  const snapshot = createSnapshot([...objects, ...events.map(toEventObject)], {
    kinds: diagnosedKinds,
  });
  const facts = indexCluster(snapshot);
  return snapshot.objects("JobSet").flatMap((jobSet): readonly Diagnostic[] => {
    const { status, roots } = diagnose(
      snapshot,
      jobSet,
      { now: end.now, checks: allChecks },
      facts,
    );
    const [root] = roots;
    const createNote = (state: string, advice: readonly string[]): readonly Diagnostic[] => [
      { severity: "note", message: [`${getNames(jobSet).name} ${state}`, ...advice].join("; ") },
    ];
    if (status === "Finished" || status === "Failed") return [];
    if (root !== undefined && phasesReportedBefore.has(root.id)) return [];
    if (root !== undefined && (status === "Stuck" || status === "Waiting")) {
      const { message, texts: { advice = [] } = {} } = root;
      return createNote(`${status === "Stuck" ? "is stuck" : "waits"}: ${message}`, advice);
    }
    return isIdle ? createNote("is unfinished, and the cluster is idle", []) : [];
  });
}

const phasesReportedBefore: ReadonlySet<string> = new Set(["suspended", "managed-elsewhere"]);

function toEventObject(
  { about, type, reason, message, at }: StepResult["events"][number],
  index: number,
): KubernetesObject {
  const { apiVersion, kind, metadata } = about;
  const { name, namespace, uid } = metadata;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `event-${index}`, namespace },
    involvedObject: { apiVersion, kind, name, namespace, uid },
    type,
    reason,
    message,
    lastTimestamp: formatTime(at),
  } as KubernetesObject;
}
