import { type EpochMillis, formatTime } from "@jobset-ts/api";
import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import {
  getAnnotation,
  getName,
  type Job,
  type JobSpec,
  type Pod,
  type PodSpec,
} from "@jobset-ts/api/kubernetes";
import type { AdmissionStep } from "../api-server/admission-step.ts";
import type { PropagationPolicy, ServerReply, ServerRequest } from "../api-server/api-request.ts";
import { garbageCollector } from "../garbage-collector.ts";
import { jobController } from "../job-controller/job-controller.ts";
import { isActive, isTerminating } from "../job-controller/pod-state.ts";
import { advance, advanceTo, applyExternally, type StepResult } from "../kernel/advance.ts";
import { type Cluster, type ClusterConfig, newCluster } from "../kernel/cluster.ts";
import type { Component, Process } from "../kernel/component.ts";
import { ttlAfterFinished } from "../ttl-after-finished.ts";

/** A cluster with a Job controller and without nodes. The test controls the Pods. */
export class JobCluster {
  readonly #world: ClusterConfig;
  readonly turns: StepResult[] = [];
  #cluster: Cluster;

  constructor(admission: readonly AdmissionStep[] = []) {
    this.#world = {
      seed: 1,
      components: [
        jobController as Component,
        garbageCollector as Component,
        ttlAfterFinished as Component,
      ],
      admission,
    };
    this.#cluster = newCluster(this.#world);
  }

  get now(): EpochMillis {
    return this.#cluster.now;
  }

  get pods(): readonly Pod[] {
    return this.#cluster.objects.ofKind<Pod>("Pod");
  }

  get activePods(): readonly Pod[] {
    return this.pods.filter(isActive);
  }

  get terminatingPods(): readonly Pod[] {
    return this.pods.filter(isTerminating);
  }

  get reasons(): readonly string[] {
    return this.turns.flatMap(({ events }) => events.map(({ reason }) => reason));
  }

  /** Returns an object by kind and name. `undefined` if it does not exist. */
  get<Item = Job>(name: string, kind = "Job"): Item | undefined {
    return this.#cluster.objects.get<Item>(kind, "ns", name);
  }

  /** Returns the only Job, which must exist. */
  get job(): Job {
    const [job] = this.#cluster.objects.ofKind<Job>("Job");
    if (job === undefined) throw new Error("there is no Job");
    return job;
  }

  request(request: ServerRequest): ServerReply {
    let reply: ServerReply | undefined;
    this.#do("user", (process) => {
      reply = process.request(request);
    });
    return reply as ServerReply;
  }

  create(spec: Partial<JobSpec>, name = "j", podSpec: Partial<PodSpec> = {}): ServerReply {
    const template = {
      spec: { restartPolicy: "Never", containers: [{ name: "main", image: "app:1" }], ...podSpec },
    };
    return this.request({
      verb: "create",
      object: { kind: "Job", metadata: { name, namespace: "ns" }, spec: { template, ...spec } },
    });
  }

  patch(members: object, name = "j", subresource?: "status"): ServerReply {
    const object = { ...members, kind: "Job", metadata: { name, namespace: "ns" } };
    return this.request({ verb: "patch", object, ...(subresource && { subresource }) });
  }

  delete(propagationPolicy?: PropagationPolicy, name = "j", kind = "Job"): ServerReply {
    const object = { kind, metadata: { name, namespace: "ns" } };
    return this.request({
      verb: "delete",
      object,
      ...(propagationPolicy && { propagationPolicy }),
    });
  }

  /** Marks a Pod as running and ready. */
  startPod(pod: Pod | undefined): void {
    this.#setStatus(pod, (status, time) => {
      status.phase = "Running";
      status.conditions = [{ type: "Ready", status: "True", lastTransitionTime: time }];
    });
  }

  /** Finishes a Pod with an exit code. */
  exitPod(pod: Pod | undefined, exitCode: number): void {
    this.#setStatus(pod, (status, finishedAt) => {
      status.phase = exitCode === 0 ? "Succeeded" : "Failed";
      const state = { terminated: { exitCode, finishedAt } };
      const names = pod?.spec.containers.map(({ name }) => name) ?? [];
      status.containerStatuses = names.map((name) => ({
        name,
        state,
        ready: false,
        restartCount: 0,
        image: "",
        imageID: "",
      }));
      status.conditions = [];
    });
  }

  /** Finishes a Pod that is being deleted, and removes it. */
  stopPod(pod: Pod | undefined): void {
    if (pod === undefined) return;
    if (isTerminating(pod)) this.exitPod(pod, 137);
    const object = { kind: "Pod", metadata: pod.metadata };
    this.#do("kubelet", (process) => {
      process.request({ verb: "delete", object, gracePeriodSeconds: 0 });
    });
  }

  deletePod(pod: Pod | undefined): void {
    if (pod !== undefined) this.delete(undefined, getName(pod), "Pod");
  }

  /** Returns the active Pod of an index. */
  getActivePod(index: number): Pod | undefined {
    return this.activePods.find(
      (pod) => getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) === String(index),
    );
  }

  run(seconds: number): void {
    this.#cluster = advanceTo(this.#world, this.#cluster, this.now + seconds * 1000, (turn) =>
      this.turns.push(turn),
    );
  }

  /** Runs turns until the cluster is idle. Returns whether it became idle. */
  runUntilIdle(maxTurns = 1000): boolean {
    for (let taken = 0; taken < maxTurns; taken++) {
      const turn = advance(this.#world, this.#cluster);
      if (turn === undefined) return true;
      this.turns.push(turn);
      this.#cluster = turn.cluster;
    }
    return false;
  }

  /** Restarts the controller without its memory. */
  restartController(): void {
    const { name, memory } = jobController;
    this.#do(name, (process) => {
      process.memory = memory;
    });
    for (const job of this.#cluster.objects.ofKind<Job>("Job")) {
      this.#do(name, (process) => process.wake(`ns/${getName(job)}`));
    }
  }

  #setStatus(
    pod: Pod | undefined,
    recipe: (status: NonNullable<Pod["status"]>, time: string) => void,
  ): void {
    if (pod === undefined) return;
    this.#do("kubelet", (process) => {
      process.edit(
        pod,
        (draft) => {
          draft.status ??= {};
          recipe(draft.status, formatTime(process.now));
        },
        "status",
      );
    });
  }

  #do(actor: string, action: (process: Process<unknown>) => void): void {
    const turn = applyExternally(this.#world, this.#cluster, actor, action);
    this.turns.push(turn);
    this.#cluster = turn.cluster;
  }
}
