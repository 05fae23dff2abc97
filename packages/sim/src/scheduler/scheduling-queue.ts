import type { EpochMillis } from "@jobset-ts/api";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { withMembers } from "../with-members.ts";
import type { Filter } from "./node-filters.ts";
import type { PodInfo } from "./pod-info.ts";

/** A Pod that waits for a node. */
export interface QueuedPod {
  readonly pod: PodInfo;
  /** The position among Pods of the same priority. */
  readonly order: number;
  readonly attempts: number;
  readonly triedAt: EpochMillis;
  /** The filters that excluded the nodes. Empty if there were no nodes. */
  readonly filters: ReadonlySet<Filter>;
  /** The resourceVersion of the Pod at its last Event about the failure. Empty if there was none. */
  readonly reportedVersion: string;
}

/**
 * The Pods without a node, by UID, as an immutable value: active Pods, Pods in back-off, and Pods that wait for a
 * cluster change.
 *
 * As in the scheduler since 1.33, a Pod in back-off lets others go first, and is tried when there are none.
 */
export interface SchedulingQueue {
  readonly active: PersistentMap<QueuedPod>;
  readonly backingOff: PersistentMap<QueuedPod>;
  readonly waiting: PersistentMap<QueuedPod>;
  /** The number of Pods added so far. */
  readonly orders: number;
}

export const EMPTY_QUEUE: SchedulingQueue = {
  active: emptyMap(),
  backingOff: emptyMap(),
  waiting: emptyMap(),
  orders: 0,
};

/** Adds a Pod that is new or whose change may make it schedulable. */
export function withNewPod(queue: SchedulingQueue, pod: PodInfo): SchedulingQueue {
  const known = findQueuedPod(queue, pod.uid);
  const order = queue.orders + 1;
  const { attempts = 0, triedAt = 0, filters = NO_FILTERS, reportedVersion = "" } = known ?? {};
  const queued = { pod, order, attempts, triedAt, filters, reportedVersion };
  const rest = withoutQueued(queue, pod.uid);
  return withMembers(rest, { active: rest.active.set(pod.uid, queued), orders: order });
}

const NO_FILTERS: ReadonlySet<Filter> = new Set();

/** Replaces a Pod with another version that is at least as hard to schedule. */
export function withUpdatedPod(queue: SchedulingQueue, pod: PodInfo): SchedulingQueue {
  for (const part of PARTS) {
    const queued = queue[part].get(pod.uid);
    if (queued !== undefined) {
      return withMembers(queue, { [part]: queue[part].set(pod.uid, withMembers(queued, { pod })) });
    }
  }
  return queue;
}

/** Adds a Pod for which no node is feasible. */
export function withUnschedulable(
  queue: SchedulingQueue,
  unschedulable: QueuedPod,
): SchedulingQueue {
  const order = queue.orders + 1;
  const { uid } = unschedulable.pod;
  return {
    ...withoutQueued(queue, uid),
    waiting: queue.waiting.set(uid, { ...unschedulable, order }),
    orders: order,
  };
}

/** Moves waiting Pods to the active queue, or to the back-off queue. */
export function withRequeued(
  queue: SchedulingQueue,
  requeued: readonly QueuedPod[],
): SchedulingQueue {
  let { backingOff, waiting } = queue;
  for (const queued of requeued) {
    const { uid } = queued.pod;
    waiting = waiting.delete(uid);
    backingOff = backingOff.set(uid, queued);
  }
  return withMembers(queue, { backingOff, waiting });
}

/** Moves Pods whose back-off is over to the active queue. */
export function withExpiredBackOffs(queue: SchedulingQueue, now: EpochMillis): SchedulingQueue {
  let { active, backingOff } = queue;
  for (const [uid, queued] of queue.backingOff.entries()) {
    if (getBackOffEnd(queued) > now) continue;
    active = active.set(uid, queued);
    backingOff = backingOff.delete(uid);
  }
  return backingOff === queue.backingOff ? queue : withMembers(queue, { active, backingOff });
}

export function withoutQueued(queue: SchedulingQueue, uid: string): SchedulingQueue {
  return {
    ...queue,
    active: queue.active.delete(uid),
    backingOff: queue.backingOff.delete(uid),
    waiting: queue.waiting.delete(uid),
  };
}

/** Adds a Pod that keeps waiting to the queue. */
export function withWaiting(queue: SchedulingQueue, queued: QueuedPod): SchedulingQueue {
  return withMembers(queue, { waiting: queue.waiting.set(queued.pod.uid, queued) });
}

/** Returns a queued Pod. `undefined` if no queue has it. */
export function findQueuedPod(queue: SchedulingQueue, uid: string): QueuedPod | undefined {
  return queue.active.get(uid) ?? queue.backingOff.get(uid) ?? queue.waiting.get(uid);
}

/** Returns the Pods to try next, by priority and then by age. */
export function listNextPods({ active, backingOff }: SchedulingQueue): readonly QueuedPod[] {
  if (active.size > 0) {
    return listValues(active).sort(
      (one, other) => other.pod.priority - one.pod.priority || one.order - other.order,
    );
  }
  return listValues(backingOff).sort(
    (one, other) =>
      Math.floor(getBackOffEnd(one) / 1000) - Math.floor(getBackOffEnd(other) / 1000) ||
      other.pod.priority - one.pod.priority ||
      one.order - other.order,
  );
}

/** Returns the back-off in milliseconds after this number of attempts: 1 s, 2 s, 4 s, 8 s, and then 10 s. */
function getBackOffMs(attempts: number): number {
  return Math.min(10, 2 ** Math.max(0, attempts - 1)) * 1000;
}

/**
 * Returns when a Pod that found no nodes at all is tried again. It waits as after an error, in a queue that is flushed
 * every second. No change releases it earlier.
 *
 * @see Kubernetes 1.36 `backoffQueue`, `podErrorBackoffQ`
 */
export function getNoNodeRetryTime({ attempts, triedAt }: QueuedPod): EpochMillis {
  return (Math.floor((triedAt + getBackOffMs(attempts)) / 1000) + 1) * 1000;
}

/** Returns a queued Pod after the attempts without any node since then. They have no effect, so they take no turns. */
export function withNoNodeRetries(
  queued: QueuedPod,
  reportedVersion: string,
  now: EpochMillis,
): QueuedPod {
  let last = queued;
  for (let at = getNoNodeRetryTime(last); at <= now; at = getNoNodeRetryTime(last)) {
    last = withMembers(last, {
      attempts: last.attempts + 1,
      triedAt: at,
      reportedVersion,
    });
  }
  return last;
}

function getBackOffEnd({ attempts, triedAt }: QueuedPod): EpochMillis {
  return attempts === 0 ? 0 : triedAt + getBackOffMs(attempts);
}

const PARTS = ["active", "backingOff", "waiting"] as const;

function listValues<Value>(trie: PersistentMap<Value>): Value[] {
  return Array.from(trie.entries(), ([, value]) => value);
}
