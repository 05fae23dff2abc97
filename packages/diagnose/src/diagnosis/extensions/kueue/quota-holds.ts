import type { Unvalidated } from "@jobset-ts/api";
import { asRecord, asString, getName, getNamespace } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { Evidence } from "@jobset-ts/checks";
import { createKey, fieldEvidence, sinceTime } from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import { findLatest } from "../../view/events.ts";
import { findTopOwner } from "../owners/owner-chain.ts";
import { type HeldJobSet, type Hold, readCondition } from "./hold.ts";
import { type ClusterQueue, listMembers, listNames } from "./kueue-objects.ts";
import type { Queues } from "./queue-holds.ts";
import { findAhead } from "./queue-order.ts";

/** Returns the hold of a Workload without quota. */
export function findMissingQuota(held: HeldJobSet, queues: Queues): Hold | undefined {
  const { view, workload, title } = held;
  const reserved = readCondition(held, "QuotaReserved");
  if (reserved.isTrue) return undefined;
  const event = findLatest(
    view.facts
      .eventsAbout(workload, "Workload")
      .filter(({ reason }) => reason === "Pending" || reason === "Inadmissible"),
  );
  const said = reserved.message || (event?.message ?? "");
  const { clusterQueueName } = queues;
  const where = clusterQueueName === "" ? "" : ` in ClusterQueue ${clusterQueueName}`;
  const message =
    said === "" ? describeUntried(held, queues) : `${title} has no quota${where}: ${said}`;
  const refusal = classify(said, reserved.reason);
  const since = reserved.time ?? workload.metadata?.creationTimestamp;
  return {
    id: "quota-not-reserved",
    message,
    objects:
      queues.clusterQueue === undefined ? [] : [createKey("ClusterQueue", queues.clusterQueue)],
    evidence: listQuotaEvidence(said, queues.clusterQueue),
    ...(refusal.isLasting
      ? ageOf(view, since, view.thresholds.queueSeconds, "Waiting")
      : { status: "Waiting" as const, ...sinceTime(since) }),
    advice: refusal.advise(held, queues),
  };
}

function describeUntried(held: HeldJobSet, { clusterQueueName, clusterQueue }: Queues) {
  const { title } = held;
  if (clusterQueueName === "") return `${title} waits in its queue: Kueue has not reported on it`;
  const strategy = asString(clusterQueue?.spec?.queueingStrategy);
  const order = strategy === "" ? "" : ` (${strategy})`;
  const ahead = strategy === "StrictFIFO" ? findAhead(held, clusterQueueName) : undefined;
  const why =
    ahead === undefined
      ? "Kueue has not tried it yet"
      : `behind Workload ${getName(ahead)} in namespace ${getNamespace(ahead)}, which Kueue has to admit first`;
  return `${title} waits in ClusterQueue ${clusterQueueName}${order}: ${why}`;
}

interface Refusal {
  readonly pattern: RegExp;
  /** Whether only a change of the Workload, the queue or the namespace helps. */
  readonly isLasting: boolean;
  readonly advise: (held: HeldJobSet, queues: Queues) => readonly string[];
}

const describeQueue = ({ clusterQueueName }: Queues) =>
  clusterQueueName === ""
    ? "kubectl get clusterqueues"
    : `kubectl describe clusterqueue ${clusterQueueName}`;

const waitForPreemption: Refusal = {
  pattern: /preempt/i,
  isLasting: false,
  advise: ({ view, workload }) => [
    `wait until the preempted Workloads have stopped: kubectl describe workload ${getName(workload)} -n ${view.namespace}`,
  ],
};

/** The messages of Kueue's scheduler, the most specific first. */
const refusals: readonly Refusal[] = [
  {
    pattern: /namespace doesn't match/i,
    isLasting: true,
    advise: ({ view }, queues) => [
      `use a LocalQueue of a ClusterQueue that selects namespace ${view.namespace}, or ask the administrator to change \`namespaceSelector\` or the labels of the namespace: ${describeQueue(queues)}`,
    ],
  },
  {
    pattern: /unavailable in ClusterQueue|does not provide resource/,
    isLasting: true,
    advise: (_, queues) => [
      `ask the administrator to add the resource to \`resourceGroups\` of the ClusterQueue, or to exclude it in Kueue's configuration (\`excludeResourcePrefixes\`): ${describeQueue(queues)}`,
    ],
  },
  {
    pattern: /> maximum capacity|ExceedsMaxQuota|exceeds the maximum/,
    isLasting: true,
    advise: ({ view }, queues) => [
      `waiting does not help: recreate ${describeOwner(view)} with a smaller request, use another queue, or ask the administrator for more quota: ${describeQueue(queues)}`,
    ],
  },
  {
    pattern: /resources validation failed|LimitRange/,
    isLasting: true,
    advise: ({ view }) => [
      `recreate ${describeOwner(view)} with requests that are valid: kubectl get limitrange -n ${view.namespace}`,
    ],
  },
  {
    pattern: /topology|TopologyAwareScheduling/i,
    isLasting: false,
    advise: ({ view }, queues) => [
      `wait until a domain of the topology has enough room, or recreate ${describeOwner(view)} with fewer Pods or a wider topology level: kubectl get topologies,resourceflavors`,
      `compare with the nodes and the quota: ${describeQueue(queues)}`,
    ],
  },
  {
    pattern: /untolerated taint|node affinity|doesn't match|flavor \S+ not found/,
    isLasting: false,
    advise: ({ view }, queues) => [
      `compare the ResourceFlavors of the queue with the tolerations and node selectors of the Pods, and recreate ${describeOwner(view)} if those are wrong: ${describeQueue(queues)}`,
    ],
  },
  {
    pattern: /PodsReady/,
    isLasting: false,
    advise: ({ view }) => [
      `Kueue waits until the Pods of admitted Workloads are ready; find the one that is not: kubectl get workloads -n ${view.namespace}`,
    ],
  },
  waitForPreemption,
];

const waitForQuota: Refusal = {
  pattern: /^/,
  isLasting: false,
  advise: (_, queues) => [
    `wait until other Workloads free the quota, or ask the administrator of the ClusterQueue for more: ${describeQueue(queues)}`,
  ],
};

function classify(message: string, reason: string): Refusal {
  if (/pending the preemption/i.test(message)) return waitForPreemption;
  // A message lists each flavor. If one of them only lacks unused quota, waiting helps.
  if (/insufficient unused quota/.test(message) && !/topology/i.test(message)) return waitForQuota;
  return refusals.find(({ pattern }) => pattern.test(`${reason} ${message}`)) ?? waitForQuota;
}

function describeOwner(view: HeldJobSet["view"]): string {
  const { kind, name } = findTopOwner(view);
  return `${kind} ${name}`;
}

/** Returns the settings of the ClusterQueue for the resources and namespaces in Kueue's message. */
function listQuotaEvidence(
  message: string,
  clusterQueue: Unvalidated<ClusterQueue> | undefined,
): readonly Evidence[] {
  if (clusterQueue === undefined) return [];
  const object = createKey("ClusterQueue", clusterQueue);
  const { spec } = clusterQueue;
  if (/namespace doesn't match/i.test(message)) {
    const labels = Object.entries(asRecord(spec?.namespaceSelector?.matchLabels))
      .filter(([, value]) => typeof value === "string")
      .map(([key, value]) => `${key}=${value}`);
    return [
      fieldEvidence(
        object,
        "spec.namespaceSelector",
        labels.join(",") || "selects other namespaces",
      ),
    ];
  }
  const covered = listMembers(spec?.resourceGroups).flatMap(({ coveredResources }) =>
    listNames(coveredResources),
  );
  if (/unavailable in ClusterQueue/.test(message)) {
    return [
      fieldEvidence(object, "spec.resourceGroups", `covers ${covered.join(", ") || "nothing"}`),
    ];
  }
  return listUsage(clusterQueue)
    .filter(({ resource, flavor }) => message.includes(resource) && message.includes(flavor))
    .map(({ flavor, resource, total, nominal }) =>
      fieldEvidence(
        object,
        `status.flavorsReservation[${flavor}]`,
        `${total} of ${nominal} ${resource} are reserved`,
      ),
    )
    .slice(0, 4);
}

/** Returns the reserved and the nominal quota of each flavor and resource. */
function listUsage({ spec, status }: Unvalidated<ClusterQueue>) {
  const reserved = listMembers(status?.flavorsReservation);
  return listMembers(spec?.resourceGroups)
    .flatMap(({ flavors }) => listMembers(flavors))
    .flatMap((flavor) =>
      listMembers(flavor.resources).map((resource) => {
        const used = listMembers(reserved.find(({ name }) => name === flavor.name)?.resources);
        return {
          flavor: asString(flavor.name),
          resource: asString(resource.name),
          nominal: formatQuantity(resource.nominalQuota),
          total: formatQuantity(used.find(({ name }) => name === resource.name)?.total),
        };
      }),
    )
    .sort(
      (one, other) =>
        compareBytes(one.flavor, other.flavor) || compareBytes(one.resource, other.resource),
    );
}

function formatQuantity(quantity: string | number | undefined): string {
  if (typeof quantity === "string") return quantity;
  return Number.isSafeInteger(quantity) ? JSON.stringify(quantity) : "?";
}
