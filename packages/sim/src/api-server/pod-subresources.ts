import type { EpochMillis } from "@jobset-ts/api";
import {
  asRecord,
  asString,
  getName,
  getNamespace,
  isObject,
  type LabelSelector,
  matchesLabelSelector,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { withMembers } from "../with-members.ts";
import type { AdmissionResult } from "./admission-step.ts";
import type { RequestedObject, ServerRejection } from "./api-request.ts";
import type { KindRules } from "./kind-rules.ts";
import type { Objects, Stored } from "./objects.ts";
import { isGated, isPodFinished, withPodCondition } from "./pod-conditions.ts";
import { createRejection, invalid } from "./rejections.ts";
import { deepFreeze } from "./stored-values.ts";

/** Binds a Pod to the node that a binding names. A Pod is bound only once. */
export function bindPod(
  rules: KindRules,
  stored: Stored,
  binding: RequestedObject,
  now: EpochMillis,
): AdmissionResult {
  const pod = stored as unknown as Pod;
  const name = getName(pod);
  const target = binding.target;
  const node = isObject(target) && typeof target.name === "string" ? target.name : "";
  if (node === "") return invalid(rules, name, ["target.name: Required value"]);
  if (pod.metadata.deletionTimestamp !== undefined) {
    return createBindingConflict(
      name,
      `pod ${name} is being deleted, cannot be assigned to a host`,
    );
  }
  if (asString(pod.spec.nodeName) !== "") {
    return createBindingConflict(
      name,
      `pod ${name} is already assigned to node "${pod.spec.nodeName}"`,
    );
  }
  if (isGated(pod)) {
    return createBindingConflict(name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  const { nominatedNodeName: _, ...status } = asRecord(pod.status);
  const conditions = withPodCondition(status.conditions, SCHEDULED, now);
  const object = withMembers(pod, {
    spec: withMembers(pod.spec, { nodeName: node }),
    status: withMembers(status, { conditions }),
  });
  return { ok: true, object: deepFreeze(object) as unknown as Stored };
}

const SCHEDULED = { type: "PodScheduled", status: "True" } as const;

function createBindingConflict(name: string, reason: string): ServerRejection {
  return createRejection(
    409,
    "Conflict",
    `Operation cannot be fulfilled on pods/binding "${name}": ${reason}`,
  );
}

/**
 * Rejects an eviction if a PodDisruptionBudget selects the Pod and its status allows no disruption. A Pod that does not
 * run can always be evicted.
 */
export function checkEviction(stored: Stored, objects: Objects): ServerRejection | undefined {
  const pod = stored as unknown as Pod;
  const isIdle = isPodFinished(pod) || asString(pod.status?.phase) === "Pending";
  if (isIdle || pod.metadata.deletionTimestamp !== undefined) return undefined;
  const budgets = objects
    .ofKind<DisruptionBudget>("PodDisruptionBudget")
    .filter(
      (budget) =>
        getNamespace(budget) === getNamespace(pod) &&
        matchesLabelSelector(budget.spec?.selector, pod.metadata.labels),
    );
  if (budgets.length > 1) {
    return createRejection(
      500,
      "InternalError",
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  if (budgets.every(({ status }) => (asRecord(status).disruptionsAllowed ?? 0) > 0)) {
    return undefined;
  }
  return createRejection(
    429,
    "TooManyRequests",
    "Cannot evict pod as it would violate the pod's disruption budget.",
  );
}

type DisruptionBudget = Stored & {
  readonly spec?: { readonly selector?: LabelSelector };
  readonly status?: { readonly disruptionsAllowed?: number };
};
