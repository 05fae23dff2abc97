import type { JobSet, ReplicatedJobStatus } from "@jobset-ts/api";
import { JOB_COMPLETION_INDEX_KEY, PRIORITY_KEY } from "@jobset-ts/api/keys";
import {
  findCondition,
  type Job,
  type KubernetesObject,
  type Node,
  type PersistentVolumeClaim,
  type Pod,
  type PodStatus,
  resolveGenerateName,
  type Service,
} from "@jobset-ts/api/kubernetes";
import { createContext } from "@jobset-ts/core";
import { desiredJobs, desiredService } from "@jobset-ts/core/desired";
import { aNode } from "../builders/a-node.ts";
import { controllerReference } from "../builders/object-steps.ts";
import { ago, readAt } from "./event-times.ts";
import type { FaultEvent, Reporter } from "./fault-events.ts";
import type { JobSetShape } from "./jobset-shape.ts";
import { createRunningStatus } from "./pod-states.ts";
import type { RandomChoices } from "./random-choices.ts";

/** A child Job with its Pods. They are healthy until a fault changes them. */
export interface JobPart {
  readonly name: string;
  /** The index of its ReplicatedJob, from 0. */
  readonly position: number;
  /** Its index among all Jobs of the JobSet. */
  readonly serial: number;
  /** The expected number of Pods. */
  readonly podCount: number;
  /** The value of the topology label on its nodes, with exclusive placement. */
  readonly domain: string;
  /** Undefined if the Job was not created or was deleted. */
  job: Job | undefined;
  pods: Pod[];
}

const context = createContext({ now: readAt });

/**
 * A JobSet in its cluster, under construction. At first, all its Pods are running. A fault then removes and changes
 * objects in place, because no other code has them yet.
 */
export class ClusterBuilder {
  readonly shape: JobSetShape;
  readonly dice: RandomChoices;
  jobSet: JobSet;
  readonly parts: JobPart[];
  service: Service | undefined;
  nodes: Node[];
  readonly claims: PersistentVolumeClaim[] = [];
  readonly events: FaultEvent[] = [];
  /** Other objects of the JobSet, such as Jobs of an earlier attempt. */
  readonly rest: KubernetesObject[] = [];
  readonly #prefix: string;
  /** Whether the controller could write the status recently. */
  isStatusWritten = true;

  /** @param prefix - of the names of its nodes */
  constructor(shape: JobSetShape, dice: RandomChoices, prefix = "") {
    this.shape = shape;
    this.dice = dice;
    this.jobSet = shape.jobSet;
    this.parts = splitParts(shape, prefix);
    this.nodes = nodesFor(this.parts, shape.topologyKey, prefix);
    this.#prefix = prefix;
    for (const part of this.parts) {
      part.pods = Array.from({ length: part.podCount }, (_, index) => this.podFor(part, index));
    }
    const service = desiredService(shape.jobSet);
    this.service = service === undefined ? undefined : ({ ...service } as Service);
  }

  get namespace(): string {
    return this.jobSet.metadata.namespace ?? "";
  }

  get name(): string {
    return this.jobSet.metadata.name ?? "";
  }

  /** Returns a running Pod of a Job in its domain. `at` counts the indexes that have not succeeded. */
  podFor({ job, domain, serial }: JobPart, at: number, generation = "x7"): Pod {
    const { topologyKey, doneCount } = this.shape;
    const index = at + doneCount;
    const { name = "", uid = "" } = job?.metadata ?? {};
    const { metadata, spec } = job?.spec.template ?? {};
    const isIndexed = job?.spec.completionMode === "Indexed";
    const indexes: Record<string, string> = isIndexed
      ? { [JOB_COMPLETION_INDEX_KEY]: `${index}` }
      : {};
    const follows = topologyKey !== undefined && index > 0;
    // Long names are truncated, and only this suffix distinguishes the Pods.
    const suffix = generation + (serial * 36 + index).toString(36).padStart(3, "0");
    const nodeName =
      topologyKey === undefined ? `${this.#prefix}n-${index % 3}` : `${domain}-${index % 2}`;
    return {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: resolveGenerateName(isIndexed ? `${name}-${index}-` : `${name}-`, suffix),
        namespace: this.namespace,
        uid: `${uid}-${index}-${suffix}`,
        creationTimestamp: ago(85),
        labels: {
          ...metadata?.labels,
          ...indexes,
          ...(topologyKey !== undefined && { [PRIORITY_KEY]: "0" }),
        },
        annotations: { ...metadata?.annotations, ...indexes },
        ownerReferences: job === undefined ? [] : [controllerReference(job)],
        finalizers: ["batch.kubernetes.io/job-tracking"],
      },
      spec: {
        ...spec,
        containers: spec?.containers ?? [],
        nodeName,
        ...(follows && { nodeSelector: { [topologyKey]: domain } }),
      },
      status: createRunningStatus(),
    };
  }

  /** Adds an Event about an object. */
  addEvents(
    about: FaultEvent["about"],
    reason: string,
    message: string,
    rest: Partial<FaultEvent> & { readonly by: Reporter },
  ): void {
    this.events.push({ about, reason, message, type: "Warning", seconds: 65, count: 1, ...rest });
  }

  /** Returns a random Job of the JobSet. */
  anyPart(): JobPart {
    const [first, ...others] = this.parts;
    if (first === undefined) throw new TypeError("a JobSet without Jobs");
    return this.dice.pickOne(first, ...others);
  }

  /** Returns the Jobs of a ReplicatedJob. */
  partsAt(position: number): readonly JobPart[] {
    return this.parts.filter((part) => part.position === position);
  }

  /**
   * Removes the Jobs that wait for a ReplicatedJob, unless the fault happened after all Jobs had
   * started.
   */
  holdBackBehind(position: number, { always = false } = {}): void {
    const { waits, doneCount } = this.shape;
    const hasStarted = doneCount > 0 || (!always && this.dice.isOneIn(3));
    if (waits === "none" || hasStarted) return;
    for (const part of this.parts) if (part.position > position) removeJob(part);
  }

  /** Returns all objects of the JobSet except Events, with the statuses that controllers write. */
  objects(): readonly KubernetesObject[] {
    const jobs = this.parts.flatMap(({ job, pods, podCount }) =>
      job === undefined
        ? []
        : [
            {
              ...job,
              status: { ...jobStatus(pods, podCount, this.shape.doneCount), ...job.status },
            },
          ],
    );
    const pods = this.parts.flatMap((part) => part.pods);
    const services = this.service === undefined ? [] : [this.service];
    const own = [this.#jobSetWithStatus(jobs), ...services, ...jobs, ...pods];
    return [...own, ...this.claims, ...this.rest, ...this.nodes];
  }

  #jobSetWithStatus(jobs: readonly Job[]): JobSet {
    const { status, ...rest } = this.jobSet;
    if (status === undefined || !this.isStatusWritten) return this.jobSet;
    const replicatedJobsStatus = (this.jobSet.spec.replicatedJobs ?? []).map(({ name }, at) => {
      const names = new Set(this.partsAt(at).map((part) => part.name));
      const own = jobs.filter(({ metadata }) => names.has(metadata.name ?? ""));
      return {
        ...status.replicatedJobsStatus?.find((one) => one.name === name),
        ...replicatedJobStatus(name, own),
      };
    });
    return { ...rest, status: { ...status, replicatedJobsStatus } };
  }
}

/** Removes a Job with its Pods. */
export function removeJob(part: JobPart): void {
  part.job = undefined;
  part.pods = [];
}

/** Removes a Pod from its node. */
export function takeOffNode(pod: Pod, status: PodStatus = { phase: "Pending" }): void {
  const { nodeName: _, ...spec } = pod.spec;
  pod.spec = { ...spec, containers: pod.spec.containers };
  pod.status = status;
}

function splitParts({ jobSet, doneCount }: JobSetShape, prefix: string): JobPart[] {
  const jobs = desiredJobs(jobSet, context);
  const parts: JobPart[] = [];
  const restarts = jobSet.status?.restarts ?? 0;
  for (const [position, replicatedJob] of (jobSet.spec.replicatedJobs ?? []).entries()) {
    for (let index = 0; index < (replicatedJob.replicas ?? 1); index++) {
      const created = jobs[parts.length];
      const name = created?.metadata.name ?? "";
      if (created === undefined) continue;
      const uid = `${jobSet.metadata.namespace}-${name}-uid-${restarts}`;
      const metadata = { ...created.metadata, uid, creationTimestamp: ago(88) };
      const job: Job = { ...created, metadata, spec: { ...created.spec, suspend: false } };
      const podCount = (replicatedJob.template.spec.completions ?? 1) - doneCount;
      const serial = parts.length;
      const domain = `${prefix}r${serial}`;
      parts.push({ name, position, serial, podCount, domain, job, pods: [] });
    }
  }
  return parts;
}

/** Creates two nodes in each Job's domain and in one free domain, and some nodes without a domain. */
function nodesFor(
  parts: readonly JobPart[],
  topologyKey: string | undefined,
  prefix: string,
): Node[] {
  const plain = ["n-0", "n-1", "n-2"].map((name) => readyNode(`${prefix}${name}`, {}));
  if (topologyKey === undefined) return plain;
  const domains = [...parts.map(({ domain }) => domain), `${prefix}free`];
  const inDomains = domains.flatMap((domain) =>
    [0, 1].map((at) => readyNode(`${domain}-${at}`, { [topologyKey]: domain })),
  );
  return [...inDomains, ...plain];
}

/** Returns a healthy node. */
export function readyNode(name: string, labels: Record<string, string>): Node {
  const condition = { type: "Ready", status: "True", reason: "KubeletReady" } as const;
  return { ...aNode(name).withLabels(labels), spec: {}, status: { conditions: [condition] } };
}

/** Returns the node after its kubelet has stopped reporting, or reports that the node is not ready. */
export function lostNode(node: Node, status: "Unknown" | "False" = "Unknown"): Node {
  const reason = status === "Unknown" ? "NodeStatusUnknown" : "KubeletNotReady";
  const message = "Kubelet stopped posting node status.";
  const taint = { key: "node.kubernetes.io/unreachable", effect: "NoExecute" } as const;
  return {
    ...node,
    spec: { ...node.spec, taints: [taint] },
    status: { conditions: [{ type: "Ready", status, reason, message }] },
  };
}

function jobStatus(pods: readonly Pod[], podCount: number, doneCount: number) {
  const isLeaving = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;
  const isIn = (phase: string) => (pod: Pod) => pod.status?.phase === phase;
  const active = pods.filter((pod) => {
    return !isLeaving(pod) && !isIn("Succeeded")(pod) && !isIn("Failed")(pod);
  });
  const isReady = ({ status }: Pod) =>
    findCondition(status?.conditions, "Ready")?.status === "True";
  const ended = pods.filter(isIn("Succeeded"));
  const succeeded = doneCount + ended.length;
  const failed = pods.filter(isIn("Failed")).length;
  return {
    startTime: ago(87),
    ready: active.filter(isReady).length,
    terminating: pods.filter(isLeaving).length,
    ...(active.length > 0 && { active: active.length }),
    ...(succeeded > 0 && {
      succeeded,
      completedIndexes: listIndexes(ended, doneCount),
    }),
    ...(failed > 0 && { failed }),
    uncountedTerminatedPods: {},
    ...(podCount > 0 && ended.length === podCount && { conditions: [completeCondition] }),
  };
}

const completeCondition = { type: "Complete", status: "True" } as const;

function listIndexes(pods: readonly Pod[], doneCount: number): string {
  const indexes = pods.map((pod) => pod.metadata.annotations?.[JOB_COMPLETION_INDEX_KEY] ?? "");
  return [...(doneCount > 0 ? [`0-${doneCount - 1}`] : []), ...indexes].join(",");
}

function replicatedJobStatus(name: string, jobs: readonly Job[]): ReplicatedJobStatus {
  const hasCondition = (type: string) => (job: Job) =>
    findCondition(job.status?.conditions, type)?.status === "True";
  const hasEnded = (job: Job) => hasCondition("Failed")(job) || hasCondition("Complete")(job);
  const isReady = ({ spec, status }: Job) =>
    (status?.ready ?? 0) + (status?.succeeded ?? 0) >= (spec.parallelism ?? 1);
  const goOn = jobs.filter((job) => !hasEnded(job));
  return {
    name,
    ready: goOn.filter((job) => job.spec.suspend !== true && isReady(job)).length,
    succeeded: jobs.filter(hasCondition("Complete")).length,
    failed: jobs.filter(hasCondition("Failed")).length,
    active: goOn.filter(({ status }) => (status?.active ?? 0) > 0).length,
    suspended: goOn.filter(({ spec }) => spec.suspend === true).length,
  };
}
