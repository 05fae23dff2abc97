import { formatTime } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { snapshotOf } from "@jobset-ts/core";
import { clusterFacts, diagnose, diagnosedKinds } from "@jobset-ts/diagnose";
import type { Played } from "@jobset-ts/sim";
import type { Advanced } from "@jobset-ts/sim/kernel";
import type { Diagnostic } from "./diagnostics.ts";
import { namesOf } from "./wanted.ts";

/**
 * Says why JobSets are stuck at the end of a run, as `explain` says it of a cluster: the root that weighs most, and what helps.
 *
 * @param events - all of the run
 */
export function stuckAtTheEnd({ end }: Played, events: Advanced["events"]): readonly Diagnostic[] {
  const objects = diagnosedKinds.flatMap((kind) => end.objects.ofKind<KubernetesObject>(kind));
  const snapshot = snapshotOf([...objects, ...events.map(eventObject)], { kinds: diagnosedKinds });
  const facts = clusterFacts(snapshot);
  return snapshot.objects("JobSet").flatMap((jobSet): readonly Diagnostic[] => {
    const { status, roots } = diagnose(snapshot, jobSet, { now: end.now }, facts);
    const [root] = roots;
    if (status !== "stuck" || root === undefined) return [];
    const { message, words: { advice = [] } = {} } = root;
    const told = [`${namesOf(jobSet).name} is stuck: ${message}`, ...advice].join("; ");
    return [{ severity: "note", message: told }];
  });
}

function eventObject(
  { about, type, reason, message, at }: Advanced["events"][number],
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
