import type { EpochMillis } from "@jobset-ts/api";
import {
  getControllerOf,
  getUid,
  type Job,
  namespacedName,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { isConditionTrue } from "../api-server/conditions.ts";
import { withoutFinalizer } from "../api-server/deletion.ts";
import {
  BUILT_IN_CONTROLLER,
  JOB_COMPLETE,
  JOB_FAILED,
  TRACKING_FINALIZER,
} from "../api-server/job/batch-constants.ts";
import { type KubernetesMinor, LATEST_MINOR } from "../api-server/kubernetes-minor.ts";
import { listPods, type Stored } from "../api-server/objects.ts";
import {
  type Change,
  type Component,
  getChangedObject,
  type Process,
  updateMemory,
} from "../kernel/component.ts";
import { type BackOff, NO_BACK_OFF } from "./back-off.ts";
import { flushUncountedPods, type PendingFlush } from "./flush-uncounted-pods.ts";
import { removeTrackingFinalizer } from "./manage-pods.ts";
import { hasTrackingFinalizer } from "./pod-state.ts";
import {
  findUnseenWriteTime,
  getVisibleObjects,
  type JobControllerKind,
  jobControllerKinds,
  releaseCache,
  relistCaches,
  type StaleCaches,
  withLateChange,
  withStaleCache,
} from "./stale-caches.ts";
import { syncJob } from "./sync-job.ts";

/** What the controller remembers about a Job, by key. It is lost on restart. */
interface KnownJob {
  readonly backOff: BackOff;
  /** The number of consecutive syncs that failed. */
  readonly rejections: number;
  /** Work that the last sync left for the time when its status is stored. */
  readonly pendingFlush?: PendingFlush;
}

const UNKNOWN_JOB: KnownJob = { backOff: NO_BACK_OFF, rejections: 0 };

export interface JobControllerMemory {
  readonly jobs: PersistentMap<KnownJob>;
  readonly staleCaches: StaleCaches;
}

const NEW_MEMORY: JobControllerMemory = { jobs: emptyMap(), staleCaches: {} };

type JobProcess = Process<JobControllerMemory>;

/** The latency of a status write. Work that depends on it starts afterwards. */
const WRITE_MS = 30;

/** How long a Pod change waits, so that one sync handles a burst of changes. */
const BATCH_MS = 1000;

const INITIAL_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

const NAME = "job-controller";

/**
 * Creates the built-in controller that runs the Pods of Jobs. It reads the stored objects without lag, unless its
 * caches are stale.
 */
export function createJobController(
  kubernetes: KubernetesMinor = LATEST_MINOR,
): Component<JobControllerMemory> {
  return {
    name: NAME,
    memory: NEW_MEMORY,
    watches: jobControllerKinds,
    observe: (change, process) => {
      const staleCaches = withLateChange(process.memory.staleCaches, change, change.actor === NAME);
      if (staleCaches === undefined) handleChange(change, process);
      else updateMemory(process, { staleCaches });
    },
    act: (key, process) => {
      if (key.startsWith(RESUME_WATCH_PREFIX)) resumeWatch(key, process);
      else if (key.startsWith(POD_KEY_PREFIX)) removeOrphanFinalizer(key, process);
      else if (key.startsWith(AT_ONCE_PREFIX)) {
        syncAtOnce(key.slice(AT_ONCE_PREFIX.length), process, kubernetes);
      } else syncKey(key, process, kubernetes);
    },
  };
}

/** The Job controller of the latest Kubernetes minor version. */
export const jobController: Component<JobControllerMemory> = createJobController();

/** The prefix of a kind in the turn that resumes its watch. */
const RESUME_WATCH_PREFIX = "ResumeWatch:";

/** The prefix of the keys of Pods whose Job is gone. No namespace starts with it. */
const POD_KEY_PREFIX = "Pod:";

/**
 * The prefix of keys to sync immediately. As in a Kubernetes work queue, this does not cancel pending turns. A retry or
 * a batch still happens at its time, as the turn of the Job's plain key.
 */
const AT_ONCE_PREFIX = "AtOnce:";

/** Restarts the controller. It loses its memory and syncs every Job. */
export function restartJobController(process: JobProcess): void {
  const { staleCaches } = process.memory;
  process.memory = { ...NEW_MEMORY, staleCaches: relistCaches(staleCaches, process.objects) };
  for (const job of process.objects.ofKind<Job>("Job")) process.wake(namespacedName(job));
  for (const pod of process.objects.ofKind<Pod>("Pod")) {
    if (hasTrackingFinalizer(pod)) process.wake(POD_KEY_PREFIX + namespacedName(pod));
  }
}

/** Pauses the watch of a kind up to an instant. */
export function holdCache(process: JobProcess, kind: JobControllerKind, until: EpochMillis): void {
  const { memory, objects } = process;
  updateMemory(process, {
    staleCaches: withStaleCache(memory.staleCaches, kind, { objects, until }),
  });
  process.wake(RESUME_WATCH_PREFIX + kind, until - process.now);
}

function resumeWatch(key: string, process: JobProcess): void {
  const kind = key.slice(RESUME_WATCH_PREFIX.length) as JobControllerKind;
  const { staleCaches } = process.memory;
  const { until = process.now } = staleCaches[kind] ?? {};
  if (until > process.now) {
    process.wake(key, until - process.now);
    return;
  }
  const released = releaseCache(staleCaches, kind);
  updateMemory(process, { staleCaches: released.staleCaches });
  for (const change of released.changes) handleChange(change, process);
}

function handleChange(change: Change, process: JobProcess): void {
  if (getChangedObject(change).kind === "Pod") observePod(change, process);
  else observeJob(change, process);
}

function observeJob(change: Change, process: JobProcess): void {
  const { before, after } = change;
  const job = getChangedObject(change) as unknown as Job;
  const isSpecChange = before?.metadata.generation !== after?.metadata.generation;
  wakeJob(namespacedName(job), process, isSpecChange);
  // The Job finishes only after the finalizers of its visible Pods are removed.
  if (after !== undefined && !isJobFinished(job)) return;
  for (const owned of getVisibleObjects(process, "Pod").ownedBy(getUid(job))) {
    if (owned.kind === "Pod") process.wake(POD_KEY_PREFIX + namespacedName(owned));
  }
}

function observePod(change: Change, process: JobProcess): void {
  const pod = getChangedObject(change) as unknown as Pod;
  const owner = getControllerOf(pod);
  const namespace = pod.metadata.namespace ?? "";
  const job =
    owner?.kind === "Job"
      ? getVisibleObjects(process, "Job").get<Job>("Job", namespace, owner.name ?? "")
      : undefined;
  const isOwned = job !== undefined && getUid(job) === owner?.uid;
  const isBeingDeleted = pod.metadata.deletionTimestamp !== undefined;
  if (isOwned && !(isBeingDeleted && isJobFinished(job)))
    process.wake(namespacedName(job), BATCH_MS);
  else if (change.after !== undefined && hasTrackingFinalizer(pod))
    process.wake(POD_KEY_PREFIX + namespacedName(pod));
}

/** Requests a sync: immediately after a spec change, otherwise batched. */
function wakeJob(key: string, process: JobProcess, isSpecChange: boolean): void {
  if (isSpecChange) process.wake(AT_ONCE_PREFIX + key);
  else process.wake(key, BATCH_MS);
}

function syncAtOnce(key: string, process: JobProcess, kubernetes: KubernetesMinor): void {
  // A sync is in progress, and it requests the next one itself.
  if (process.memory.jobs.get(key)?.pendingFlush !== undefined) return;
  syncKey(key, process, kubernetes);
}

function syncKey(key: string, process: JobProcess, kubernetes: KubernetesMinor): void {
  const [namespace = "", name = ""] = key.split("/");
  const job = getVisibleObjects(process, "Job").get<Job>("Job", namespace, name);
  if (job === undefined) {
    updateMemory(process, { jobs: process.memory.jobs.delete(key) });
    return;
  }
  if (!isManaged(job) || isJobFinished(job)) return;
  const knownJob = process.memory.jobs.get(key) ?? UNKNOWN_JOB;
  if (knownJob.pendingFlush !== undefined) {
    flush(key, process, knownJob, knownJob.pendingFlush);
    return;
  }
  if (kubernetes !== "1.35" && isAwaitingOwnWrites(job, process)) return;
  const { backOff, rejection, pendingFlush } = syncJob(
    process,
    { job, ...getVisiblePods(job, process) },
    knownJob.backOff,
    kubernetes,
  );
  const countRejections = (error: unknown) => (error === undefined ? 0 : knownJob.rejections + 1);
  if (pendingFlush?.isWritten) {
    setKnownJob(key, process, {
      backOff,
      rejections: countRejections(rejection),
      pendingFlush,
    });
    process.wake(key, WRITE_MS);
    return;
  }
  const failed = (pendingFlush && flushUncountedPods(process, pendingFlush)) ?? rejection;
  const rejections = countRejections(failed);
  setKnownJob(key, process, { backOff, rejections });
  if (failed !== undefined) process.wake(key, getRetryDelayMs(rejections));
}

/**
 * Returns whether the controller wrote objects for a Job that its cache does not have yet. It waits until it has them.
 *
 * @see KEP-5647, from Kubernetes 1.36 on
 */
function isAwaitingOwnWrites(job: Job, process: JobProcess): boolean {
  return jobControllerKinds.some(
    (kind) => findUnseenWriteTime(process, kind, getUid(job)) !== undefined,
  );
}

/** The timeout of expectations. After it, the controller no longer waits for its own writes. */
const EXPECTATIONS_TIMEOUT_MS = 300_000;

/**
 * Returns the Pods of a Job in the controller's view: the cached Pods without those whose finalizer it has removed.
 * While other writes of the controller are not in the cache, no Pods are created or deleted.
 */
function getVisiblePods(job: Job, process: JobProcess) {
  const pods = listPods(getUid(job), getVisibleObjects(process, "Pod"));
  const at = findUnseenWriteTime(process, "Pod", getUid(job));
  if (at === undefined) return { pods, isExpecting: false };
  const knownJob = pods.map((pod) => {
    const current = process.objects.current(pod);
    if (!hasTrackingFinalizer(pod) || (current !== undefined && hasTrackingFinalizer(current)))
      return pod;
    return withoutFinalizer(pod as unknown as Stored, TRACKING_FINALIZER) as unknown as Pod;
  });
  return { pods: knownJob, isExpecting: process.now - at < EXPECTATIONS_TIMEOUT_MS };
}

/** Finishes the work that the last sync recorded, and requests another sync. */
function flush(
  key: string,
  process: JobProcess,
  knownJob: KnownJob,
  pendingFlush: PendingFlush,
): void {
  const { pendingFlush: _, ...flushed } = knownJob;
  setKnownJob(key, process, flushed);
  flushUncountedPods(process, pendingFlush);
  const current = getVisibleObjects(process, "Job").current(pendingFlush.job);
  const isSpecChange = current?.metadata.generation !== pendingFlush.job.metadata.generation;
  wakeJob(key, process, isSpecChange);
}

function setKnownJob(key: string, process: JobProcess, knownJob: KnownJob): void {
  const { jobs } = process.memory;
  const before = jobs.get(key) ?? UNKNOWN_JOB;
  const isSame =
    before.backOff === knownJob.backOff &&
    before.rejections === knownJob.rejections &&
    before.pendingFlush === knownJob.pendingFlush;
  if (!isSame) updateMemory(process, { jobs: jobs.set(key, knownJob) });
}

function getRetryDelayMs(rejections: number): number {
  return Math.min(INITIAL_RETRY_MS * 2 ** (rejections - 1), MAX_RETRY_MS);
}

/** Removes the finalizer of a Pod whose Job no longer exists. */
function removeOrphanFinalizer(key: string, process: JobProcess): void {
  const [namespace = "", name = ""] = key.slice(POD_KEY_PREFIX.length).split("/");
  const pod = getVisibleObjects(process, "Pod").get<Pod>("Pod", namespace, name);
  if (pod === undefined || !hasTrackingFinalizer(pod)) return;
  const owner = getControllerOf(pod);
  const job = getVisibleObjects(process, "Job").get<Job>("Job", namespace, owner?.name ?? "");
  const isOwned = job !== undefined && getUid(job) === owner?.uid;
  if (!isOwned || (isManaged(job) && isJobFinished(job))) removeTrackingFinalizer(process, pod);
}

/** Returns whether the built-in controller manages a Job. */
function isManaged({ spec: { managedBy = BUILT_IN_CONTROLLER } }: Job): boolean {
  return managedBy === BUILT_IN_CONTROLLER;
}

function isJobFinished({ status }: Job): boolean {
  return [JOB_COMPLETE, JOB_FAILED].some((type) => isConditionTrue(status?.conditions, type));
}
