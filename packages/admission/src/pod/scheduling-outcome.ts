import type { Unvalidated } from "@jobset-ts/api";
import { asArray, asString, getUid, type Pod, type PodCondition } from "@jobset-ts/api/kubernetes";
import type { Evidence } from "@jobset-ts/checks";
import type { Snapshot } from "@jobset-ts/core";
import { latestEvent } from "./latest-event.ts";
import { podKey } from "./object-keys.ts";

/** The result of scheduling a Pod without a node, as the scheduler reports it. */
export type SchedulingOutcome =
  /** The scheduler has not reported anything yet. */
  | { readonly outcome: "None" }
  /** The Pod has a scheduling gate. */
  | {
      readonly outcome: "Gated";
      readonly gates: readonly string[];
      readonly evidence: readonly Evidence[];
    }
  | {
      readonly outcome: "Unschedulable";
      /** The scheduler's message. May be empty. */
      readonly message: string;
      /** The missing resources: `insufficient google.com/tpu`, `too many pods`; each once. */
      readonly shortages: readonly string[];
      readonly evidence: readonly Evidence[];
    };

/**
 * Returns the scheduler's report about a Pod without a node: from the condition `PodScheduled`, which has the whole
 * message, or from the Event `FailedScheduling`, whose message is truncated.
 */
export function schedulingOutcome(pod: Unvalidated<Pod>, snapshot: Snapshot): SchedulingOutcome {
  const object = podKey(pod);
  const condition = asArray(pod.status?.conditions).find(
    (one) => one?.type === "PodScheduled" && one.status === "False",
  );
  const gates = asArray(pod.spec?.schedulingGates).map((gate) => asString(gate?.name));
  if (gates.length > 0 || condition?.reason === "SchedulingGated") {
    const gated: Evidence[] =
      gates.length === 0
        ? []
        : [{ kind: "Field", object, at: "spec.schedulingGates", text: gates.join(", ") }];
    return { outcome: "Gated", gates, evidence: [...gated, ...conditionEvidence(pod, condition)] };
  }

  const unschedulable = condition?.reason === "Unschedulable" ? condition : undefined;
  const event = latestEvent(snapshot.eventsAbout(getUid(pod)), "FailedScheduling");
  if (unschedulable === undefined && event === undefined) return { outcome: "None" };
  const message = asString(unschedulable?.message) || asString(event?.message);
  const failed: Evidence[] =
    event === undefined
      ? []
      : [{ kind: "Event", object, at: "FailedScheduling", text: asString(event.message) }];
  const evidence = [...conditionEvidence(pod, unschedulable), ...failed];
  return { outcome: "Unschedulable", message, shortages: shortagesIn(message), evidence };
}

function conditionEvidence(
  pod: Unvalidated<Pod>,
  condition: Unvalidated<PodCondition> | undefined,
): readonly Evidence[] {
  if (condition === undefined) return [];
  const text = asString(condition.message);
  return [{ kind: "Condition", object: podKey(pod), at: "PodScheduled", text }];
}

/**
 * The scheduler counts nodes by reason, as in `0/5 nodes are available: 2 Insufficient cpu, 3 Insufficient
 * google.com/tpu.`
 */
function shortagesIn(message: string): readonly string[] {
  const shortages = [...message.matchAll(/\b(?:Insufficient (\S+)|Too many pods)/g)].map(
    ([, resource]) =>
      resource === undefined ? "too many pods" : `insufficient ${withoutFullStop(resource)}`,
  );
  return [...new Set(shortages)];
}

/** A resource name may contain dots, but does not end in one. */
function withoutFullStop(word: string): string {
  let end = word.length;
  while (end > 0 && ".,;:".includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}
