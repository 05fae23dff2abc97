import { controllerOf, type Job, keyOf, type Pod, uidOf } from "@jobset-ts/api/kubernetes";
import { emptyTrie, type Trie } from "@jobset-ts/core/persistent-map";
import { isTrue } from "../api-server/conditions.ts";
import { BUILT_IN_CONTROLLER, JOB_COMPLETE, JOB_FAILED } from "../api-server/job/batch-names.ts";
import { type KubernetesMinor, LATEST_MINOR } from "../api-server/kubernetes-minor.ts";
import { type Change, type Component, objectOf, type Process } from "../kernel/component.ts";
import { type BackOff, NO_BACK_OFF } from "./back-off.ts";
import { removeTracking } from "./manage-pods.ts";
import { isTracked } from "./pod-classes.ts";
import { settleAccounts, type Unsettled } from "./settle-accounts.ts";
import { syncJob } from "./sync-job.ts";

/** What the controller keeps of a Job, by its key; lost when it restarts. */
interface KnownJob {
  readonly backOff: BackOff;
  /** How many syncs in a row had to be given up. */
  readonly refusals: number;
  /** What the last sync left to be done once its status is stored. */
  readonly unsettled?: Unsettled;
}

const UNKNOWN_JOB: KnownJob = { backOff: NO_BACK_OFF, refusals: 0 };

export type JobControllerMemory = Trie<KnownJob>;

type JobProcess = Process<JobControllerMemory>;

/** How long it takes to write a status before what it says is carried out. */
const WRITE_MS = 30;

/** What a burst of changes of Pods has to wait for, so that one sync sees them all. */
const BATCH_MS = 1000;

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** The built-in controller that runs the Pods of Jobs. It sees what is stored, without lag. */
export function jobControllerOf(
  kubernetes: KubernetesMinor = LATEST_MINOR,
): Component<JobControllerMemory> {
  return {
    name: "job-controller",
    memory: emptyTrie(),
    watches: ["Job", "Pod"],
    observe: (change, process) => {
      if (objectOf(change).kind === "Pod") observePod(change, process);
      else observeJob(change, process);
    },
    act: (key, process) => {
      if (key.startsWith(POD_KEY_PREFIX)) releaseOrphan(key, process);
      else if (key.startsWith(AT_ONCE_PREFIX)) {
        syncAtOnce(key.slice(AT_ONCE_PREFIX.length), process, kubernetes);
      } else syncKey(key, process, kubernetes);
    },
  };
}

/** That of the latest minor version. */
export const jobController: Component<JobControllerMemory> = jobControllerOf();

/** Keys of Pods whose Job is gone; no namespace begins like it. */
const POD_KEY_PREFIX = "Pod:";

/**
 * Keys of Jobs that are looked at at once. As in a work queue of Kubernetes, this takes nothing from what waits: a retry or a batch
 * still comes, at its time, as the turn of the Job's own key.
 */
const AT_ONCE_PREFIX = "AtOnce:";

/** Lets the controller begin anew: it knows nothing, and looks at everything. */
export function restartJobController(process: JobProcess): void {
  process.memory = emptyTrie();
  for (const job of process.objects.ofKind<Job>("Job")) process.wake(keyOf(job));
  for (const pod of process.objects.ofKind<Pod>("Pod")) {
    if (isTracked(pod)) process.wake(POD_KEY_PREFIX + keyOf(pod));
  }
}

function observeJob(change: Change, process: JobProcess): void {
  const { before, after } = change;
  const job = objectOf(change) as unknown as Job;
  const isAsked = before?.metadata.generation !== after?.metadata.generation;
  wakeJob(keyOf(job), process, isAsked);
  if (after !== undefined) return;
  for (const owned of process.objects.ownedBy(uidOf(job))) {
    if (owned.kind === "Pod") process.wake(POD_KEY_PREFIX + keyOf(owned));
  }
}

function observePod(change: Change, process: JobProcess): void {
  const pod = objectOf(change) as unknown as Pod;
  const owner = controllerOf(pod);
  const namespace = pod.metadata.namespace ?? "";
  const job =
    owner?.kind === "Job"
      ? process.objects.get<Job>("Job", namespace, owner.name ?? "")
      : undefined;
  if (job !== undefined && uidOf(job) === owner?.uid) process.wake(keyOf(job), BATCH_MS);
  else if (change.after !== undefined && isTracked(pod)) process.wake(POD_KEY_PREFIX + keyOf(pod));
}

/** Asks for a sync: at once where somebody wants something else of the Job, else of all that changes for a while. */
function wakeJob(key: string, process: JobProcess, isAsked: boolean): void {
  if (isAsked) process.wake(AT_ONCE_PREFIX + key);
  else process.wake(key, BATCH_MS);
}

function syncAtOnce(key: string, process: JobProcess, kubernetes: KubernetesMinor): void {
  // A sync is under way, which looks at once itself when it is done.
  if (process.memory.get(key)?.unsettled !== undefined) return;
  syncKey(key, process, kubernetes);
}

function syncKey(key: string, process: JobProcess, kubernetes: KubernetesMinor): void {
  const [namespace = "", name = ""] = key.split("/");
  const job = process.objects.get<Job>("Job", namespace, name);
  if (job === undefined) {
    process.memory = process.memory.delete(key);
    return;
  }
  const { managedBy = BUILT_IN_CONTROLLER } = job.spec;
  if (managedBy !== BUILT_IN_CONTROLLER || hasEnded(job)) return;
  const known = process.memory.get(key) ?? UNKNOWN_JOB;
  if (known.unsettled !== undefined) {
    settle(key, process, known, known.unsettled);
    return;
  }
  const { backOff, refusal, unsettled } = syncJob(process, job, known.backOff, kubernetes);
  const refusalsWith = (refused: unknown) => (refused === undefined ? 0 : known.refusals + 1);
  if (unsettled?.isWritten) {
    remember(key, process, { backOff, refusals: refusalsWith(refusal), unsettled });
    process.wake(key, WRITE_MS);
    return;
  }
  const failed = (unsettled && settleAccounts(process, unsettled)) ?? refusal;
  const refusals = refusalsWith(failed);
  remember(key, process, { backOff, refusals });
  if (failed !== undefined) process.wake(key, retryMs(refusals));
}

/** Carries out what the last sync wrote down, and looks again soon, as that sync did for lack of time. */
function settle(key: string, process: JobProcess, known: KnownJob, unsettled: Unsettled): void {
  const { unsettled: _, ...settled } = known;
  remember(key, process, settled);
  settleAccounts(process, unsettled);
  const current = process.objects.current(unsettled.job);
  const isAsked = current?.metadata.generation !== unsettled.job.metadata.generation;
  wakeJob(key, process, isAsked);
}

function remember(key: string, process: JobProcess, known: KnownJob): void {
  const before = process.memory.get(key) ?? UNKNOWN_JOB;
  const isSame =
    before.backOff === known.backOff &&
    before.refusals === known.refusals &&
    before.unsettled === known.unsettled;
  if (!isSame) process.memory = process.memory.set(key, known);
}

function retryMs(refusals: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (refusals - 1), LONGEST_RETRY_MS);
}

/** Lets go of a Pod that nobody counts any more. */
function releaseOrphan(key: string, process: JobProcess): void {
  const [namespace = "", name = ""] = key.slice(POD_KEY_PREFIX.length).split("/");
  const pod = process.objects.get<Pod>("Pod", namespace, name);
  if (pod === undefined || !isTracked(pod)) return;
  const owner = controllerOf(pod);
  const job = process.objects.get<Job>("Job", namespace, owner?.name ?? "");
  if (job === undefined || uidOf(job) !== owner?.uid) removeTracking(process, pod);
}

function hasEnded({ status }: Job): boolean {
  return [JOB_COMPLETE, JOB_FAILED].some((type) => isTrue(status?.conditions, type));
}
