import { getName, type Job, namespacedName, type Pod } from "@jobset-ts/api/kubernetes";
import type { ServerRejection } from "../api-server/api-request.ts";
import { withoutFinalizer } from "../api-server/deletion.ts";
import { TRACKING_FINALIZER } from "../api-server/job/batch-constants.ts";
import { findLowestFreeIndexes } from "../api-server/job/index-set.ts";
import type { Stored } from "../api-server/objects.ts";
import type { Process } from "../kernel/component.ts";
import { type BackOff, getRemainingBackOff, getRemainingIndexBackOff } from "./back-off.ts";
import type { JobView } from "./job-view.ts";
import { createPodBody } from "./pod-body.ts";
import {
  getIndex,
  hasTrackingFinalizer,
  isReady,
  isTerminating,
  replacesOnlyFinishedPods,
} from "./pod-state.ts";
import { findSurplusPods } from "./surplus-pods.ts";

/** The Pods of a Job after a sync has created or deleted some. */
export interface PodChanges {
  readonly activeCount: number;
  readonly readyCount: number;
  readonly terminatingCount: number;
  /** The error of the first rejected creation. */
  readonly rejection?: ServerRejection;
}

type AnyProcess = Process<unknown>;

/** The maximum number of Pods that one sync creates or deletes. */
const MAX_PODS_PER_SYNC = 500;

/** Creates missing Pods or deletes surplus Pods, never both in one sync. */
export function managePods(process: AnyProcess, view: JobView, backOff: BackOff): PodChanges {
  const { job, active } = view;
  const wantedCount = job.spec.suspend ? 0 : getWantedActiveCount(view);
  const surplus = findSurplusPods(job, active, Math.max(0, active.length - wantedCount));
  if (surplus.length > 0) {
    const stopped = job.spec.suspend ? surplus : surplus.slice(0, MAX_PODS_PER_SYNC);
    for (const pod of stopped) removeTrackingFinalizer(process, pod);
    return stopPods(process, view, stopped);
  }
  const replacing = replacesOnlyFinishedPods(job) ? view.terminatingCount : 0;
  const missingCount = Math.min(wantedCount - active.length - replacing, MAX_PODS_PER_SYNC);
  if (missingCount <= 0) return createUnchangedResult(view);
  if (view.indexes === undefined) {
    const pause = getRemainingBackOff(backOff, process.clock);
    if (pause > 0) return retryLater(process, view, pause);
    return createPods(
      process,
      view,
      Array.from({ length: missingCount }, () => createPodBody(job)),
    );
  }
  return createIndexes(process, view, missingCount, backOff);
}

/** Deletes active Pods. A Pod with the tracking finalizer is counted when it finishes. */
export function stopPods(process: AnyProcess, view: JobView, stopped: readonly Pod[]): PodChanges {
  for (const pod of stopped) {
    const object = { kind: "Pod", metadata: pod.metadata };
    // The Pod is gone already, and the cache is late.
    if (!process.request({ verb: "delete", object }).ok) continue;
    reportEvent(process, view.job, "Normal", "SuccessfulDelete", `Deleted pod: ${getName(pod)}`);
  }
  return {
    activeCount: view.active.length - stopped.length,
    readyCount: view.readyCount - stopped.filter(isReady).length,
    terminatingCount: view.terminatingCount + stopped.length,
  };
}

/** Removes the tracking finalizer of a Pod that is counted or needs no count. */
export function removeTrackingFinalizer(process: AnyProcess, pod: Pod): void {
  const current = process.objects.current(pod);
  if (current === undefined || !hasTrackingFinalizer(current)) return;
  const object = withoutFinalizer(current as unknown as Stored, TRACKING_FINALIZER);
  process.request({ verb: "update", object });
}

function getWantedActiveCount({ job, active, succeededCount }: JobView): number {
  const { parallelism = 1, completions } = job.spec;
  if (completions !== undefined) {
    return Math.max(0, Math.min(parallelism, completions - succeededCount));
  }
  return succeededCount > 0 ? active.length : parallelism;
}

/** Creates Pods for the lowest missing indexes whose back-off is over. */
function createIndexes(
  process: AnyProcess,
  view: JobView,
  count: number,
  backOff: BackOff,
): PodChanges {
  const { job, indexes } = view;
  if (indexes === undefined) return createUnchangedResult(view);
  const { succeeded, failed, unreplaced } = indexes;
  const getIndexes = (pods: readonly Pod[]) =>
    new Set(pods.map((pod) => getIndex(pod, job)).filter((index) => index !== undefined));
  const usedIndexes = [succeeded, getIndexes(view.active)];
  if (replacesOnlyFinishedPods(job)) usedIndexes.push(getIndexes(view.pods.filter(isTerminating)));
  if (failed !== undefined) usedIndexes.push(failed);
  const bound = job.spec.completions ?? 0;
  const missing = findLowestFreeIndexes(usedIndexes, { bound, count });
  const getPauseMs = (index: number) => {
    if (failed === undefined) return getRemainingBackOff(backOff, process.clock);
    const replaced = unreplaced.get(index);
    return replaced === undefined ? 0 : getRemainingIndexBackOff(replaced, process.clock);
  };
  const now = missing.filter((index) => getPauseMs(index) === 0);
  if (now.length === 0) {
    return missing.length === 0
      ? createUnchangedResult(view)
      : retryLater(process, view, Math.min(...missing.map(getPauseMs)));
  }
  return createPods(
    process,
    view,
    now.map((index) => createPodBody(job, index, unreplaced.get(index))),
  );
}

/** Creates Pods in batches of 1, 2, 4 and so on. A rejection stops after its batch. */
function createPods(
  process: AnyProcess,
  view: JobView,
  pods: readonly ReturnType<typeof createPodBody>[],
): PodChanges {
  let created = 0;
  let rejection: ServerRejection | undefined;
  for (
    let [at, size] = [0, 1];
    at < pods.length && rejection === undefined;
    at += size, size *= 2
  ) {
    for (const pod of pods.slice(at, at + size)) {
      const reply = process.request({ verb: "create", object: pod });
      if (reply.ok) {
        created += 1;
        const name = getName(reply.object);
        reportEvent(process, view.job, "Normal", "SuccessfulCreate", `Created pod: ${name}`);
      } else {
        rejection ??= reply;
        reportEvent(
          process,
          view.job,
          "Warning",
          "FailedCreate",
          `Error creating: ${reply.message}`,
        );
      }
    }
  }
  const activeCount = view.active.length + created;
  const { readyCount, terminatingCount } = view;
  return { activeCount, readyCount, terminatingCount, ...(rejection && { rejection }) };
}

function retryLater(process: AnyProcess, view: JobView, pauseMs: number): PodChanges {
  process.wake(namespacedName(view.job), pauseMs);
  return createUnchangedResult(view);
}

function createUnchangedResult({ active, readyCount, terminatingCount }: JobView): PodChanges {
  return { activeCount: active.length, readyCount, terminatingCount };
}

function reportEvent(
  process: AnyProcess,
  about: Job,
  type: "Normal" | "Warning",
  reason: string,
  message: string,
): void {
  process.report({ about, type, reason, message });
}
