import { isSuspended, type JobSet, type Observed } from "@jobset-ts/api";
import { JOB_CONDITION_COMPLETE, JOB_CONDITION_FAILED } from "@jobset-ts/api/conditions";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import {
  integerOf,
  isObject,
  type Job,
  type KubernetesObject,
  labelOf,
  listOf,
  membersOf,
  textOf,
} from "@jobset-ts/api/kubernetes";
import {
  type Context,
  type DeleteEffect,
  type Effect,
  type Plan,
  reconcile,
  type Snapshot,
  snapshotOf,
} from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import { applyChanges } from "@jobset-ts/core/requests";
import type { WriteTally } from "./write-tally.ts";

/** How many passes a JobSet may take to come to rest: a few for each of its ReplicatedJobs, one after the other. */
const MOST_PASSES = 500;

/**
 * A cluster with one JobSet in which everything goes well, and at once: all Jobs have all their Pods as soon as they ask
 * for them, and no request fails.
 */
export class Rehearsal {
  readonly #context: Context;
  #snapshot: Snapshot;
  #jobSet: Observed<JobSet>;
  #tally: WriteTally | undefined;
  #writes = 0;
  #passes = 0;

  /** @param jobSet - with a name and a UID */
  constructor(jobSet: Observed<JobSet>, context: Context) {
    this.#context = context;
    this.#jobSet = jobSet;
    this.#snapshot = snapshotOf([jobSet], { kinds: "all" });
  }

  /** The first of the Jobs that have not ended. */
  get activeJob(): Observed<Job> | undefined {
    return this.#jobs.find((job) => jobState(job) === "active");
  }

  get passes(): number {
    return this.#passes;
  }

  /** From here on writes and passes are counted. */
  countInto(tally: WriteTally): void {
    this.#tally = tally;
    this.#passes = 0;
  }

  /** Somebody changes the JobSet's spec. */
  edit(change: (jobSet: Observed<JobSet>) => Observed<JobSet>): void {
    this.#putJobSet(change(this.#jobSet));
  }

  /** A Job fails, and the Job controller deletes its Pods. */
  fail(job: Observed<Job>): void {
    this.#countPods("JobController", "delete", runningPods(job));
    this.#end([job], JOB_CONDITION_FAILED);
  }

  /**
   * Has the controller look at the JobSet until there is nothing left to do.
   *
   * @returns why that is not to be reached; `undefined` when it was
   */
  comeToRest(): string | undefined {
    this.#runJobs();
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const plan = reconcile(this.#snapshot, this.#jobSet, this.#context);
      if (plan.error !== undefined) return plan.error.message;
      this.#passes += 1;
      this.#carryOut(plan);
      const moved = this.#runJobs();
      if (plan.steps.length > 0 || moved) continue;
      if (!this.#completeDependencies()) return undefined;
    }
    return `the JobSet does not come to rest within ${MOST_PASSES} passes`;
  }

  /** The JobSet is deleted, and with it all that it owns. */
  delete(): void {
    for (const kind of ["Job", "Service", "PersistentVolumeClaim"]) {
      const owned = this.#snapshot
        .objects(kind)
        .filter((object) => listOf(object.metadata?.ownerReferences).length > 0);
      const by = "GarbageCollector";
      const resource = `${kind.toLowerCase()}s`;
      this.#tally?.add({ by, verb: "delete", resource, count: owned.length, bytes: 0 });
    }
    const podCount = this.#jobs.reduce((sum, job) => sum + podsOf(job), 0);
    this.#countPods("GarbageCollector", "delete", podCount);
  }

  get #jobs(): readonly Observed<Job>[] {
    return this.#snapshot.childJobs(this.#jobSet);
  }

  #carryOut(plan: Plan): void {
    this.#tally?.addPlan(plan, this.#jobSet, this.#context.now);
    for (const { effects } of plan.steps) {
      const put: Observed<KubernetesObject>[] = [];
      const remove: Observed<KubernetesObject>[] = [];
      for (const effect of effects) {
        const { kind, namespace, name } = effect.target;
        if (effect.verb === "delete") {
          remove.push(this.#removed(effect));
          continue;
        }
        const stored = this.#snapshot.object(kind, namespace, name) ?? {};
        put.push(this.#written(effectOn(stored, effect, () => this.#uid())));
      }
      this.#snapshot = this.#snapshot.with({ put, remove });
    }
    const { namespace, name } = plan.jobSet;
    this.#jobSet = this.#snapshot.jobSet(namespace, name) ?? this.#jobSet;
  }

  #removed({ target }: DeleteEffect): Observed<KubernetesObject> {
    const { apiVersion, kind, namespace, name } = target;
    const job = kind === "Job" ? this.#snapshot.job(namespace, name) : undefined;
    if (job !== undefined) this.#countPods("GarbageCollector", "delete", podsOf(job));
    return { apiVersion, kind, metadata: { namespace, name } };
  }

  /** Has every Job the Pods that it asks for. */
  #runJobs(): boolean {
    const put: Observed<Job>[] = [];
    for (const job of this.#jobs) {
      if (jobState(job) !== "active") continue;
      const suspended = isSuspended(job);
      const wanted = suspended ? 0 : podCountOf(job);
      const running = runningPods(job);
      const hasStarted = job.status?.startTime !== undefined;
      if (wanted === running && hasStarted === !suspended) continue;
      const pod = wanted > running ? podBytes(job, this.#tally) : 0;
      this.#countPods(
        "JobController",
        wanted > running ? "create" : "delete",
        Math.abs(wanted - running),
        pod,
      );
      const startTime = suspended ? {} : { startTime: "2026-01-01T00:00:00Z" };
      put.push(this.#written({ ...job, status: { active: wanted, ready: wanted, ...startTime } }));
    }
    if (put.length > 0) this.#snapshot = this.#snapshot.with({ put });
    return put.length > 0;
  }

  /** Completes the Jobs that others wait for. */
  #completeDependencies(): boolean {
    const awaited = new Set<string>();
    for (const one of listOf(this.#jobSet.spec?.replicatedJobs)) {
      for (const dependency of listOf(one?.dependsOn)) {
        if (dependency?.status === "Complete") awaited.add(textOf(dependency.name));
      }
    }
    const ready = this.#jobs.filter(
      (job) =>
        jobState(job) === "active" &&
        !isSuspended(job) &&
        awaited.has(labelOf(job, REPLICATED_JOB_NAME_KEY) ?? ""),
    );
    this.#end(ready, JOB_CONDITION_COMPLETE, runningPods);
    return ready.length > 0;
  }

  #end(jobs: readonly Observed<Job>[], type: string, succeeded = (_: Observed<Job>) => 0): void {
    const conditions = [{ type, status: "True" }];
    const put = jobs.map((job) =>
      this.#written({ ...job, status: { conditions, succeeded: succeeded(job) } }),
    );
    this.#snapshot = this.#snapshot.with({ put });
  }

  #putJobSet(jobSet: Observed<JobSet>): void {
    this.#jobSet = this.#written(jobSet);
    this.#snapshot = this.#snapshot.with({ put: [this.#jobSet] });
  }

  #countPods(
    by: "JobController" | "GarbageCollector",
    verb: "create" | "delete",
    count: number,
    podBytes = 0,
  ): void {
    this.#tally?.add({ by, verb, resource: "pods", count, bytes: count * podBytes });
  }

  #written<Item extends Observed<KubernetesObject>>(object: Item): Item {
    this.#writes += 1;
    const metadata = { ...membersOf(object.metadata), resourceVersion: `${this.#writes}` };
    return { ...object, metadata };
  }

  #uid(): string {
    return `00000000-0000-4000-8000-${String(this.#writes).padStart(12, "0")}`;
  }
}

/** What an effect makes of an object. */
function effectOn(
  stored: Observed<KubernetesObject>,
  effect: Exclude<Effect, DeleteEffect>,
  newUid: () => string,
): Observed<KubernetesObject> {
  switch (effect.verb) {
    case "create":
      return { ...effect.object, metadata: { uid: newUid(), ...effect.object.metadata } };
    case "patch": {
      const spec = Object.entries(membersOf(effect.patch.spec as object));
      // The API server fills in 1 where a number of Pods is taken away.
      const changes = spec.map(([member, value]) => ({
        path: ["spec", member],
        value: value ?? 1,
      }));
      return applyChanges(stored, changes);
    }
    case "update":
    case "updateStatus":
      return applyChanges(stored, effect.changes);
  }
}

/** How many Pods a Job runs at a time. */
function podCountOf({ spec }: Observed<Job>): number {
  const parallelism = countOf(spec?.parallelism, 1);
  return Math.min(parallelism, countOf(spec?.completions, parallelism));
}

/** The Pods that there are: those that have succeeded stay as long as their Job. */
function podsOf(job: Observed<Job>): number {
  return runningPods(job) + countOf(job.status?.succeeded, 0);
}

function runningPods({ status }: Observed<Job>): number {
  return countOf(status?.active, 0);
}

function countOf(value: unknown, otherwise: number): number {
  return Math.max(0, integerOf(value, otherwise));
}

/** How long the template is that a Pod is made of. */
function podBytes(job: Observed<Job>, tally: WriteTally | undefined): number {
  const template = job.spec?.template;
  return tally === undefined || !isObject(template) ? 0 : tally.bytesOf(template);
}
