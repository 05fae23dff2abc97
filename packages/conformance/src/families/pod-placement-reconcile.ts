import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject, Pod } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot, type Quirks, type Snapshot } from "@jobset-ts/core";
import { leaderForPod, reconcilePlacement } from "@jobset-ts/core/placement";
import { executeRecordedPlan } from "./execute-recorded-plan.ts";
import type { Family, ReplayContext, ReplayResult } from "./family.ts";
import { readRecordedInput } from "./recorded-input.ts";
import { type Fault, RecordingServer } from "./recording-server.ts";
import { replayWithQuirks } from "./replay-with-quirks.ts";

interface Input {
  /** The leader Pod in the watch event. */
  readonly pod: Unvalidated<Pod>;
  /** Whether the Pod is gone when it is read again. */
  readonly podGone?: boolean;
  readonly pods: readonly Unvalidated<Pod>[];
  readonly nodes: readonly Unvalidated<KubernetesObject>[];
  readonly faults?: readonly Fault[];
  readonly now: string;
}

/**
 * Replays the repair of exclusive placement, and whether the leader's event would trigger it. The recorder ran
 * upstream's repair in both cases.
 */
export const podPlacementReconcile: Family = { family: "podPlacement.reconcile", replay };

function replay(recorded: unknown, { quirks }: ReplayContext): ReplayResult {
  const input = readRecordedInput<Input>(recorded, ["pod", "pods", "nodes", "now"]);
  return replayWithQuirks(quirks, (under) => computeOutput(input, under));
}

function computeOutput(input: Input, under: Quirks): unknown {
  const { pod: leader, pods, faults = [], now } = input;
  const context = createContext({ now, quirks: under });
  const observed = createSnapshot([leader, ...pods, ...input.nodes], { kinds: "all" });
  const considered = leaderForPod(observed, leader, context) !== undefined;
  const server = new RecordingServer([leader, ...pods], faults);
  const unread = server.getFault("get", "Pod", leader.metadata?.name ?? "");
  if (unread !== undefined && unread.reason !== "NotFound") {
    // The function receives the leader. A caller that cannot read the leader never calls it.
    return { considered, effects: [], error: unread.message };
  }
  const podGone = input.podGone || unread !== undefined;
  const plan = reconcilePlacement(readSnapshot({ ...input, podGone }, server), leader, context);
  const { outcome } = executeRecordedPlan(plan, server);
  const error = outcome.ok ? {} : { error: outcome.message };
  return { considered, effects: server.effects, ...error };
}

function readSnapshot(
  { pod: leader, podGone, pods, nodes }: Input,
  server: RecordingServer,
): Snapshot {
  const node = server.getFault("get", "Node", leader.spec?.nodeName ?? "");
  // Without a leader, upstream does not list the other Pods.
  const list = podGone ? undefined : server.getFault("list", "Pod", "");
  const nodeIsGone = node?.reason === "NotFound";
  return createSnapshot([...pods, ...(podGone ? [] : [leader]), ...(nodeIsGone ? [] : nodes)], {
    kinds: "all",
    readErrors: {
      ...(node !== undefined && !nodeIsGone && { Node: node.message }),
      ...(list !== undefined && { Pod: list.message }),
    },
  });
}
