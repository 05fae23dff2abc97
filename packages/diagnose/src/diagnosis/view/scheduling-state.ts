import { asArray, asString, findCondition } from "@jobset-ts/api/kubernetes";
import type { ClusterIndex } from "./cluster-facts.ts";
import { type EventFacts, findLatest } from "./events.ts";
import type { MemberPod } from "./member-pod.ts";

/** The scheduler's result for a Pod without a node. */
export type SchedulingState =
  | { readonly outcome: "Gated"; readonly gates: readonly string[] }
  | {
      readonly outcome: "Unschedulable";
      /** The scheduler's message. */
      readonly text: string;
      /** The source of the message: the condition, which is complete, or otherwise the Event. */
      readonly from: "Condition" | "Event";
    }
  /** The scheduler has not reported yet. */
  | { readonly outcome: "Untried" }
  /** The Pod has no condition, and Events were not read. */
  | { readonly outcome: "Unknown" };

/** Returns the scheduler's result for a Pod without a node. */
export function getSchedulingState(member: MemberPod, facts: ClusterIndex): SchedulingState {
  const { pod } = member;
  if (member.isGated) {
    const gates = asArray(pod.spec?.schedulingGates).map((gate) => asString(gate?.name));
    return { outcome: "Gated", gates };
  }
  const condition = findCondition(pod.status?.conditions, "PodScheduled");
  const isRefused = condition?.status === "False" && condition.reason === "Unschedulable";
  const message = isRefused ? asString(condition?.message) : "";
  if (message !== "") return unschedulable(message, "Condition");
  if (!facts.wasRead("Event") && !isRefused) return { outcome: "Unknown" };
  const event = lastFailure(facts.eventsAbout(pod, "Pod"));
  if (event !== undefined) return unschedulable(event.message, "Event");
  return isRefused ? unschedulable("", "Condition") : { outcome: "Untried" };
}

function lastFailure(events: readonly EventFacts[]): EventFacts | undefined {
  return findLatest(events.filter(({ reason }) => reason === "FailedScheduling"));
}

function unschedulable(text: string, from: "Condition" | "Event"): SchedulingState {
  return { outcome: "Unschedulable", text, from };
}
