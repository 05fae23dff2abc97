import { annotationOf, type Job, keyOf, namespaceOf, type Pod } from "@jobset-ts/api/kubernetes";
import type { Advanced, Change } from "@jobset-ts/sim/kernel";
import { NAMESPACE, podStage, projectedJob, projectedPod, TraceNames } from "./projection.ts";
import type { Trace } from "./trace.ts";

/** A request to create a Pod, as a validating webhook saw it. */
export interface PodRequest {
  /** Milliseconds of virtual time. */
  readonly at: number;
  readonly index: number;
  readonly allowed: boolean;
}

/** What is seen of a cluster between two observations, written as in a trace. */
export class TraceWindow {
  readonly #names: TraceNames;
  readonly #isScheduling: boolean;
  /** The last version of each Job, as it was written. */
  readonly #jobs = new Map<string, string>();
  #jobPaths = new Map<string, unknown[]>();
  readonly #pods = new Map<string, PodHistory>();
  #events: ToldEvent[] = [];
  /** How often the scheduler tries in vain is chance: only a new text counts. */
  readonly #failedSchedulings = new Set<string>();
  #requests: PodRequest[] = [];

  constructor({ kind, nodesWithinRackByChance }: Trace) {
    this.#names = new TraceNames({ cutsNodes: nodesWithinRackByChance });
    this.#isScheduling = kind === "scheduler";
  }

  /** Begins a new window. */
  clear(): void {
    this.#jobPaths = new Map();
    this.#events = [];
    this.#requests = [];
    for (const history of this.#pods.values()) {
      history.stages = history.stages.slice(-1);
      history.isChanged = false;
    }
  }

  /** Takes in what happened in a turn. */
  add({ changes, events }: Advanced, requests: readonly PodRequest[]): void {
    for (const change of changes) this.#addChange(change);
    this.#requests.push(...requests);
    for (const { about, type, reason, message } of events) {
      if (about.kind !== "Job" && !this.#isScheduling) continue;
      if (namespaceOf(about) !== NAMESPACE) continue;
      const name = this.#names.text(about.metadata.name ?? "");
      const told = { type, reason, message: this.#names.text(message) };
      if (reason === "FailedScheduling") {
        const said = `${about.metadata.uid} ${told.message}`;
        if (this.#failedSchedulings.has(said)) continue;
        this.#failedSchedulings.add(said);
      }
      this.#events.push({ about: `${about.kind}/${name}`, ...told });
    }
  }

  #addChange({ before, after }: Change): void {
    const object = after ?? before;
    if (object === undefined || namespaceOf(object) !== NAMESPACE) return;
    if (object.kind === "Job") this.#addJob(keyOf(object), after as Job | undefined);
    if (object.kind === "Pod") this.#addPod(object as unknown as Pod, after === undefined);
  }

  #addJob(key: string, job: Job | undefined): void {
    const version = job === undefined ? "DELETED" : projectedJob(job, this.#names);
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
      [...paths].flatMap(([id, { isChanged, paths: told }]) =>
        isChanged ? [[id, told.toSorted()]] : [],
      ),
    );
  }

  events(): unknown {
    const counted = new Map<string, ToldEvent & { count: number }>();
    for (const event of this.#events) {
      const key = JSON.stringify(event);
      const own = counted.get(key) ?? { ...event, count: 0 };
      own.count += 1;
      counted.set(key, own);
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
    const own = (object: Job | Pod) => namespaceOf(object) === NAMESPACE;
    return {
      jobs: jobs.filter(own).map((job) => projectedJob(job, this.#names)),
      pods: pods.filter(own).map((pod) => projectedPod(pod, this.#names, this.#isScheduling)),
    };
  }
}

interface ToldEvent {
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

interface PodHistory {
  readonly id: string;
  /** Its stages in this window, behind the one that it was in before. */
  stages: string[];
  isChanged: boolean;
}

export function completionIndexOf(pod: Pod): number {
  return Number(annotationOf(pod, "batch.kubernetes.io/job-completion-index") ?? -1);
}
