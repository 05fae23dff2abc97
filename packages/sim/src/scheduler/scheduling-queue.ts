import type { EpochMillis } from "@jobset-ts/api";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { withMembers } from "../with-members.ts";
import type { Filter } from "./node-filters.ts";
import type { PodInfo } from "./pod-info.ts";

/** A Pod that waits for a node. */
export interface QueuedPod {
  readonly pod: PodInfo;
  /** Its place among Pods of one priority. */
  readonly order: number;
  readonly attempts: number;
  readonly triedAt: EpochMillis;
  /** The filters that excluded the nodes. Empty if there were no nodes. */
  readonly filters: ReadonlySet<Filter>;
  /** The resourceVersion at which it was last told in an Event why it waits; none before. */
  readonly reportedVersion: string;
}

/**
 * The Pods without a node, by UID, as an immutable value: those to try, those that may be tried again but have not sat out
 * their back-off, and those that wait for something to change.
 *
 * As in the scheduler since 1.33, who sits out a back-off lets others go first, and is tried when there are none.
 */
export interface SchedulingQueue {
  readonly active: PersistentMap<QueuedPod>;
  readonly backingOff: PersistentMap<QueuedPod>;
  readonly waiting: PersistentMap<QueuedPod>;
  /** Counts what was put in. */
  readonly orders: number;
}

export const EMPTY_QUEUE: SchedulingQueue = {
  active: emptyMap(),
  backingOff: emptyMap(),
  waiting: emptyMap(),
  orders: 0,
};

/** With a Pod that is new, or that has changed so that it is worth a try. */
export function withNewPod(queue: SchedulingQueue, pod: PodInfo): SchedulingQueue {
  const known = findQueuedPod(queue, pod.uid);
  const order = queue.orders + 1;
  const queued = { ...NO_ATTEMPTS, ...known, pod, order };
  const rest = withoutQueued(queue, pod.uid);
  return withMembers(rest, { active: rest.active.set(pod.uid, queued), orders: order });
}

const NO_ATTEMPTS = { attempts: 0, triedAt: 0, filters: new Set<Filter>(), reportedVersion: "" };

/** With another version of a Pod that does not change its chances. */
export function withUpdatedPod(queue: SchedulingQueue, pod: PodInfo): SchedulingQueue {
  for (const part of PARTS) {
    const queued = queue[part].get(pod.uid);
    if (queued !== undefined) {
      return withMembers(queue, { [part]: queue[part].set(pod.uid, withMembers(queued, { pod })) });
    }
  }
  return queue;
}

/** With a Pod that no node took. */
export function withUnschedulable(queue: SchedulingQueue, refused: QueuedPod): SchedulingQueue {
  const order = queue.orders + 1;
  const { uid } = refused.pod;
  return {
    ...withoutQueued(queue, uid),
    waiting: queue.waiting.set(uid, { ...refused, order }),
    orders: order,
  };
}

/** With waiting Pods that may be tried again. */
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

/** With those to try whose back-off is over. */
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

/** A Pod in the queue; `undefined` when it is in none. */
export function findQueuedPod(queue: SchedulingQueue, uid: string): QueuedPod | undefined {
  return queue.active.get(uid) ?? queue.backingOff.get(uid) ?? queue.waiting.get(uid);
}

/** The Pods to try next, in their order: by priority and then by age. */
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

/** For how long, in milliseconds, a Pod backs off after so many attempts: 1 s, 2 s, 4 s, 8 s, and 10 s from then on. */
function getBackOffMs(attempts: number): number {
  return Math.min(10, 2 ** Math.max(0, attempts - 1)) * 1000;
}

/**
 * Returns when a Pod that found no nodes at all is tried again. It waits as after an error, in a queue that is flushed
 * once a second, and no change releases it earlier.
 *
 * @see Kubernetes 1.36 `backoffQueue`, `podErrorBackoffQ`
 */
export function getNoNodeRetryTime({ attempts, triedAt }: QueuedPod): EpochMillis {
  return (Math.floor((triedAt + getBackOffMs(attempts)) / 1000) + 1) * 1000;
}

/**
 * Returns a queued Pod after the attempts that it has had without any node since. They have no effect, so they take no
 * turns.
 */
export function withNoNodeRetries(
  queued: QueuedPod,
  toldVersion: string,
  now: EpochMillis,
): QueuedPod {
  let last = queued;
  for (let at = getNoNodeRetryTime(last); at <= now; at = getNoNodeRetryTime(last)) {
    last = withMembers(last, {
      attempts: last.attempts + 1,
      triedAt: at,
      reportedVersion: toldVersion,
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
