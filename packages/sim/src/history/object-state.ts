import type { JobSet } from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  CONDITION_SUSPENDED,
} from "@jobset-ts/api/conditions";
import { IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  type Condition,
  findCondition,
  getAnnotation,
  type Job,
  type Node,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { Workload } from "@jobset-ts/kueue";
import { isEvicted, isWorkloadFinished } from "@jobset-ts/kueue/workload";
import { isConditionTrue } from "../api-server/conditions.ts";
import type { Stored } from "../api-server/objects.ts";
import { getFlavor } from "../queueing/quota.ts";

/** Describes the state of an object briefly. Empty for kinds without a description. */
export function stateText(object: Stored): string {
  const state = formatState(object);
  const isGoing = object.metadata.deletionTimestamp !== undefined;
  return [...(state === "" ? [] : [state]), ...(isGoing ? ["being deleted"] : [])].join(", ");
}

function formatState(object: Stored): string {
  switch (object.kind) {
    case "JobSet":
      return jobSetState(object as unknown as JobSet);
    case "Job":
      return jobState(object as unknown as Job);
    case "Pod":
      return podState(object as unknown as Pod);
    case "Workload":
      return workloadState(object as unknown as Workload);
    case "Node":
      return nodeState(object as unknown as Node);
    default:
      return "";
  }
}

function jobSetState({ spec, status }: JobSet): string {
  const conditions = status?.conditions;
  const restarts = status?.restarts ?? 0;
  const current = status?.currentInPlaceRestartAttempt;
  const attempt = [
    restarts === 0 ? "" : `, restart ${restarts}`,
    current === undefined ? "" : `, attempt ${current} in place`,
  ].join("");
  const ended = [CONDITION_COMPLETED, CONDITION_FAILED].find((type) =>
    isConditionTrue(conditions, type),
  );
  if (ended !== undefined)
    return `${ended} (${findCondition<Condition>(conditions, ended)?.reason})`;
  if (isConditionTrue(conditions, CONDITION_RESTARTING)) return `restarting${attempt}`;
  if (isConditionTrue(conditions, CONDITION_SUSPENDED)) {
    return `${spec.suspend === true ? "suspended" : "to be resumed"}${attempt}`;
  }
  if (spec.suspend === true) return `to be suspended${attempt}`;
  // The controller's first pass that creates Jobs writes the status of each ReplicatedJob.
  return status?.replicatedJobsStatus === undefined ? "created" : `running${attempt}`;
}

function jobState({ spec, status }: Job): string {
  const ended = ["Complete", "Failed"].find((type) => isConditionTrue(status?.conditions, type));
  if (ended !== undefined) return `${ended} (${findCondition(status?.conditions, ended)?.reason})`;
  if (isConditionTrue(status?.conditions, "FailureTarget")) return "failing";
  if (isConditionTrue(status?.conditions, "SuccessCriteriaMet")) return "completing";
  if (spec.suspend === true) return "suspended";
  const { active = 0, ready = 0, succeeded = 0, failed = 0 } = status ?? {};
  const { parallelism = 1, completions = Number.POSITIVE_INFINITY } = spec;
  // A work queue Job creates no more Pods once one has succeeded.
  const isEnding = spec.completions === undefined && succeeded > 0;
  const desired = isEnding ? active : Math.min(parallelism, completions - succeeded);
  const counts = [
    ...(active > 0 ? [`${ready} of ${Math.max(active, desired)} Pods ready`] : []),
    ...(succeeded > 0 ? [`${succeeded} succeeded`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return counts.length === 0 ? "no Pods" : counts.join(", ");
}

function podState(pod: Pod): string {
  const { spec, status } = pod;
  const { phase = "Pending", conditions } = status ?? {};
  const attempt = getAnnotation(pod, IN_PLACE_RESTART_ATTEMPT_KEY);
  const inPlace = attempt === undefined ? "" : `, attempt ${attempt} in place`;
  const where = `${spec.nodeName === undefined ? "" : ` on ${spec.nodeName}`}${inPlace}`;
  const isReady = isConditionTrue(conditions, "Ready");
  if (phase === "Running" && isReady) return `Running and ready${where}`;
  const scheduled = asArray(conditions).find(({ type }) => type === "PodScheduled");
  const why = phase === "Pending" && scheduled?.status === "False" ? ` (${scheduled.reason})` : "";
  return `${phase}${where}${why}`;
}

function workloadState(workload: Workload): string {
  if (isWorkloadFinished(workload)) return "finished";
  const flavor = getFlavor(workload);
  const has = flavor === undefined ? "waits for quota" : `has quota of ${flavor}`;
  return isEvicted(workload) ? `${has}, evicted` : has;
}

function nodeState({ spec, status }: Node): string {
  const ready = findCondition(status?.conditions, "Ready")?.status ?? "Unknown";
  const taints = asArray(spec?.taints).map(({ key }) => key);
  // The taint remains for a moment after the condition becomes True. No Pod is scheduled on the node until it is
  // removed.
  const isKeptOut = ready === "True" && taints.some((key) => NOT_READY_TAINTS.has(key));
  const condition = ready === "True" ? "ready" : `ready ${ready}`;
  return [...(isKeptOut ? [] : [condition]), ...taints.map((key) => `tainted ${key}`)].join(", ");
}

/** The taints that the node lifecycle controller adds to a node that is not ready. */
const NOT_READY_TAINTS: ReadonlySet<unknown> = new Set([
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
]);
