import { type EpochMillis, formatTime } from "@jobset-ts/api";
import { asArray, type Condition, findCondition } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { PodSet, Workload } from "@jobset-ts/kueue";
import { hasQuotaReserved, isWorkloadFinished } from "@jobset-ts/kueue/workload";
import {
  type Amounts,
  NOTHING,
  parseAmounts,
  podRequests,
  sumNumbers,
} from "../scheduler/amounts.ts";
import type { QueueConfig } from "./queueing.ts";

export const CLUSTER_QUEUE = "cluster-queue";

type Flavor = QueueConfig["flavors"][number];

/** The Workloads that wait for quota: by priority, then by age, then by name. */
export function waitingWorkloads(workloads: readonly Workload[]): readonly Workload[] {
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
        compareBytes(createdAt(one), createdAt(other)) ||
        compareBytes(one.metadata.name ?? "", other.metadata.name ?? ""),
    );
}

function createdAt({ metadata }: Workload): string {
  return metadata.creationTimestamp ?? "";
}

/** The first flavor of which a Workload may have all that it asks for, beside those that have quota already. */
export function flavorFor(
  workload: Workload,
  flavors: readonly Flavor[],
  others: readonly Workload[],
): Flavor | undefined {
  const asked = listRequests(workload);
  return flavors.find(({ name, quota }) => {
    const used = others
      .filter((other) => getFlavor(other) === name && !isWorkloadFinished(other))
      .map(listRequests)
      .reduce(sumNumbers, NOTHING);
    const most = parseAmounts(quota);
    return Object.entries(asked).every(
      ([resource, amount]) => amount + (used[resource] ?? 0) <= (most[resource] ?? 0),
    );
  });
}

/** The flavor that a Workload has quota of. */
export function getFlavor(workload: Workload): string | undefined {
  if (!hasQuotaReserved(workload)) return undefined;
  const [first] = asArray(workload.status?.admission?.podSetAssignments);
  return Object.values(first?.flavors ?? {})[0];
}

/** What the Pods of a Workload ask for that need quota still. */
function listRequests({ spec, status }: Workload): Amounts {
  return asArray(spec.podSets).reduce<Amounts>((sum, podSet) => {
    const own = podRequests((podSet.template.spec ?? { containers: [] }) as never);
    const count = countItems(podSet, status);
    const all = Object.entries(own).map(
      ([resource, amount]) => [resource, amount * count] as const,
    );
    return sumNumbers(sum, Object.fromEntries(all));
  }, {});
}

function countItems({ name, count }: PodSet, status: Workload["status"]): number {
  const given = asArray(status?.reclaimablePods).find((one) => one.name === name)?.count ?? 0;
  return Math.max(0, count - given);
}

/** The status of a Workload that gets quota of a flavor. */
export function admittedStatus(
  { spec, status }: Workload,
  flavor: Flavor,
  now: EpochMillis,
): NonNullable<Workload["status"]> {
  const podSetAssignments = asArray(spec.podSets).map((podSet) => {
    const resources = Object.keys(
      podRequests((podSet.template.spec ?? { containers: [] }) as never),
    );
    const named = resources.length === 0 ? ["pods"] : resources;
    const flavors = Object.fromEntries(named.map((resource) => [resource, flavor.name]));
    return { name: podSet.name, flavors, count: countItems(podSet, status) };
  });
  const evicted = findCondition<Condition>(status?.conditions, "Evicted");
  const changes = [
    told(
      "QuotaReserved",
      "True",
      "QuotaReserved",
      `Quota reserved in ClusterQueue ${CLUSTER_QUEUE}`,
    ),
    told("Admitted", "True", "Admitted", "The workload is admitted"),
    ...(evicted?.status === "True"
      ? [told("Evicted", "False", "QuotaReserved", `Previously: ${evicted.message}`)]
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

/** The status of a Workload whose quota is taken back once nothing of it runs. */
export function evictedStatus(
  { status }: Workload,
  message: string,
  now: EpochMillis,
): NonNullable<Workload["status"]> {
  const change = told("Evicted", "True", "Preempted", message);
  return { ...status, conditions: withCondition(listConditions(status), change, now) };
}

type Told = Pick<Condition, "type" | "status" | "reason" | "message">;

function told(type: string, status: Condition["status"], reason: string, message: string): Told {
  return { type, status, reason, message };
}

function listConditions(status: Workload["status"]): Condition[] {
  return [...asArray(status?.conditions)];
}

function withCondition(
  conditions: readonly Condition[],
  change: Told,
  now: EpochMillis,
): Condition[] {
  const own = findCondition<Condition>(conditions, change.type);
  const isSame = own?.status === change.status;
  const lastTransitionTime = isSame ? own.lastTransitionTime : formatTime(now);
  const others = conditions.filter(({ type }) => type !== change.type);
  return [...others, { ...change, lastTransitionTime } as Condition];
}
