import { type EpochMillis, formatTime } from "@jobset-ts/api";
import { asArray, findCondition, type Node } from "@jobset-ts/api/kubernetes";

/** The Ready status of a node, and the reason. */
export interface Readiness {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** Sets the Ready condition of a draft node. */
export function setReadyCondition(node: Node, readiness: Readiness, now: EpochMillis): void {
  node.status ??= {};
  const conditions = asArray(node.status.conditions);
  const own = findCondition(conditions, "Ready");
  const isSame = own?.status === readiness.status;
  const lastTransitionTime =
    isSame && own?.lastTransitionTime !== undefined ? own.lastTransitionTime : formatTime(now);
  const ready = { type: "Ready", ...readiness, lastTransitionTime };
  node.status.conditions = [...conditions.filter(({ type }) => type !== "Ready"), ready];
}
