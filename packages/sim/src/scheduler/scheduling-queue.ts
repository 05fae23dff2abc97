import type { EpochMillis } from "@jobset-ts/api";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { withMembers } from "../with-members.ts";
import type { Filter } from "./node-filters.ts";
import type { PodFacts } from "./pod-facts.ts";

/** A Pod that waits for a node. */
export interface QueuedPod {
  readonly pod: PodFacts;
  /** Its place among Pods of one priority. */
  readonly order: number;
  readonly attempts: number;
  readonly triedAt: EpochMillis;
  /** The filters that excluded the nodes. Empty if there were no nodes. */
  readonly filters: ReadonlySet<Filter>;
  /** The resourceVersion at which it was last told in an Event why it waits; none before. */
  readonly toldVersion: string;
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
export function withArrived(queue: SchedulingQueue, pod: PodFacts): SchedulingQueue {
  const known = queuedPod(queue, pod.uid);
  const order = queue.orders + 1;
  const queued = { ...UNTRIED, ...known, pod, order };
  const rest = withoutQueued(queue, pod.uid);
  return withMembers(rest, { active: rest.active.set(pod.uid, queued), orders: order });
}

const UNTRIED = { attempts: 0, triedAt: 0, filters: new Set<Filter>(), toldVersion: "" };

/** With another version of a Pod that does not change its chances. */
export function withChanged(queue: SchedulingQueue, pod: PodFacts): SchedulingQueue {
  for (const part of PARTS) {
    const queued = queue[part].get(pod.uid);
    if (queued !== undefined) {
      return withMembers(queue, { [part]: queue[part].set(pod.uid, withMembers(queued, { pod })) });
    }
  }
  return queue;
}

/** With a Pod that no node took. */
export function withRefused(queue: SchedulingQueue, refused: QueuedPod): SchedulingQueue {
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
export function withEndedBackOffs(queue: SchedulingQueue, now: EpochMillis): SchedulingQueue {
  let { active, backingOff } = queue;
  for (const [uid, queued] of queue.backingOff.entries()) {
    if (backOffEnd(queued) > now) continue;
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
export function queuedPod(queue: SchedulingQueue, uid: string): QueuedPod | undefined {
  return queue.active.get(uid) ?? queue.backingOff.get(uid) ?? queue.waiting.get(uid);
}

/** The Pods to try next, in their order: by priority and then by age. */
export function nextInQueue({ active, backingOff }: SchedulingQueue): readonly QueuedPod[] {
  if (active.size > 0) {
    return listValues(active).sort(
      (one, other) => other.pod.priority - one.pod.priority || one.order - other.order,
    );
  }
  return listValues(backingOff).sort(
    (one, other) =>
      Math.floor(backOffEnd(one) / 1000) - Math.floor(backOffEnd(other) / 1000) ||
      other.pod.priority - one.pod.priority ||
      one.order - other.order,
  );
}

/** For how long, in milliseconds, a Pod backs off after so many attempts: 1 s, 2 s, 4 s, 8 s, and 10 s from then on. */
function backOffMs(attempts: number): number {
  return Math.min(10, 2 ** Math.max(0, attempts - 1)) * 1000;
}

/**
 * Returns when a Pod that found no nodes at all is tried again. It waits as after an error, in a queue that is flushed
 * once a second, and no change releases it earlier.
 *
 * @see Kubernetes 1.36 `backoffQueue`, `podErrorBackoffQ`
 */
export function nextVainTry({ attempts, triedAt }: QueuedPod): EpochMillis {
  return (Math.floor((triedAt + backOffMs(attempts)) / 1000) + 1) * 1000;
}

/**
 * Returns a queued Pod after the attempts that it has had without any node since. They have no effect, so they take no
 * turns.
 */
export function withVainTries(queued: QueuedPod, toldVersion: string, now: EpochMillis): QueuedPod {
  let last = queued;
  for (let at = nextVainTry(last); at <= now; at = nextVainTry(last)) {
    last = withMembers(last, { attempts: last.attempts + 1, triedAt: at, toldVersion });
  }
  return last;
}

function backOffEnd({ attempts, triedAt }: QueuedPod): EpochMillis {
  return attempts === 0 ? 0 : triedAt + backOffMs(attempts);
}

const PARTS = ["active", "backingOff", "waiting"] as const;

function listValues<Value>(trie: PersistentMap<Value>): Value[] {
  return Array.from(trie.entries(), ([, value]) => value);
}
