import type { Unvalidated } from "@jobset-ts/api";
import { asString, findCondition, getName, getNamespace } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import {
  absenceEvidence,
  conditionEvidence,
  createKey,
  fieldEvidence,
  sinceTime,
} from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import { QUEUE_NAME_KEY } from "../../view/queue-name.ts";
import { findTopOwner } from "../owners/owner-chain.ts";
import type { HeldJobSet, Hold } from "./hold.ts";
import { readCondition } from "./hold.ts";
import { explainInactive } from "./inactive-queues.ts";
import {
  type ClusterQueue,
  createKueueKey,
  findKueueObject,
  KUEUE_GROUP,
  type LocalQueue,
} from "./kueue-objects.ts";

/** The LocalQueue and the ClusterQueue of a Workload. */
export interface Queues {
  readonly queueName: string;
  readonly localQueue: Unvalidated<LocalQueue> | undefined;
  /** Empty if it is unknown. */
  readonly clusterQueueName: string;
  readonly clusterQueue: Unvalidated<ClusterQueue> | undefined;
}

const clusterQueueInMessage = /ClusterQueue (\S+) (?:is inactive|not found|doesn't exist)/;

/** Returns the queues of a Workload, as far as they were read. */
export function findQueues({ view, workload }: HeldJobSet): Queues {
  const queueName = asString(workload.spec?.queueName);
  const localQueue = findKueueObject<LocalQueue>(view, "LocalQueue", view.namespace, queueName);
  const { message } = readCondition({ workload }, "QuotaReserved");
  const clusterQueueName =
    asString(workload.status?.admission?.clusterQueue) ||
    asString(localQueue?.spec?.clusterQueue) ||
    (clusterQueueInMessage.exec(message)?.[1] ?? "");
  const clusterQueue = findKueueObject<ClusterQueue>(view, "ClusterQueue", "", clusterQueueName);
  return { queueName, localQueue, clusterQueueName, clusterQueue };
}

const missingLocalQueue = /^LocalQueue .*doesn't exist/;

/** Returns the hold of a Workload whose LocalQueue does not exist. */
export function findMissingLocalQueue(held: HeldJobSet, queues: Queues): Hold | undefined {
  const { view, key, title } = held;
  const { queueName, localQueue } = queues;
  const reserved = readCondition(held, "QuotaReserved");
  const all = view.facts.objects<LocalQueue>("LocalQueue", KUEUE_GROUP);
  const isReported = missingLocalQueue.test(reserved.message);
  // A dump with Workloads may lack the queues, so absence counts only if other queues are in the
  // dump.
  const isAbsent = !reserved.isFound && all.length > 0;
  if (localQueue !== undefined || !(isReported || isAbsent)) return undefined;
  const { kind, name } = findTopOwner(view);
  const age = ageOf(
    view,
    reserved.time ?? held.workload.metadata?.creationTimestamp,
    view.thresholds.queueSeconds,
    "Waiting",
  );
  const label = (queue: string) =>
    `kubectl label ${kind.toLowerCase()} ${name} -n ${view.namespace} ${QUEUE_NAME_KEY}=${queue} --overwrite`;
  if (queueName === "") {
    const evidence = [
      absenceEvidence(key, "the Workload does not name a LocalQueue", "spec.queueName"),
    ];
    const message = `${title} does not name a LocalQueue`;
    return {
      id: "local-queue-missing",
      message,
      evidence,
      ...age,
      advice: [`name a LocalQueue: ${label("QUEUE")}`],
    };
  }
  const local = all.filter((one) => getNamespace(one) === view.namespace).map(getName);
  const elsewhere = all.filter((one) => getName(one) === queueName).map(getNamespace);
  const known = [
    local.length > 0 ? `the namespace has ${local.sort(compareBytes).slice(0, 5).join(", ")}` : "",
    elsewhere.length > 0
      ? `a LocalQueue of this name is in namespace ${elsewhere.sort(compareBytes).slice(0, 5).join(", ")}`
      : "",
  ].filter((text) => text !== "");
  const object = createKueueKey("LocalQueue", view.namespace, queueName);
  return {
    id: "local-queue-missing",
    message: [
      `LocalQueue ${queueName} does not exist in namespace ${view.namespace}`,
      ...known,
    ].join("; "),
    objects: [object],
    evidence: [absenceEvidence(object, reserved.message || "no such LocalQueue exists")],
    ...age,
    advice: [
      `use another LocalQueue: ${label(local.length === 1 ? (local[0] ?? "QUEUE") : "QUEUE")}`,
      `or ask the administrator to create LocalQueue ${queueName} in namespace ${view.namespace}`,
    ],
  };
}

/** Returns the hold of a Workload whose LocalQueue or ClusterQueue is stopped, inactive or missing. */
export function findInactiveQueue(held: HeldJobSet, queues: Queues): Hold | undefined {
  return findStoppedLocalQueue(held, queues) ?? findInactiveClusterQueue(held, queues);
}

function isStopped(stopPolicy: string | undefined): boolean {
  return stopPolicy === "Hold" || stopPolicy === "HoldAndDrain";
}

function findStoppedLocalQueue({ view }: HeldJobSet, { localQueue }: Queues): Hold | undefined {
  const stopPolicy = asString(localQueue?.spec?.stopPolicy);
  if (localQueue === undefined || !isStopped(stopPolicy)) return undefined;
  const object = createKey("LocalQueue", localQueue);
  const active = findCondition(localQueue.status?.conditions, "Active");
  const name = getName(localQueue);
  return {
    id: "queue-inactive",
    message: `LocalQueue ${name} is stopped (stopPolicy: ${stopPolicy})`,
    objects: [object],
    evidence: [fieldEvidence(object, "spec.stopPolicy", stopPolicy)],
    status: "Waiting",
    ...sinceTime(active?.status === "False" ? active.lastTransitionTime : undefined),
    advice: [
      `ask the owner of the queue to start it: kubectl patch localqueue ${name} -n ${view.namespace} --type merge -p '{"spec":{"stopPolicy":"None"}}'`,
    ],
  };
}

function findInactiveClusterQueue(held: HeldJobSet, queues: Queues): Hold | undefined {
  const { view } = held;
  const { clusterQueue, clusterQueueName, localQueue } = queues;
  const { queueSeconds } = view.thresholds;
  if (clusterQueue === undefined) return findMissingClusterQueue(held, queues);
  const stopPolicy = asString(clusterQueue.spec?.stopPolicy);
  const active = findCondition(clusterQueue.status?.conditions, "Active");
  if (!isStopped(stopPolicy) && active?.status !== "False") return undefined;
  const object = createKey("ClusterQueue", clusterQueue);
  const [reason, text] = [asString(active?.reason), asString(active?.message)];
  const stopped = isStopped(stopPolicy);
  const deeper = stopped ? undefined : explainInactive(view, clusterQueue);
  const message = stopped
    ? `ClusterQueue ${clusterQueueName} is stopped (stopPolicy: ${stopPolicy})`
    : [
        `ClusterQueue ${clusterQueueName} is inactive (${reason}): ${text}`,
        ...(deeper?.texts ?? []),
      ].join("; ");
  const age = ageOf(view, active?.lastTransitionTime, queueSeconds, "Waiting");
  return {
    id: "queue-inactive",
    message,
    objects: [
      ...(deeper?.objects ?? []),
      object,
      ...(localQueue === undefined ? [] : [createKey("LocalQueue", localQueue)]),
    ],
    evidence: [
      ...(deeper?.evidence ?? []),
      conditionEvidence(object, "Active", `${reason}: ${text}`),
      ...(stopped ? [fieldEvidence(object, "spec.stopPolicy", stopPolicy)] : []),
    ],
    ...(stopped ? { ...age, status: "Waiting" as const } : age),
    advice: stopped
      ? [
          `ask the administrator to start it: kubectl patch clusterqueue ${clusterQueueName} --type merge -p '{"spec":{"stopPolicy":"None"}}'`,
        ]
      : [
          ...(deeper?.advice ?? []),
          `ask the administrator of the ClusterQueue: kubectl describe clusterqueue ${clusterQueueName}`,
        ],
  };
}

function findMissingClusterQueue(held: HeldJobSet, queues: Queues): Hold | undefined {
  const { view } = held;
  const { clusterQueueName, localQueue } = queues;
  const active = findCondition(localQueue?.status?.conditions, "Active");
  const reserved = readCondition(held, "QuotaReserved");
  const isLocalInactive = active?.status === "False";
  const said = clusterQueueInMessage.test(reserved.message)
    ? reserved.message
    : isLocalInactive
      ? asString(active?.message)
      : /^LocalQueue .*is inactive/.test(reserved.message)
        ? reserved.message
        : "";
  if (said === "" && !isLocalInactive) return undefined;
  const name = clusterQueueName === "" ? "of the LocalQueue" : clusterQueueName;
  const isMissing =
    active?.reason === "ClusterQueueDoesNotExist" || /doesn't exist|not found/.test(said);
  const object = createKueueKey("ClusterQueue", "", clusterQueueName);
  const local = localQueue === undefined ? undefined : createKey("LocalQueue", localQueue);
  const at = isLocalInactive ? active.lastTransitionTime : reserved.time;
  return {
    id: "queue-inactive",
    message: `ClusterQueue ${name} ${isMissing ? "does not exist" : "is inactive"}: ${said}`,
    objects: [
      ...(clusterQueueName === "" ? [] : [object]),
      ...(local === undefined ? [] : [local]),
    ],
    evidence:
      local !== undefined && isLocalInactive ? [conditionEvidence(local, "Active", said)] : [],
    ...ageOf(
      view,
      at,
      isMissing ? view.thresholds.queueSeconds : Number.POSITIVE_INFINITY,
      "Waiting",
    ),
    advice: isMissing
      ? [
          `ask the administrator to create ClusterQueue ${name}, or use a LocalQueue of another ClusterQueue: kubectl get localqueues -n ${view.namespace}`,
        ]
      : [
          `ask the administrator of the ClusterQueue: kubectl describe clusterqueue ${clusterQueueName}`.trimEnd(),
        ],
  };
}
