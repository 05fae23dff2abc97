import { formatTime } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createSnapshot } from "@jobset-ts/core";
import { diagnose, diagnosedKinds, indexCluster } from "@jobset-ts/diagnose";
import type { SimulationResult } from "@jobset-ts/sim";
import type { StepResult } from "@jobset-ts/sim/kernel";
import { getNames } from "../../input/jobset-selector.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";

/**
 * Says of JobSets that have not ended when nothing more happens why, as `explain` says it of a cluster: the root that weighs
 * most, and what helps. Of those that are suspended or left to another controller it is said before the run.
 *
 * @param events - all of the run
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
    const { status, roots } = diagnose(snapshot, jobSet, { now: end.now }, facts);
    const [root] = roots;
    const told = (how: string, words: readonly string[]): readonly Diagnostic[] => [
      { severity: "note", message: [`${getNames(jobSet).name} ${how}`, ...words].join("; ") },
    ];
    if (status === "finished" || status === "failed") return [];
    if (root !== undefined && phasesReportedBefore.has(root.id)) return [];
    if (root !== undefined && (status === "stuck" || (status === "waiting" && isIdle))) {
      const { message, words: { advice = [] } = {} } = root;
      return told(`${status === "stuck" ? "is stuck" : "waits"}: ${message}`, advice);
    }
    return isIdle ? told("has not ended, and nothing more happens", []) : [];
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
