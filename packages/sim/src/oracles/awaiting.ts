import type { Instant } from "@jobset-ts/api";
import { emptyTrie, type Trie } from "@jobset-ts/core/persistent-map";
import type { Objects, Stored } from "../api-server/objects.ts";
import type { Advanced } from "../kernel/advance.ts";
import { BEGINNING } from "../kernel/cluster.ts";
import type { Change } from "../kernel/component.ts";
import { TurnQueue } from "../kernel/turn-queue.ts";
import type { Violation } from "./oracle.ts";

/**
 * A sentence about what has to come about: something begins it, and after a time nothing of it may be missing any more. The
 * time counts from what began it, or began it anew, and not before all is over that goes wrong for a time.
 *
 * @example livenessOracles.find(({ name }) => name === "suspensionTakesEffect")?.withinMs // => 300000
 */
export interface LivenessOracle {
  readonly name: string;
  readonly sentence: string;
  /** Milliseconds of virtual time. */
  readonly withinMs: number;
  /** What it is about that a change begins. */
  readonly begins: (change: Change, objects: Objects) => Begun | undefined;
  /** What is still missing; `undefined` where nothing is, or it is of no use any more. */
  readonly missing: (subject: Stored, objects: Objects) => string | undefined;
}

/** What a change has begun. */
export interface Begun {
  readonly subject: Stored;
  /** How much later than usual it has to be there. */
  readonly laterMs?: number;
}

/** All that has begun and was not looked at since: a value, as the cluster is. */
export interface Awaited {
  readonly begun: Trie<{ readonly subject: Stored; readonly since: Instant }>;
  /** When to look, by the name of the oracle and the UID. */
  readonly due: TurnQueue;
}

export const NOTHING_AWAITED: Awaited = { begun: emptyTrie(), due: TurnQueue.empty };

/**
 * With what begins by a turn.
 *
 * @param calmAt - when nothing goes wrong for a time any more
 */
export function awaiting(
  oracles: readonly LivenessOracle[],
  awaited: Awaited,
  { cluster, changes }: Advanced,
  calmAt: Instant,
): Awaited {
  let { begun, due } = awaited;
  for (const change of changes) {
    for (const [rank, { name, withinMs, begins }] of oracles.entries()) {
      const begin = begins(change, cluster.objects);
      if (begin === undefined) continue;
      const { subject, laterMs = 0 } = begin;
      const key = subject.metadata.uid ?? "";
      const at = Math.max(cluster.now, calmAt) + withinMs + laterMs;
      begun = begun.set(`${name} ${key}`, { subject, since: cluster.now });
      due = due.without(name, key).with({ at, rank, order: change.revision, component: name, key });
    }
  }
  return begun === awaited.begun ? awaited : { begun, due };
}

/**
 * What is missing of all that had to be there before an instant, in a cluster in which nothing happens until then.
 *
 * @param until - infinite where nothing happens any more
 */
export function overdue(
  oracles: readonly LivenessOracle[],
  awaited: Awaited,
  objects: Objects,
  until: Instant,
): { readonly awaited: Awaited; readonly violations: readonly Violation[] } {
  let { begun, due } = awaited;
  const violations: Violation[] = [];
  for (let first = due.first; first !== undefined && first.at < until; first = due.first) {
    due = due.rest();
    const { component, key, at } = first;
    const oracle = oracles.find(({ name }) => name === component);
    const own = begun.get(`${component} ${key}`);
    begun = begun.delete(`${component} ${key}`);
    if (oracle === undefined || own === undefined) continue;
    const missing = oracle.missing(own.subject, objects);
    if (missing === undefined) continue;
    const { name, sentence } = oracle;
    const message = `${missing}, since ${(own.since - BEGINNING) / 1000} s`;
    violations.push({ oracle: name, sentence, at, message });
  }
  return { awaited: due === awaited.due ? awaited : { begun, due }, violations };
}
