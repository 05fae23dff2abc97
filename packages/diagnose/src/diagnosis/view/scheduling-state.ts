import { asArray, asString, findCondition } from "@jobset-ts/api/kubernetes";
import type { ClusterIndex } from "./cluster-facts.ts";
import { type EventFacts, findLatest } from "./events.ts";
import type { MemberPod } from "./member-pod.ts";
import { parseSchedulerMessage, type SchedulerMessage } from "./scheduler-message.ts";

/** What the scheduler says of a Pod that is on no node. */
export type SchedulingState =
  | { readonly outcome: "Gated"; readonly gates: readonly string[] }
  | {
      readonly outcome: "Unschedulable";
      readonly said: SchedulerMessage;
      readonly text: string;
      /** Where it says so: the condition, whose message is complete, or else the Event. */
      readonly from: "Condition" | "Event";
    }
  /** It has not said anything yet. */
  | { readonly outcome: "Untried" }
  /** The Pod says nothing, and Events were not read. */
  | { readonly outcome: "Unknown" };

/**
 * What has come of scheduling a Pod that is on no node.
 *
 * @param read - the parsed messages so far: many Pods have the same message
 */
export function getSchedulingState(
  member: MemberPod,
  facts: ClusterIndex,
  read: Map<string, SchedulerMessage>,
): SchedulingState {
  const { pod } = member;
  if (member.isGated) {
    const gates = asArray(pod.spec?.schedulingGates).map((gate) => asString(gate?.name));
    return { outcome: "Gated", gates };
  }
  const condition = findCondition(pod.status?.conditions, "PodScheduled");
  const isRefused = condition?.status === "False" && condition.reason === "Unschedulable";
  const message = isRefused ? asString(condition?.message) : "";
  if (message !== "") return unschedulable(message, "Condition", read);
  if (!facts.wasRead("Event") && !isRefused) return { outcome: "Unknown" };
  const event = lastFailure(facts.eventsAbout(pod, "Pod"));
  if (event !== undefined) return unschedulable(event.message, "Event", read);
  return isRefused ? unschedulable("", "Condition", read) : { outcome: "Untried" };
}

function lastFailure(events: readonly EventFacts[]): EventFacts | undefined {
  return findLatest(events.filter(({ reason }) => reason === "FailedScheduling"));
}

function unschedulable(
  text: string,
  from: "Condition" | "Event",
  read: Map<string, SchedulerMessage>,
): SchedulingState {
  const said = read.get(text) ?? parseSchedulerMessage(text);
  read.set(text, said);
  return { outcome: "Unschedulable", said, text, from };
}
