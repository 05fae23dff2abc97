import type { Unvalidated } from "@jobset-ts/api";
import { asRecord, type Job, type Pod } from "@jobset-ts/api/kubernetes";
import { type Context, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { resourceForKind } from "@jobset-ts/core/requests";
import type { AdmissionStep } from "../api-server/admission-step.ts";
import type { ServerRequest } from "../api-server/api-request.ts";
import { isDeleting } from "../api-server/deletion.ts";
import { getPassNotes, type PassNote } from "../jobset-controller/pass-note.ts";
import {
  advance,
  applyExternally,
  type RejectedRequest,
  type StepResult,
} from "../kernel/advance.ts";
import { type Cluster, type ClusterConfig, newCluster } from "../kernel/cluster.ts";
import { type Change, getChangedObject } from "../kernel/component.ts";
import { createClusterConfig } from "../scenario/cluster-config.ts";
import { MANAGERS } from "../scenario/interventions.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { computeWorkLimit, findTooLarge } from "../scenario/size.ts";
import { BEGIN } from "../scenario/user.ts";
import { withMembers } from "../with-members.ts";
import type { WriteCount, WriteTally } from "./write-tally.ts";

/** The cluster is idle if nothing is written for this many milliseconds. Deadlines of Jobs may be due later. */
const IDLE_MS = 60_000;

/** A simulated cluster that runs user requests and counts the writes. */
export class MeasuredCluster {
  readonly #scenario: Scenario;
  readonly #world: ClusterConfig;
  #cluster: Cluster;
  #tally: WriteTally | undefined;
  #passes = 0;

  constructor(scenario: Scenario, { quirks }: Context) {
    this.#scenario = scenario;
    const world = createClusterConfig(scenario, { quirks });
    this.#world = { ...world, admission: [removeNodeConstraints, ...world.admission] };
    this.#cluster = newCluster(this.#world);
  }

  /** The number of reconciles of the JobSet since counting started. */
  get passes(): number {
    return this.#passes;
  }

  /** The stored objects. */
  get snapshot(): Snapshot {
    return createSnapshot([...this.#cluster.objects.all()], { kinds: "all" });
  }

  /** Starts counting writes and passes. */
  countInto(tally: WriteTally): void {
    this.#tally = tally;
  }

  /**
   * Creates the objects of the scenario, and runs until the cluster is idle.
   *
   * @returns the reason for a failure; `undefined` on success
   */
  start(): string | undefined {
    const tooLarge = findTooLarge(this.#scenario);
    if (tooLarge !== undefined) return tooLarge.rejection.message;
    const startResult = applyExternally(this.#world, this.#cluster, "user", (process) =>
      process.wake(BEGIN),
    );
    this.#cluster = startResult.cluster;
    return this.#settle();
  }

  /**
   * Sends a user request, and runs until the cluster is idle.
   *
   * @returns the reason for a failure; `undefined` on success
   */
  request(request: ServerRequest): string | undefined {
    const tooLarge = findTooLarge({ objects: [request.object], actions: [] });
    if (tooLarge !== undefined) return tooLarge.rejection.message;
    const act = applyExternally(this.#world, this.#cluster, "user", (user) =>
      user.request(request),
    );
    this.#cluster = act.cluster;
    return this.#countTurn(act) ?? this.#settle();
  }

  #settle(): string | undefined {
    const limit = computeWorkLimit(this.#scenario);
    let [work, changedAt] = [0, this.#cluster.now];
    while (work < limit.turns) {
      const { turns } = this.#cluster;
      if (turns.first === undefined || turns.first.at > changedAt + IDLE_MS) return undefined;
      const turn = advance(this.#world, this.#cluster);
      if (turn === undefined) return undefined;
      this.#cluster = turn.cluster;
      work += limit.getWeight(turn.cluster.objects.count);
      if (turn.changes.length > 0) changedAt = turn.cluster.now;
      const rejected = this.#countTurn(turn);
      if (rejected !== undefined) return rejected;
    }
    return `the JobSet does not become idle within ${limit.turns} turns`;
  }

  /** Counts the writes of a turn. Returns the error of a rejected request that must succeed. */
  #countTurn(turn: StepResult): string | undefined {
    const rejected = turn.rejectedRequests.find(isPermanent);
    if (rejected !== undefined) return rejected.rejection.message;
    const tally = this.#tally;
    if (tally === undefined) return undefined;
    for (const note of getPassNotes(turn)) {
      if (isJobSetPass(note)) this.#passes += 1;
      if (note.kind === "RequestNote" && note.effect !== undefined) tally.addEffect(note.effect);
    }
    for (const event of turn.events) if (event.actor === MANAGER) tally.addEvent(event);
    for (const change of turn.changes) this.#count(change, tally);
    return undefined;
  }

  #count(change: Change, tally: WriteTally): void {
    const by = COUNTED_ACTORS[change.actor];
    const verb = getVerb(change);
    if (by === undefined || verb === undefined) return;
    const resource = resourceForKind(getChangedObject(change).kind ?? "");
    const bytes = verb === "create" ? this.#templateBytes(change, tally) : 0;
    tally.add({ by, verb, resource, count: 1, bytes });
  }

  /** Returns the size of the Pod template of a new Pod. */
  #templateBytes(change: Change, tally: WriteTally): number {
    const [owner] = getChangedObject(change).metadata.ownerReferences ?? [];
    const { objects } = this.#cluster;
    const job = objects.get<Job>(
      "Job",
      getChangedObject(change).metadata.namespace ?? "",
      owner?.name ?? "",
    );
    return job === undefined ? 0 : tally.countBytes(job.spec.template);
  }
}

const [MANAGER] = MANAGERS;

/**
 * Removes node constraints that the scenario's nodes do not satisfy. The nodes do have the labels of the node selector.
 */
const removeNodeConstraints: AdmissionStep = {
  name: "finds-node",
  mutates: true,
  onUpdate: false,
  kinds: ["Pod"],
  review: ({ object }) => {
    const { affinity, topologySpreadConstraints, schedulingGates, ...spec } = asRecord(
      (object as Unvalidated<Pod>).spec,
    );
    return { ok: true, object: withMembers(object, { spec }) };
  },
};

/** The components whose writes are counted, besides the JobSet controller. */
const COUNTED_ACTORS: Readonly<Record<string, WriteCount["by"]>> = {
  "job-controller": "JobController",
  "garbage-collector": "GarbageCollector",
};

/**
 * Returns whether a rejection repeats for every retry: those of the user, and of objects that the JobSet controller
 * creates.
 */
function isPermanent({ actor, request, rejection }: RejectedRequest): boolean {
  return (
    actor === "user" || (actor === MANAGER && request.verb === "create" && rejection.code !== 409)
  );
}

function isJobSetPass(note: PassNote): boolean {
  return note.kind === "PlanNote" && "jobSet" in note.plan;
}

/** Returns how a change is counted: a creation, or the first request to delete an object. */
function getVerb({ before, after }: Change): "create" | "delete" | undefined {
  if (before === undefined) return "create";
  const isFirst = !isDeleting(before) && (after === undefined || isDeleting(after));
  return isFirst ? "delete" : undefined;
}
