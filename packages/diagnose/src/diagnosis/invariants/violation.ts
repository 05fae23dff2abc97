import type { ObjectKey } from "@jobset-ts/core";

/** An invariant of JobSet's that a cluster breaks. */
export interface InvariantViolation {
  readonly id: InvariantId;
  /** What is so, in a sentence. */
  readonly message: string;
  /** A hundred at most. */
  readonly objects: readonly ObjectKey[];
}

/**
 * The invariants that can be judged from one state of a cluster:
 *
 * - `restarts-add-up`: no count is negative, and none counts more towards the limit than it counts in all
 * - `terminal-state-once`: a JobSet has completed or failed, not both, and its `terminalState` says the same
 * - `conditions-agree`: no two conditions are of one type, startup is in progress or completed, and what has ended does not restart
 * - `counts-fit-replicas`: the status has each ReplicatedJob once, and no more Jobs of it than there are to be
 * - `in-place-attempts-ordered`: the attempt that Pods have left is not beyond the one they are to reach
 * - `attempt-recorded`: no Job is of a restart attempt that the JobSet's status does not know yet
 * - `no-blocked-creation`: under `BlockingRecreate`, no Job of a new attempt exists beside one of an earlier attempt
 * - `one-job-per-key`: the Pods with one job key belong to one Job
 * - `one-active-leader`: a Job has one active Pod of index 0
 * - `follower-in-leader-domain`: a follower is bound to the domain of its leader, and runs there
 * - `domain-exclusive`: a domain with a leader under exclusive placement holds no Pods of other Jobs of the same priority
 * - `pods-add-up`: the Pods of a Job are not counted twice or contradict themselves
 */
export type InvariantId =
  | "restarts-add-up"
  | "terminal-state-once"
  | "conditions-agree"
  | "counts-fit-replicas"
  | "in-place-attempts-ordered"
  | "attempt-recorded"
  | "no-blocked-creation"
  | "one-job-per-key"
  | "one-active-leader"
  | "follower-in-leader-domain"
  | "domain-exclusive"
  | "pods-add-up";

const MAX_OBJECTS = 100;

/** An invariant that is broken, in a sentence. */
export function createViolation(
  id: InvariantId,
  message: string,
  objects: readonly ObjectKey[],
): InvariantViolation {
  return { id, message, objects: objects.slice(0, MAX_OBJECTS) };
}
