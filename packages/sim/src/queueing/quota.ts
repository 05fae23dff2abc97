import { type EpochMillis, formatTime } from "@jobset-ts/api";
import { asArray, type Condition, findCondition } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { PodSet, Workload } from "@jobset-ts/kueue";
import { hasQuotaReserved, isWorkloadFinished } from "@jobset-ts/kueue/workload";
import {
  type Amounts,
  addAmounts,
  getPodRequests,
  NO_AMOUNTS,
  parseAmounts,
} from "../scheduler/resource-amounts.ts";
import type { QueueConfig } from "./queueing.ts";

const CLUSTER_QUEUE = "cluster-queue";

type Flavor = QueueConfig["flavors"][number];

/** Returns the Workloads that wait for quota, ordered by priority, age and name. */
export function listWaitingWorkloads(workloads: readonly Workload[]): readonly Workload[] {
  return workloads
    .filter(
      (workload) =>
        workload.metadata.deletionTimestamp === undefined &&
        workload.spec.active !== false &&
        (workload.spec.queueName ?? "") !== "" &&
        !hasQuotaReserved(workload) &&
        !isWorkloadFinished(workload),
    )
    .toSorted(
      (one, other) =>
        (other.spec.priority ?? 0) - (one.spec.priority ?? 0) ||
        compareBytes(getCreationTime(one), getCreationTime(other)) ||
        compareBytes(one.metadata.name ?? "", other.metadata.name ?? ""),
    );
}

function getCreationTime({ metadata }: Workload): string {
  return metadata.creationTimestamp ?? "";
}

/**
 * Returns the first flavor with enough quota for a Workload, in addition to the Workloads that already have
 * quota.
 */
export function findFlavor(
  workload: Workload,
  flavors: readonly Flavor[],
  others: readonly Workload[],
): Flavor | undefined {
  const requests = listRequests(workload);
  return flavors.find(({ name, quota }) => {
    const used = others
      .filter((other) => getFlavor(other) === name && !isWorkloadFinished(other))
      .map(listRequests)
      .reduce(addAmounts, NO_AMOUNTS);
    const most = parseAmounts(quota);
    return Object.entries(requests).every(
      ([resource, amount]) => amount + (used[resource] ?? 0) <= (most[resource] ?? 0),
    );
  });
}

/** Returns the flavor of a Workload's quota. */
export function getFlavor(workload: Workload): string | undefined {
  if (!hasQuotaReserved(workload)) return undefined;
  const [first] = asArray(workload.status?.admission?.podSetAssignments);
  return Object.values(first?.flavors ?? {})[0];
}

/** Returns the resource requests of the Pods that still need quota. */
function listRequests({ spec, status }: Workload): Amounts {
  return asArray(spec.podSets).reduce<Amounts>((sum, podSet) => {
    const own = getPodRequests((podSet.template.spec ?? { containers: [] }) as never);
    const count = countPods(podSet, status);
    const all = Object.entries(own).map(
      ([resource, amount]) => [resource, amount * count] as const,
    );
    return addAmounts(sum, Object.fromEntries(all));
  }, {});
}

function countPods({ name, count }: PodSet, status: Workload["status"]): number {
  const admitted = asArray(status?.reclaimablePods).find((one) => one.name === name)?.count ?? 0;
  return Math.max(0, count - admitted);
}

/** Returns the status of a Workload that gets quota of a flavor. */
export function createAdmittedStatus(
  { spec, status }: Workload,
  flavor: Flavor,
  now: EpochMillis,
): NonNullable<Workload["status"]> {
  const podSetAssignments = asArray(spec.podSets).map((podSet) => {
    const resources = Object.keys(
      getPodRequests((podSet.template.spec ?? { containers: [] }) as never),
    );
    const named = resources.length === 0 ? ["pods"] : resources;
    const flavors = Object.fromEntries(named.map((resource) => [resource, flavor.name]));
    return { name: podSet.name, flavors, count: countPods(podSet, status) };
  });
  const evicted = findCondition<Condition>(status?.conditions, "Evicted");
  const changes = [
    createConditionChange(
      "QuotaReserved",
      "True",
      "QuotaReserved",
      `Quota reserved in ClusterQueue ${CLUSTER_QUEUE}`,
    ),
    createConditionChange("Admitted", "True", "Admitted", "The workload is admitted"),
    ...(evicted?.status === "True"
      ? [
          createConditionChange(
            "Evicted",
            "False",
            "QuotaReserved",
            `Previously: ${evicted.message}`,
          ),
        ]
      : []),
  ];
  return {
    ...status,
    conditions: changes.reduce(
      (all, change) => withCondition(all, change, now),
      listConditions(status),
    ),
    admission: { clusterQueue: CLUSTER_QUEUE, podSetAssignments },
  };
}

/** Returns the status of an evicted Workload, once none of its Pods runs. */
export function createEvictedStatus(
  { status }: Workload,
  message: string,
  now: EpochMillis,
): NonNullable<Workload["status"]> {
  const change = createConditionChange("Evicted", "True", "Preempted", message);
  return { ...status, conditions: withCondition(listConditions(status), change, now) };
}

type ConditionChange = Pick<Condition, "type" | "status" | "reason" | "message">;

function createConditionChange(
  type: string,
  status: Condition["status"],
  reason: string,
  message: string,
): ConditionChange {
  return { type, status, reason, message };
}

function listConditions(status: Workload["status"]): Condition[] {
  return [...asArray(status?.conditions)];
}

function withCondition(
  conditions: readonly Condition[],
  change: ConditionChange,
  now: EpochMillis,
): Condition[] {
  const own = findCondition<Condition>(conditions, change.type);
  const isSame = own?.status === change.status;
  const lastTransitionTime = isSame ? own.lastTransitionTime : formatTime(now);
  const others = conditions.filter(({ type }) => type !== change.type);
  return [...others, { ...change, lastTransitionTime } as Condition];
}
