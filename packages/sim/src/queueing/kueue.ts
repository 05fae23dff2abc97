import type { JobSet, Unvalidated } from "@jobset-ts/api";
import {
  getLabel,
  getNamespace,
  type KubernetesObject,
  namespacedName,
} from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import {
  type KueueCluster,
  type KueueConfig,
  type KueueEffect,
  reconcileKueue,
  resolveKueueFeatureGates,
  type Workload,
} from "@jobset-ts/kueue";
import { defaultOnCreate } from "@jobset-ts/kueue/webhooks";
import { isEvicted, isWorkloadFinished } from "@jobset-ts/kueue/workload";
import type { AdmissionStep } from "../api-server/admission-step.ts";
import type { RequestedObject, ServerReply } from "../api-server/api-request.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import { createRejection } from "../api-server/rejections.ts";
import { isWithin } from "../kernel/cluster.ts";
import { type Component, getChangedObject, type Process } from "../kernel/component.ts";
import type { QueueConfig } from "./queueing.ts";
import {
  createAdmittedStatus,
  createEvictedStatus,
  findFlavor,
  getFlavor,
  listWaitingWorkloads,
} from "./quota.ts";

/** By JobSet, the number of consecutive rejected passes. */
type RejectionCounts = PersistentMap<number>;
type KueueProcess = Process<RejectionCounts>;

/** How long Kueue takes to react to a change. */
const REACTION_MS = 10;
const INITIAL_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
const ADMIT = "admit";
const EVICT = "evict ";

const CONFIG: KueueConfig = { enabledFrameworks: ["jobset.x-k8s.io/jobset"] };
// Topology does not affect quota, and its gate would need a special scheduler.
const FEATURES = resolveKueueFeatureGates({ TopologyAwareScheduling: false });

/**
 * Creates Kueue: a controller with the decisions of @jobset-ts/kueue, and a scheduler that gives each Workload quota of
 * one flavor. In the configured time spans it evicts Workloads and admits them again afterwards. It reads the stored
 * objects without lag.
 */
export function kueue({ flavors, evictions }: QueueConfig): Component<RejectionCounts> {
  const openFlavors = (now: number) =>
    flavors.filter(
      ({ name }) =>
        !evictions.some((eviction) => eviction.flavor === name && isWithin(eviction, now)),
    );
  return {
    name: "kueue",
    memory: emptyMap(),
    watches: ["JobSet", "Workload"],
    observe: (change, process) => {
      const object = getChangedObject(change);
      if (object.kind === "JobSet") process.wake(namespacedName(object), REACTION_MS);
      else {
        const owner = object.metadata.ownerReferences?.[0]?.name ?? "";
        process.wake(`${getNamespace(object)}/${owner}`, REACTION_MS);
        process.wake(ADMIT, REACTION_MS);
      }
    },
    act: (key, process) => {
      if (key === KUEUE_START) {
        evictions.forEach(({ from, until }, at) => {
          process.wake(`${EVICT}${at}`, from);
          process.wake(`${ADMIT} ${at}`, Math.max(from, until));
        });
      } else if (key.startsWith(EVICT)) {
        const eviction = evictions[Number(key.slice(EVICT.length))];
        if (eviction !== undefined) evictWorkloads(process, eviction.flavor);
      } else if (key === ADMIT || key.startsWith(`${ADMIT} `))
        admitWorkloads(process, openFlavors(process.now));
      else reconcile(key, process, flavors);
    },
  };
}

/** The turn that starts Kueue. */
export const KUEUE_START = "start";

/** Kueue's defaulting webhook: it suspends a new JobSet that has a queue. */
export const kueueDefaults: AdmissionStep = {
  name: "mjobset.kueue.x-k8s.io",
  mutates: true,
  kinds: ["JobSet"],
  onUpdate: false,
  review: ({ object }) => {
    const cluster = createKueueCluster(getNamespace(object), []);
    const defaulted = defaultOnCreate(object as Unvalidated<JobSet>, cluster, CONFIG, FEATURES);
    if (defaulted.allowed) return { ok: true, object: defaulted.jobSet as unknown as Stored };
    const { code, reason, message } = defaulted.status;
    return createRejection(code, reason, message);
  },
};

function listWorkloads(objects: Objects, namespace?: string): readonly Workload[] {
  const all = objects.ofKind<Workload>("Workload");
  return namespace === undefined
    ? all
    : all.filter(({ metadata }) => metadata.namespace === namespace);
}

function createKueueCluster(namespace: string, workloads: readonly Workload[]): KueueCluster {
  return { namespaces: [{ metadata: { name: namespace } }], workloads };
}

/** The label of a JobSet with the name of its WorkloadPriorityClass. */
const PRIORITY_CLASS_KEY = "kueue.x-k8s.io/priority-class";

/** Returns the priority class that a JobSet names, which this Kueue assumes to exist, with the value 0. */
function listPriorityClasses(jobSet: JobSet | undefined): KueueCluster["workloadPriorityClasses"] {
  const name = jobSet === undefined ? undefined : getLabel(jobSet, PRIORITY_CLASS_KEY);
  return name === undefined ? [] : [{ metadata: { name }, value: 0 }];
}

/** Runs one pass of Kueue's controller. */
function reconcile(key: string, process: KueueProcess, flavors: QueueConfig["flavors"]): void {
  const [namespace = "", name = ""] = key.split("/");
  const jobSet = process.objects.get<JobSet>("JobSet", namespace, name);
  const cluster = {
    ...createKueueCluster(namespace, listWorkloads(process.objects, namespace)),
    resourceFlavors: flavors.map(({ name: flavor, nodeLabels }) => ({
      metadata: { name: flavor },
      spec: { nodeLabels },
    })),
    workloadPriorityClasses: listPriorityClasses(jobSet),
  };
  const request = { namespace, name, ...(jobSet !== undefined && { jobSet }) };
  // A restarting JobSet has fewer Pods to restore, and its quota must still be released.
  const context = { now: process.now, config: CONFIG, features: FEATURES, evictFirst: true };
  const pass = reconcileKueue(request, cluster, context);
  let isDone = pass.refusal === undefined || pass.refusal.isPermanent;
  for (const effect of pass.effects) {
    const reply = sendEffect(process, effect);
    if (reply.ok) continue;
    isDone = false;
    break;
  }
  if (jobSet !== undefined) {
    for (const event of pass.events)
      process.report({ about: jobSet as KubernetesObject, ...event });
  }
  const rejections = isDone ? 0 : (process.memory.get(key) ?? 0) + 1;
  if (isDone) process.memory = process.memory.delete(key);
  else {
    process.memory = process.memory.set(key, rejections);
    process.wake(key, Math.min(INITIAL_RETRY_MS * 2 ** (rejections - 1), MAX_RETRY_MS));
  }
}

/** An effect holds complete values for the members that it changes. All others keep their stored values. */
function sendEffect(process: KueueProcess, effect: KueueEffect): ServerReply {
  const { kind, namespace, name } = effect.target;
  if (effect.verb === "create") {
    return process.request({ verb: "create", object: effect.object as unknown as RequestedObject });
  }
  const stored = process.objects.get<Stored>(kind, namespace, name);
  const bare = { kind, metadata: { name, namespace } };
  if (effect.verb === "delete" || stored === undefined) {
    return process.request({ verb: "delete", object: bare, propagationPolicy: "Background" });
  }
  if (effect.verb === "patchStatus") {
    const object = { ...stored, status: effect.status };
    return process.request({ verb: "update", subresource: "status", object });
  }
  const { metadata, spec } = effect;
  const object = {
    ...stored,
    ...(spec !== undefined && { spec }),
    metadata: { ...stored.metadata, ...(metadata as Stored["metadata"] | undefined) },
  };
  return process.request({ verb: "update", object: object as RequestedObject });
}

/** Admits the waiting Workloads, one after the other. */
function admitWorkloads(process: KueueProcess, flavors: QueueConfig["flavors"]): void {
  for (const workload of listWaitingWorkloads(listWorkloads(process.objects))) {
    const others = listWorkloads(process.objects);
    const flavor = findFlavor(workload, flavors, others);
    if (flavor === undefined) continue;
    writeStatus(process, workload, createAdmittedStatus(workload, flavor, process.now));
  }
}

/** Evicts the Workloads of a flavor. */
function evictWorkloads(process: KueueProcess, flavor: string): void {
  for (const workload of listWorkloads(process.objects)) {
    const isOver = isEvicted(workload) || isWorkloadFinished(workload);
    if (getFlavor(workload) !== flavor || isOver) continue;
    const message = `Preempted because the flavor ${flavor} has no quota`;
    writeStatus(process, workload, createEvictedStatus(workload, message, process.now));
  }
}

function writeStatus(
  process: KueueProcess,
  workload: Workload,
  status: NonNullable<Workload["status"]>,
): void {
  const object = { ...workload, status } as unknown as RequestedObject;
  process.request({ verb: "update", subresource: "status", object });
}
