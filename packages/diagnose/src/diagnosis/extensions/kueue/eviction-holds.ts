import { parseTime, type Unvalidated } from "@jobset-ts/api";
import { asString, getName } from "@jobset-ts/api/kubernetes";
import { fieldEvidence, sinceTime } from "../../checks/check-results.ts";
import { type HeldJobSet, type Hold, listUnreadyChecks, readCondition } from "./hold.ts";
import type { Workload } from "./kueue-objects.ts";

/** Returns the hold of a Workload that is not active, so that Kueue does not queue it. */
export function findDeactivation(held: HeldJobSet): Hold | undefined {
  const { view, workload, key, title } = held;
  if (workload.spec?.active !== false) return undefined;
  const evicted = readCondition(held, "Evicted");
  const isEvicted = evicted.isTrue && evicted.reason.startsWith("Deactivated");
  const rejected = listUnreadyChecks(held).filter(({ state }) => state === "Rejected");
  const why = [
    isEvicted ? `${evicted.reason}: ${evicted.message}` : "",
    ...rejected.map(
      ({ name, message }) => `admission check ${asString(name)} is Rejected: ${asString(message)}`,
    ),
  ].filter((text) => text !== "");
  const byKueue = evicted.reason !== "Deactivated" && isEvicted;
  const time = isEvicted ? evicted.time : readCondition(held, "QuotaReserved").time;
  const command = `kubectl patch workload ${getName(workload)} -n ${view.namespace} --type merge -p '{"spec":{"active":true}}'`;
  return {
    id: "workload-deactivated",
    message: [`${title} is deactivated (spec.active is false)`, ...why].join("; "),
    evidence: [
      fieldEvidence(key, "spec.active", "false"),
      ...rejected.map(({ name, message }) =>
        fieldEvidence(
          key,
          `status.admissionChecks[${asString(name)}].state`,
          `Rejected: ${asString(message)}`,
        ),
      ),
    ],
    status: byKueue || rejected.length > 0 ? "Stuck" : "Waiting",
    ...sinceTime(time),
    advice: [
      ...adviseDeactivated(evicted.reason, rejected.length > 0),
      `then activate the Workload, so that Kueue queues it again: ${command}`,
    ],
  };
}

function adviseDeactivated(reason: string, isRejected: boolean): readonly string[] {
  if (isRejected || reason.includes("AdmissionCheck"))
    return ["fix the cause that the rejected admission check reports"];
  if (reason.includes("RequeuingLimit"))
    return ["find out why its Pods did not become ready in time: images, nodes, probes"];
  if (reason.includes("MaximumExecutionTime"))
    return [
      "it ran longer than its label kueue.x-k8s.io/max-exec-time-seconds allows: recreate it with a longer time",
    ];
  return ["find out who deactivated it, and why"];
}

/** Eviction reasons that say more than the state of the quota, which the Workload waits for again. */
const lastingReasons: ReadonlySet<string> = new Set([
  "Preempted",
  "PodsReadyTimeout",
  "AdmissionCheck",
  "NodeFailures",
]);

/** Returns the hold of a Workload that Kueue has evicted and not admitted again. */
export function findEviction(held: HeldJobSet): Hold | undefined {
  const { view, title, workload } = held;
  const evicted = readCondition(held, "Evicted");
  const requeued = readCondition(held, "Requeued");
  if (!evicted.isTrue || (requeued.isTrue && !lastingReasons.has(evicted.reason))) return undefined;
  const preempted = readCondition(held, "Preempted");
  const reserved = readCondition(held, "QuotaReserved");
  const isPreempted = evicted.reason === "Preempted";
  const message = [
    isPreempted
      ? `Kueue preempted ${title}: ${evicted.message || preempted.message}`
      : `Kueue evicted ${title} (${evicted.reason}): ${evicted.message}`,
    ...describeRequeue(workload, view.now),
    ...(reserved.isTrue || reserved.message === "" || reserved.message === evicted.message
      ? []
      : [`it waits for quota again: ${reserved.message}`]),
  ].join("; ");
  return {
    id: "workload-evicted",
    message,
    status: "Waiting",
    ...sinceTime(evicted.time),
    advice: adviseEvicted(held, evicted.reason),
  };
}

function describeRequeue({ status }: Unvalidated<Workload>, now: number): readonly string[] {
  const requeueAt = asString(status?.requeueState?.requeueAt);
  const at = parseTime(requeueAt);
  return at === undefined || at < now ? [] : [`Kueue queues it again at ${requeueAt}`];
}

function adviseEvicted({ view, workload }: HeldJobSet, reason: string): readonly string[] {
  const command = `kubectl describe workload ${getName(workload)} -n ${view.namespace}`;
  switch (reason) {
    case "Preempted":
      return [
        `wait until the other Workload has finished, or use a WorkloadPriorityClass of higher priority: ${command}`,
      ];
    case "PodsReadyTimeout":
      return [
        `find out why its Pods were not ready before the timeout: kubectl get events -n ${view.namespace} --sort-by=.lastTimestamp`,
        "Kueue deactivates the Workload after its last retry",
      ];
    case "NodeFailures":
      return [`repair or replace the failed node; Kueue queues the Workload again: ${command}`];
    case "ClusterQueueStopped":
    case "LocalQueueStopped":
      return [`wait until the administrator starts the queue again: ${command}`];
    default:
      return [`wait until Kueue queues it again: ${command}`];
  }
}
