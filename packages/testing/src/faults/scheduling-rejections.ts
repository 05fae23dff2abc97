import type { Pod } from "@jobset-ts/api/kubernetes";
import { type ClusterBuilder, type JobPart, takeOffNode } from "./cluster-builder.ts";
import { denyFollowers } from "./creation-rejections.ts";
import { createRef, type FaultEffect } from "./fault.ts";
import { unschedulable } from "./pod-states.ts";

/** Makes the scheduler reject Pods of a Job for these reasons. */
export function rejectAll(scene: ClusterBuilder, reasons: string): FaultEffect {
  const { pods: _, ...struck } = rejectSomePods(scene, reasons);
  return struck;
}

/** Like {@link rejectAll}, but also returns the Pods. `report` replaces the Event that may report a rejection. */
export function rejectSomePods(
  scene: ClusterBuilder,
  reasons: string,
  report?: (pod: Pod) => void,
): FaultEffect & { readonly pods: readonly Pod[] } {
  return rejectPods(scene, withoutNode(scene), reasons, report);
}

/** Makes the scheduler reject the leader of a Job. */
export function rejectLeader(scene: ClusterBuilder, reasons: string): FaultEffect {
  const part = scene.anyPart();
  scene.holdBackBehind(part.position);
  const { pods: _, ...struck } = rejectPods(scene, leaderAlone(scene, part), reasons);
  return struck;
}

function rejectPods(
  scene: ClusterBuilder,
  pods: readonly Pod[],
  reasons: string,
  report?: (pod: Pod) => void,
) {
  const message = formatMessage(scene, reasons);
  for (const pod of pods) {
    takeOffNode(pod, unschedulable(message));
    if (report !== undefined) report(pod);
    else if (scene.dice.isOneIn(2)) {
      scene.addEvents(pod, "FailedScheduling", message, { by: "default-scheduler", count: 2 });
    }
  }
  return { pods, objects: pods.map(createRef), status: "Stuck" as const };
}

/** Returns Pods of a Job that become unscheduled, and applies the consequences for the other Pods. */
export function withoutNode(scene: ClusterBuilder): readonly Pod[] {
  const part = scene.anyPart();
  scene.holdBackBehind(part.position);
  const isLeader = scene.shape.topologyKey !== undefined && !scene.dice.isOneIn(3);
  if (isLeader || part.pods.length < 2) return leaderAlone(scene, part);
  if (scene.shape.topologyKey !== undefined) return scene.dice.pickSome(part.pods.slice(1));
  return scene.dice.pickSome(part.pods);
}

/** Removes the followers of a leader without a node, because they cannot be admitted. */
function leaderAlone(scene: ClusterBuilder, part: JobPart): readonly Pod[] {
  if (scene.shape.topologyKey !== undefined) {
    part.pods = part.pods.slice(0, 1);
    const words = scene.dice.pickOne(
      undefined,
      "leader pod not yet scheduled, not creating follower pod",
    );
    if (part.podCount > 1) denyFollowers(scene, part, { words });
  }
  return part.pods.slice(0, 1);
}

/** Formats the message of the scheduler about a rejected Pod. */
export function formatMessage(
  { dice, nodes: { length } }: ClusterBuilder,
  reasons: string,
): string {
  const preemption = `preemption: 0/${length} nodes are available: ${length} Preemption is not helpful for scheduling.`;
  const end = dice.pickOne(
    ` ${preemption}`,
    ` no new claims to deallocate, ${preemption}`,
    "",
    " preemption: not eligible due to preemptionPolicy=Never.",
  );
  return `0/${length} nodes are available: ${reasons}.${end}`;
}
