import type { Instant } from "@jobset-ts/api";
import { isObject, type Job, labelOf, nameOf, type Pod } from "@jobset-ts/api/kubernetes";
import {
  type AdmissionStep,
  type Advanced,
  type ApiReply,
  type ApiRequest,
  advanceTo,
  builtInAdmission,
  type Cluster,
  type Component,
  intervene,
  newCluster,
  type Process,
  type World,
} from "@jobset-ts/sim";
import { builtInControllers } from "./built-in-controllers.ts";
import { NAMESPACE, OTHER_NAMESPACE } from "./projection.ts";
import {
  endPod,
  KILLED,
  type KubeletModes,
  killPod,
  runPod,
  scriptedKubelet,
  setPodCondition,
  setRestarts,
} from "./scripted-kubelet.ts";
import type { Trace, TraceLine } from "./trace.ts";
import { completionIndexOf, type PodRequest, TraceWindow } from "./trace-window.ts";

const SET_UP_MILLIS = 1000;

/** What was played of a trace's line: what was seen, or what the API server answered. */
export type Played = { readonly seen: unknown } | { readonly replies: readonly ApiReply[] };

/** What a trace leaves open of its times, as it writes them in whole seconds. */
export interface TraceTiming {
  /** How far into a second it began. */
  readonly beginsAtMillis: number;
  /** By how much what was seen at a step was seen after its time, or before it. */
  readonly lateMillis: ReadonlyMap<number, number>;
}

/** A cluster in which the inputs of a trace are played. */
export class TracePlay {
  readonly #world: World;
  /** When the first input comes that is no set-up; the set-up has settled by then. */
  #start: Instant;
  #isSetUp = false;
  readonly #window: TraceWindow;
  /** Requests that the webhook was asked about in the turn that is running. */
  #asked: { index: number; allowed: boolean }[] = [];
  #denial: Denial | undefined;
  #cluster: Cluster;
  /** When the last input came that was no `wait`. */
  #since: Instant;

  readonly #timing: TraceTiming;

  constructor(trace: Trace, timing: TraceTiming) {
    this.#timing = timing;
    this.#world = {
      seed: 1,
      components: [...builtInControllers(), scriptedKubelet as Component],
      admission: [...builtInAdmission, this.#denialStep()],
    };
    const cluster = newCluster(this.#world);
    this.#start = cluster.now + timing.beginsAtMillis;
    this.#cluster = { ...cluster, now: this.#start };
    this.#since = this.#start;
    this.#window = new TraceWindow(trace);
    if (trace.kind === "job") this.#createBigNodes();
  }

  /** Lets the cluster run until a line's time, and does or tells what the line says. */
  play(line: TraceLine): Played {
    if (line.step > 0 && !this.#isSetUp) {
      this.#runTo(this.#cluster.now + SET_UP_MILLIS);
      this.#window.clear();
      [this.#isSetUp, this.#start] = [true, this.#cluster.now];
    }
    this.#runTo(this.#start + this.#millisOf(line));
    if (line.actor === "observed") return { seen: this.#seen(line.op) };
    this.#window.clear();
    if (line.op !== "wait") this.#since = this.#cluster.now;
    if (line.op === "denyPods") this.#denial = line.object as unknown as Denial;
    else if (line.op === "allowPods") this.#denial = undefined;
    else if (line.op !== "wait") return { replies: this.#input(line) };
    return { replies: [] };
  }

  /** When a line comes; no input comes before what was seen before it. */
  #millisOf({ actor, at, step }: TraceLine): number {
    const { lateMillis } = this.#timing;
    if (actor === "observed") return at * 1000 + (lateMillis.get(step) ?? 0);
    const earliest = at * 1000 + Math.min(0, lateMillis.get(step - 1) ?? 0);
    return Math.max(this.#cluster.now - this.#start, earliest);
  }

  #input({ actor, op, object }: TraceLine): readonly ApiReply[] {
    const input = actor === "user" ? userInputs[op] : kubeletInputs[op];
    if (input === undefined) throw new Error(`no input is called ${op}`);
    let replies: readonly ApiReply[] = [];
    const turn = intervene(this.#world, this.#cluster, actor, (process) => {
      replies = input(object, process) ?? [];
    });
    this.#hear(turn);
    return replies;
  }

  #seen(op: string): unknown {
    const { objects } = this.#cluster;
    switch (op) {
      case "jobPath":
        return this.#window.jobPath();
      case "podPath":
        return this.#window.podPath();
      case "state":
        return this.#window.state(objects.ofKind<Job>("Job"), objects.ofKind<Pod>("Pod"));
      case "events":
        return this.#window.events();
      case "admission":
        return this.#window.admission(this.#since);
      default:
        throw new Error(`no observation is called ${op}`);
    }
  }

  /** What is due at the very instant comes later: nothing real is without delay. */
  #runTo(until: Instant): void {
    const before = advanceTo(this.#world, this.#cluster, until - 1, (turn) => this.#hear(turn));
    this.#cluster = { ...before, now: until };
  }

  #hear(turn: Advanced): void {
    this.#cluster = turn.cluster;
    const requests = this.#asked.map((asked): PodRequest => ({ at: turn.cluster.now, ...asked }));
    this.#asked = [];
    this.#window.add(turn, requests);
  }

  /** The webhook that can refuse Pods. */
  #denialStep(): AdmissionStep {
    return {
      name: "vpod.kb.io",
      mutates: false,
      kinds: ["Pod"],
      onUpdate: false,
      review: ({ object }) => {
        const denial = this.#denial;
        const index = completionIndexOf(object as unknown as Pod);
        const allowed = denial === undefined || denial.except.includes(index);
        this.#asked.push({ index, allowed });
        if (allowed) return { ok: true, object };
        const message = `admission webhook "vpod.kb.io" denied the request: ${denial.message}`;
        return { ok: false, code: 403, reason: "Forbidden", message };
      },
    };
  }

  #createBigNodes(): void {
    this.#hear(
      intervene(this.#world, this.#cluster, "user", (process) => {
        for (let at = 0; at < 4; at++) {
          createNode(process, { name: `big${at}`, allocatable: { cpu: "999", pods: "5000" } });
        }
      }),
    );
  }
}

interface Denial {
  /** The completion indexes whose Pods are let in. */
  readonly except: readonly number[];
  readonly message: string;
}

type Input = (
  object: TraceLine["object"],
  process: Process<unknown>,
) => readonly ApiReply[] | undefined;

const userInputs: Readonly<Record<string, Input>> = {
  createNode: (object, process) => createNode(process, object.node ?? object),
  patchNode: ({ name, patch }, { request }) => {
    const node = { ...membersOf(patch), ...named("Node", name, "", membersOf(patch).metadata) };
    return [request({ verb: "patch", object: node })];
  },
  deleteNode: ({ name }, { request }) => [
    request({ verb: "delete", object: named("Node", name, "") }),
  ],
  createPriorityClass: ({ name, value, extra }, { request }) => {
    const object = { ...named("PriorityClass", name, ""), value, ...membersOf(extra) };
    return [request({ verb: "create", object })];
  },
  createJob: ({ name, spec, pod, meta }, { request }) => {
    const template = podTemplate(membersOf(pod));
    const job = { ...named("Job", name, NAMESPACE, meta), spec: { ...membersOf(spec), template } };
    return [request({ verb: "create", object: job })];
  },
  patchJob: ({ name, patch }, { request }) => [
    request({ verb: "patch", object: patchOf("Job", name, patch) }),
  ],
  patchJobStatus: ({ name, patch }, { request }) => [
    request({ verb: "patch", object: patchOf("Job", name, patch), subresource: "status" }),
  ],
  deleteJob: ({ name, policy }, { request }) => [
    request({
      verb: "delete",
      object: named("Job", name, NAMESPACE),
      ...(policy !== undefined && { propagationPolicy: policy as "Foreground" }),
    }),
  ],
  createPod: ({ manifest, otherNamespace }, { request }) => {
    const { metadata, ...members } = membersOf(manifest);
    const namespace = otherNamespace === true ? OTHER_NAMESPACE : NAMESPACE;
    const pod = { ...members, ...named("Pod", membersOf(metadata).name, namespace, metadata) };
    return [request({ verb: "create", object: pod })];
  },
  patchPod: ({ select, patch }, process) =>
    selected(process, select).map((pod) =>
      process.request({ verb: "patch", object: patchOf("Pod", nameOf(pod), patch) }),
    ),
  deletePod: ({ select, grace }, process) =>
    selected(process, select).map((pod) =>
      process.request({
        verb: "delete",
        object: named("Pod", nameOf(pod), NAMESPACE),
        ...(typeof grace === "number" && { gracePeriodSeconds: grace }),
      }),
    ),
};

const kubeletInputs: Readonly<Record<string, Input>> = {
  mode: (modes, process) => {
    process.memory = modes as unknown as KubeletModes;
  },
  run: ({ select, ready }, process) => {
    for (const pod of selected(process, select)) runPod(process, pod, ready !== false);
  },
  exit: ({ select, code }, process) => {
    for (const pod of selected(process, select)) endPod(process, pod, Number(code));
  },
  kill: ({ select, code }, process) => {
    const terminating = { ...membersOf(select), which: "terminating" };
    for (const pod of selected(process, terminating)) killPod(process, pod, Number(code ?? KILLED));
  },
  condition: ({ select, condition }, process) => {
    for (const pod of selected(process, select)) {
      setPodCondition(process, pod, condition as Parameters<typeof setPodCondition>[2]);
    }
  },
  restarts: ({ select, restarts }, process) => {
    for (const pod of selected(process, select)) setRestarts(process, pod, Number(restarts));
  },
};

/** The Pods that an input is about: those that are active, or those that are being deleted. */
function selected(process: Process<unknown>, select: unknown): readonly Pod[] {
  const { job, index, count, all, pod: name, which } = membersOf(select);
  const pods = process.objects.ofKind<Pod>("Pod").filter((pod) => {
    if (pod.metadata.namespace !== NAMESPACE) return false;
    if (name !== undefined) return nameOf(pod) === name;
    if (job !== undefined && labelOf(pod, "batch.kubernetes.io/job-name") !== job) return false;
    if (index !== undefined && completionIndexOf(pod) !== index) return false;
    const isTerminating = pod.metadata.deletionTimestamp !== undefined;
    if (which === "terminating") return isTerminating;
    return !isTerminating && pod.status?.phase !== "Succeeded" && pod.status?.phase !== "Failed";
  });
  const isAll = all === true || which === "terminating";
  return pods.slice(0, typeof count === "number" ? count : isAll ? pods.length : 1);
}

function createNode({ request }: Process<unknown>, node: unknown): readonly ApiReply[] {
  const { name, labels, taints, unschedulable, allocatable } = membersOf(node);
  const all = { "kubernetes.io/hostname": String(name), ...membersOf(labels) };
  const object = {
    ...named("Node", name, "", { labels: all }),
    spec: {
      ...(taints !== undefined && { taints }),
      ...(unschedulable !== undefined && { unschedulable }),
    },
  };
  const resources = { cpu: "64", memory: "64Gi", pods: "110", ...membersOf(allocatable) };
  const status = {
    allocatable: resources,
    capacity: resources,
    conditions: [{ type: "Ready", status: "True" }],
  };
  return [
    request({ verb: "create", object }),
    request({ verb: "patch", subresource: "status", object: { ...object, status } }),
  ];
}

function patchOf(kind: string, name: unknown, patch: unknown): ApiRequest["object"] {
  return { ...membersOf(patch), ...named(kind, name, NAMESPACE, membersOf(patch).metadata) };
}

/** The Pod template of a scenario's Job: what it says of its own goes before what is the same in all. */
function podTemplate({ metadata, spec }: Readonly<Record<string, unknown>>) {
  const same = { restartPolicy: "Never", containers: [{ name: "main", image: "w:1" }] };
  return { metadata, spec: { ...same, ...membersOf(spec) } };
}

function named(
  kind: string,
  name: unknown,
  namespace: string,
  metadata?: unknown,
): ApiRequest["object"] {
  const place = namespace === "" ? {} : { namespace };
  return { kind, metadata: { ...membersOf(metadata), name: String(name), ...place } };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
