import type { EpochMillis } from "@jobset-ts/api";
import {
  getAnnotation,
  getNamespace,
  getUid,
  type Job,
  type KubernetesObject,
  namespacedName,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { Change, StepResult } from "@jobset-ts/sim/kernel";
import type { SimulatedEvent } from "../../../sim/src/kernel/component.ts";
import { EventRecorderModel } from "./event-recorder-model.ts";
import { NAMESPACE, podStage, projectJob, projectPod, TraceNames } from "./projection.ts";
import type { Trace } from "./trace.ts";

/** A request to create a Pod, as a validating webhook received it. */
export interface PodRequest {
  /** Virtual time in milliseconds. */
  readonly at: number;
  readonly index: number;
  readonly allowed: boolean;
}

/** Collects the changes of a cluster between two observations, in the format of a trace. */
export class TraceWindow {
  readonly #names: TraceNames;
  readonly #isScheduling: boolean;
  /** The last written version of each Job. */
  readonly #jobs = new Map<string, string>();
  #jobPaths = new Map<string, unknown[]>();
  readonly #pods = new Map<string, PodHistory>();
  readonly #correlator = new EventRecorderModel();
  /** The Events of this window by key. */
  #events = new Map<string, SeenEvent>();
  /** The earlier counts of the Events. */
  readonly #counts = new Map<string, number>();
  /** The number of failed scheduling attempts is random, so only a new message counts. */
  readonly #failedSchedulings = new Set<string>();
  #requests: PodRequest[] = [];

  constructor({ kind, nodesWithinRackByChance }: Trace) {
    this.#names = new TraceNames({ cutsNodes: nodesWithinRackByChance });
    this.#isScheduling = kind === "scheduler";
  }

  /** Starts a new window. */
  clear(): void {
    this.#jobPaths = new Map();
    for (const [key, { count }] of this.#events) this.#counts.set(key, count);
    this.#events = new Map();
    this.#requests = [];
    for (const history of this.#pods.values()) {
      history.stages = history.stages.slice(-1);
      history.isChanged = false;
    }
  }

  /** Adds the changes of a turn. */
  add({ cluster, changes, events }: StepResult, requests: readonly PodRequest[]): void {
    for (const change of changes) this.#addChange(change);
    this.#requests.push(...requests);
    for (const event of events) {
      if (getNamespace(event.about) !== NAMESPACE) continue;
      if (event.about.kind === "Job") this.#addJobEvent(event, cluster.now);
      else if (this.#isScheduling) this.#addPodEvent(event);
    }
  }

  /** Adds an Event of the Job controller, as its recorder sends it. */
  #addJobEvent({ about, type, reason, message }: SimulatedEvent, now: EpochMillis): void {
    const stored = this.#correlator.record({ about: getUid(about), type, reason, message }, now);
    if (stored === undefined) return;
    const { key, count, message: combined } = stored;
    this.#events.set(key, { ...this.#getSeenEvent(about, type, reason, combined), count });
  }

  /** Adds an Event of the scheduler, whose recorder sends all Events. */
  #addPodEvent({ about, type, reason, message }: SimulatedEvent): void {
    const seen = this.#getSeenEvent(about, type, reason, message);
    if (reason === "FailedScheduling") {
      const text = `${getUid(about)} ${seen.message}`;
      if (this.#failedSchedulings.has(text)) return;
      this.#failedSchedulings.add(text);
    }
    const key = JSON.stringify(seen);
    const count = (this.#events.get(key)?.count ?? this.#counts.get(key) ?? 0) + 1;
    this.#events.set(key, { ...seen, count });
  }

  #getSeenEvent(about: KubernetesObject, type: string, reason: string, message: string) {
    const name = this.#names.text(about.metadata.name ?? "");
    return { about: `${about.kind}/${name}`, type, reason, message: this.#names.text(message) };
  }

  #addChange({ before, after }: Change): void {
    const object = after ?? before;
    if (object === undefined || getNamespace(object) !== NAMESPACE) return;
    if (object.kind === "Job") this.#addJob(namespacedName(object), after as Job | undefined);
    if (object.kind === "Pod") this.#addPod(object as unknown as Pod, after === undefined);
  }

  #addJob(key: string, job: Job | undefined): void {
    const version = job === undefined ? "DELETED" : projectJob(job, this.#names);
    const written = JSON.stringify(version);
    if (this.#jobs.get(key) === written) return;
    this.#jobs.set(key, written);
    const name = key.slice(NAMESPACE.length + 1);
    this.#jobPaths.set(name, [...(this.#jobPaths.get(name) ?? []), version]);
  }

  #addPod(pod: Pod, isGone: boolean): void {
    const id = this.#names.podId(pod);
    const uid = pod.metadata.uid ?? "";
    const history = this.#pods.get(uid) ?? { id, stages: [], isChanged: false };
    this.#pods.set(uid, history);
    const stage = isGone ? "gone" : podStage(pod);
    if (history.stages.at(-1) === stage) return;
    history.stages.push(stage);
    history.isChanged = true;
  }

  jobPath(): unknown {
    return Object.fromEntries(this.#jobPaths);
  }

  podPath(): unknown {
    const paths = new Map<string, { isChanged: boolean; paths: string[] }>();
    for (const { id, stages, isChanged } of this.#pods.values()) {
      const own = paths.get(id) ?? { isChanged: false, paths: [] };
      own.isChanged ||= isChanged;
      own.paths.push(stages.join(" > "));
      paths.set(id, own);
    }
    return Object.fromEntries(
      [...paths].flatMap(([id, { isChanged, paths: own }]) =>
        isChanged ? [[id, own.toSorted()]] : [],
      ),
    );
  }

  events(): unknown {
    const counted = new Map<string, SeenEvent>();
    for (const [key, { count, ...event }] of this.#events) {
      const row = JSON.stringify(event);
      const own = counted.get(row)?.count ?? 0;
      counted.set(row, { ...event, count: own + count - (this.#counts.get(key) ?? 0) });
    }
    return [...counted.values()].map(({ count, ...event }) =>
      event.reason === "FailedScheduling" ? event : { ...event, count },
    );
  }

  /** @param since - when the input came, in milliseconds of virtual time */
  admission(since: number): unknown {
    const bySecond = new Map<number, { index: number; allowed: boolean }[]>();
    for (const { at, index, allowed } of this.#requests) {
      const after = Math.round((at - since) / 1000);
      bySecond.set(after, [...(bySecond.get(after) ?? []), { index, allowed }]);
    }
    return [...bySecond].map(([after, requests]) => ({
      after,
      requests: requests.toSorted((one, other) => one.index - other.index),
    }));
  }

  state(jobs: readonly Job[], pods: readonly Pod[]): unknown {
    const own = (object: Job | Pod) => getNamespace(object) === NAMESPACE;
    return {
      jobs: jobs.filter(own).map((job) => projectJob(job, this.#names)),
      pods: pods.filter(own).map((pod) => projectPod(pod, this.#names, this.#isScheduling)),
    };
  }
}

interface SeenEvent {
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** The number of occurrences since the start. */
  readonly count: number;
}

interface PodHistory {
  readonly id: string;
  /** The stages in this window, preceded by the last stage before it. */
  stages: string[];
  isChanged: boolean;
}

export function getCompletionIndex(pod: Pod): number {
  return Number(getAnnotation(pod, "batch.kubernetes.io/job-completion-index") ?? -1);
}
