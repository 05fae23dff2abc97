import type { EpochMillis } from "@jobset-ts/api";
import type { Job, Pod } from "@jobset-ts/api/kubernetes";
import {
  advanceTo,
  applyExternally,
  type Cluster,
  type ClusterConfig,
  newCluster,
  type ServerReply,
  type StepResult,
} from "@jobset-ts/sim/kernel";
import type { AdmissionStep } from "../../../sim/src/api-server/admission-step.ts";
import { builtInAdmission } from "../../../sim/src/api-server/built-in-admission.ts";
import type { Component } from "../../../sim/src/kernel/component.ts";
import { builtInControllers } from "./built-in-controllers.ts";
import { scriptedKubelet } from "./scripted-kubelet.ts";
import type { Trace, TraceLine } from "./trace.ts";
import { createNode, kubeletInputs, userInputs } from "./trace-inputs.ts";
import { getCompletionIndex, type PodRequest, TraceWindow } from "./trace-window.ts";

const SET_UP_MS = 1000;

/** The result of playing a line of a trace: the observation, or the API server's responses. */
export type TraceLineResult =
  | { readonly seen: unknown }
  | { readonly replies: readonly ServerReply[] };

/** The timing details that rounding to whole seconds leaves undetermined. */
export interface TraceTiming {
  /** The fraction of a second in which the trace started. */
  readonly beginsAtMs: number;
  /** The offset of the observation at each step, positive or negative. */
  readonly lateMs: ReadonlyMap<number, number>;
}

/** A simulated cluster that plays the inputs of a trace. */
export class TraceSimulation {
  readonly #world: ClusterConfig;
  /** The time of the first input after the set-up has converged. */
  #start: EpochMillis;
  #isSetUp = false;
  readonly #window: TraceWindow;
  /** Requests to the webhook in the current turn. */
  #podRequests: { index: number; allowed: boolean }[] = [];
  #denial: Denial | undefined;
  #cluster: Cluster;
  /** The time of the last input other than `wait`. */
  #since: EpochMillis;

  readonly #timing: TraceTiming;

  constructor(trace: Trace, timing: TraceTiming) {
    this.#timing = timing;
    this.#world = {
      seed: 1,
      components: [...builtInControllers(), scriptedKubelet as Component],
      admission: [...builtInAdmission, this.#denialStep()],
    };
    const cluster = newCluster(this.#world);
    this.#start = cluster.now + timing.beginsAtMs;
    this.#cluster = { ...cluster, now: this.#start };
    this.#since = this.#start;
    this.#window = new TraceWindow(trace);
    if (trace.kind === "job") this.#createBigNodes();
  }

  /** Runs the cluster until a line's time, then performs its input or returns the observation. */
  play(line: TraceLine): TraceLineResult {
    if (line.step > 0 && !this.#isSetUp) {
      this.#runTo(this.#cluster.now + SET_UP_MS);
      this.#window.clear();
      [this.#isSetUp, this.#start] = [true, this.#cluster.now];
    }
    this.#runTo(this.#start + this.#getTimeMs(line));
    if (line.actor === "observed") return { seen: this.#readInput(line.op) };
    this.#window.clear();
    if (line.op !== "wait") this.#since = this.#cluster.now;
    if (line.op === "denyPods") this.#denial = line.object as unknown as Denial;
    else if (line.op === "allowPods") this.#denial = undefined;
    else if (line.op !== "wait") return { replies: this.#applyInput(line) };
    return { replies: [] };
  }

  /** Returns the time of a line. An input never comes before the previous observation. */
  #getTimeMs({ actor, at, step }: TraceLine): number {
    const { lateMs } = this.#timing;
    if (actor === "observed") return at * 1000 + (lateMs.get(step) ?? 0);
    const earliest = at * 1000 + Math.min(0, lateMs.get(step - 1) ?? 0);
    return Math.max(this.#cluster.now - this.#start, earliest);
  }

  #applyInput({ actor, op, object }: TraceLine): readonly ServerReply[] {
    const input = actor === "user" ? userInputs[op] : kubeletInputs[op];
    if (input === undefined) throw new Error(`unknown input ${op}`);
    let replies: readonly ServerReply[] = [];
    const turn = applyExternally(this.#world, this.#cluster, actor, (process) => {
      replies = input(object, process) ?? [];
    });
    this.#recordTurn(turn);
    return replies;
  }

  #readInput(op: string): unknown {
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
        throw new Error(`unknown observation ${op}`);
    }
  }

  /** Work that is due at exactly this time runs later, because real components have a delay. */
  #runTo(until: EpochMillis): void {
    const before = advanceTo(this.#world, this.#cluster, until - 1, (turn) =>
      this.#recordTurn(turn),
    );
    this.#cluster = { ...before, now: until };
  }

  #recordTurn(turn: StepResult): void {
    this.#cluster = turn.cluster;
    const requests = this.#podRequests.map(
      (request): PodRequest => ({ at: turn.cluster.now, ...request }),
    );
    this.#podRequests = [];
    this.#window.add(turn, requests);
  }

  /** Returns the webhook that can deny Pods. */
  #denialStep(): AdmissionStep {
    return {
      name: "vpod.kb.io",
      mutates: false,
      kinds: ["Pod"],
      onUpdate: false,
      review: ({ object }) => {
        const denial = this.#denial;
        const index = getCompletionIndex(object as unknown as Pod);
        const allowed = denial === undefined || denial.except.includes(index);
        this.#podRequests.push({ index, allowed });
        if (allowed) return { ok: true, object };
        const message = `admission webhook "vpod.kb.io" denied the request: ${denial.message}`;
        return { ok: false, code: 403, reason: "Forbidden", message };
      },
    };
  }

  #createBigNodes(): void {
    this.#recordTurn(
      applyExternally(this.#world, this.#cluster, "user", (process) => {
        for (let at = 0; at < 4; at++) {
          createNode(process, { name: `big${at}`, allocatable: { cpu: "999", pods: "5000" } });
        }
      }),
    );
  }
}

interface Denial {
  /** The completion indexes whose Pods are admitted. */
  readonly except: readonly number[];
  readonly message: string;
}
