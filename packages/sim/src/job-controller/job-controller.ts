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
  updateMemory as setMembers,
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

/** What the controller keeps of a Job, by its key; lost when it restarts. */
interface KnownJob {
  readonly backOff: BackOff;
  /** How many syncs in a row had to be given up. */
  readonly rejections: number;
  /** What the last sync left to be done once its status is stored. */
  readonly pendingFlush?: PendingFlush;
}

const UNKNOWN_JOB: KnownJob = { backOff: NO_BACK_OFF, rejections: 0 };

export interface JobControllerMemory {
  readonly jobs: PersistentMap<KnownJob>;
  readonly held: StaleCaches;
}

const NEW_MEMORY: JobControllerMemory = { jobs: emptyMap(), held: {} };

type JobProcess = Process<JobControllerMemory>;

/** How long it takes to write a status before what it says is carried out. */
const WRITE_MS = 30;

/** What a burst of changes of Pods has to wait for, so that one sync sees them all. */
const BATCH_MS = 1000;

const INITIAL_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

const NAME = "job-controller";

/** The built-in controller that runs the Pods of Jobs. It sees what is stored, without lag, unless its caches are held back. */
export function createJobController(
  kubernetes: KubernetesMinor = LATEST_MINOR,
): Component<JobControllerMemory> {
  return {
    name: NAME,
    memory: NEW_MEMORY,
    watches: jobControllerKinds,
    observe: (change, process) => {
      const held = withLateChange(process.memory.held, change, change.actor === NAME);
      if (held === undefined) handleChange(change, process);
      else setMembers(process, { held });
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

/** That of the latest minor version. */
export const jobController: Component<JobControllerMemory> = createJobController();

/** Before a kind: changes of it are heard again. */
const RESUME_WATCH_PREFIX = "Hears:";

/** Keys of Pods whose Job is gone; no namespace begins like it. */
const POD_KEY_PREFIX = "Pod:";

/**
 * The prefix of keys to sync immediately. As in a Kubernetes work queue, this does not cancel what waits: a retry or a
 * batch still happens at its time, as the turn of the Job's plain key.
 */
const AT_ONCE_PREFIX = "AtOnce:";

/** Restarts the controller: it forgets everything and syncs every Job. */
export function restartJobController(process: JobProcess): void {
  const { held } = process.memory;
  process.memory = { ...NEW_MEMORY, held: relistCaches(held, process.objects) };
  for (const job of process.objects.ofKind<Job>("Job")) process.wake(namespacedName(job));
  for (const pod of process.objects.ofKind<Pod>("Pod")) {
    if (hasTrackingFinalizer(pod)) process.wake(POD_KEY_PREFIX + namespacedName(pod));
  }
}

/** Lets the controller hear of no change of a kind up to an instant. */
export function holdCache(process: JobProcess, kind: JobControllerKind, until: EpochMillis): void {
  const { memory, objects } = process;
  setMembers(process, { held: withStaleCache(memory.held, kind, { objects, until }) });
  process.wake(RESUME_WATCH_PREFIX + kind, until - process.now);
}

function resumeWatch(key: string, process: JobProcess): void {
  const kind = key.slice(RESUME_WATCH_PREFIX.length) as JobControllerKind;
  const { held } = process.memory;
  const { until = process.now } = held[kind] ?? {};
  if (until > process.now) {
    process.wake(key, until - process.now);
    return;
  }
  const heard = releaseCache(held, kind);
  setMembers(process, { held: heard.held });
  for (const change of heard.changes) handleChange(change, process);
}

function handleChange(change: Change, process: JobProcess): void {
  if (getChangedObject(change).kind === "Pod") observePod(change, process);
  else observeJob(change, process);
}

function observeJob(change: Change, process: JobProcess): void {
  const { before, after } = change;
  const job = getChangedObject(change) as unknown as Job;
  const isAsked = before?.metadata.generation !== after?.metadata.generation;
  wakeJob(namespacedName(job), process, isAsked);
  // A Job ends only once its Pods are let go, as far as they are seen by then.
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
  const isGoing = pod.metadata.deletionTimestamp !== undefined;
  if (isOwned && !(isGoing && isJobFinished(job))) process.wake(namespacedName(job), BATCH_MS);
  else if (change.after !== undefined && hasTrackingFinalizer(pod))
    process.wake(POD_KEY_PREFIX + namespacedName(pod));
}

/** Requests a sync: at once after a change of the spec, otherwise batched. */
function wakeJob(key: string, process: JobProcess, isAsked: boolean): void {
  if (isAsked) process.wake(AT_ONCE_PREFIX + key);
  else process.wake(key, BATCH_MS);
}

function syncAtOnce(key: string, process: JobProcess, kubernetes: KubernetesMinor): void {
  // A sync is under way, which looks at once itself when it is done.
  if (process.memory.jobs.get(key)?.pendingFlush !== undefined) return;
  syncKey(key, process, kubernetes);
}

function syncKey(key: string, process: JobProcess, kubernetes: KubernetesMinor): void {
  const [namespace = "", name = ""] = key.split("/");
  const job = getVisibleObjects(process, "Job").get<Job>("Job", namespace, name);
  if (job === undefined) {
    setMembers(process, { jobs: process.memory.jobs.delete(key) });
    return;
  }
  if (!isManaged(job) || isJobFinished(job)) return;
  const known = process.memory.jobs.get(key) ?? UNKNOWN_JOB;
  if (known.pendingFlush !== undefined) {
    flush(key, process, known, known.pendingFlush);
    return;
  }
  if (kubernetes !== "1.35" && isAwaitingOwnWrites(job, process)) return;
  const { backOff, rejection, unsettled } = syncJob(
    process,
    { job, ...getVisiblePods(job, process) },
    known.backOff,
    kubernetes,
  );
  const countRejections = (refused: unknown) => (refused === undefined ? 0 : known.rejections + 1);
  if (unsettled?.isWritten) {
    setKnownJob(key, process, {
      backOff,
      rejections: countRejections(rejection),
      pendingFlush: unsettled,
    });
    process.wake(key, WRITE_MS);
    return;
  }
  const failed = (unsettled && flushUncountedPods(process, unsettled)) ?? rejection;
  const rejections = countRejections(failed);
  setKnownJob(key, process, { backOff, rejections });
  if (failed !== undefined) process.wake(key, getRetryDelayMs(rejections));
}

/**
 * Whether the controller has changed something for a Job that it does not see yet: then it waits until it does.
 *
 * @see KEP-5647, from Kubernetes 1.36 on
 */
function isAwaitingOwnWrites(job: Job, process: JobProcess): boolean {
  return jobControllerKinds.some(
    (kind) => findUnseenWriteTime(process, kind, getUid(job)) !== undefined,
  );
}

/** The timeout of expectations: after it the controller no longer waits to see its own writes. */
const EXPECTATIONS_TIMEOUT_MS = 300_000;

/**
 * The Pods of a Job as the controller knows them: those that it sees, and of what it has done without seeing it which Pods it has let
 * go, and that it waits for the others before it makes or stops any.
 */
function getVisiblePods(job: Job, process: JobProcess) {
  const pods = listPods(getUid(job), getVisibleObjects(process, "Pod"));
  const at = findUnseenWriteTime(process, "Pod", getUid(job));
  if (at === undefined) return { pods, isExpecting: false };
  const known = pods.map((pod) => {
    const current = process.objects.current(pod);
    if (!hasTrackingFinalizer(pod) || (current !== undefined && hasTrackingFinalizer(current)))
      return pod;
    return withoutFinalizer(pod as unknown as Stored, TRACKING_FINALIZER) as unknown as Pod;
  });
  return { pods: known, isExpecting: process.now - at < EXPECTATIONS_TIMEOUT_MS };
}

/** Carries out what the last sync wrote down, and looks again soon, as that sync did for lack of time. */
function flush(key: string, process: JobProcess, known: KnownJob, unsettled: PendingFlush): void {
  const { pendingFlush: _, ...settled } = known;
  setKnownJob(key, process, settled);
  flushUncountedPods(process, unsettled);
  const current = getVisibleObjects(process, "Job").current(unsettled.job);
  const isAsked = current?.metadata.generation !== unsettled.job.metadata.generation;
  wakeJob(key, process, isAsked);
}

function setKnownJob(key: string, process: JobProcess, known: KnownJob): void {
  const { jobs } = process.memory;
  const before = jobs.get(key) ?? UNKNOWN_JOB;
  const isSame =
    before.backOff === known.backOff &&
    before.rejections === known.rejections &&
    before.pendingFlush === known.pendingFlush;
  if (!isSame) setMembers(process, { jobs: jobs.set(key, known) });
}

function getRetryDelayMs(rejections: number): number {
  return Math.min(INITIAL_RETRY_MS * 2 ** (rejections - 1), MAX_RETRY_MS);
}

/** Removes the finalizer of a Pod that no Job counts any more. */
function removeOrphanFinalizer(key: string, process: JobProcess): void {
  const [namespace = "", name = ""] = key.slice(POD_KEY_PREFIX.length).split("/");
  const pod = getVisibleObjects(process, "Pod").get<Pod>("Pod", namespace, name);
  if (pod === undefined || !hasTrackingFinalizer(pod)) return;
  const owner = getControllerOf(pod);
  const job = getVisibleObjects(process, "Job").get<Job>("Job", namespace, owner?.name ?? "");
  const isOwned = job !== undefined && getUid(job) === owner?.uid;
  if (!isOwned || (isManaged(job) && isJobFinished(job))) removeTrackingFinalizer(process, pod);
}

/** Whether it is for this controller to manage. */
function isManaged({ spec: { managedBy = BUILT_IN_CONTROLLER } }: Job): boolean {
  return managedBy === BUILT_IN_CONTROLLER;
}

function isJobFinished({ status }: Job): boolean {
  return [JOB_COMPLETE, JOB_FAILED].some((type) => isConditionTrue(status?.conditions, type));
}
