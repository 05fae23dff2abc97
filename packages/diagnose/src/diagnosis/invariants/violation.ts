import type { ObjectKey } from "@jobset-ts/core";

/** A JobSet invariant that a cluster violates. */
export interface InvariantViolation {
  readonly id: InvariantId;
  /** The violation, as a sentence. */
  readonly message: string;
  /** At most 100. */
  readonly objects: readonly ObjectKey[];
}

/**
 * The invariants that one state of a cluster can violate:
 *
 * - `restarts-add-up`: no count is negative, and none counts more toward the limit than in total
 * - `terminal-state-once`: a JobSet has completed or failed, not both, and its `terminalState` agrees
 * - `conditions-agree`: no two conditions are of one type, startup is not both in progress and completed, and a finished JobSet does not restart
 * - `counts-fit-replicas`: the status has each ReplicatedJob once, and counts no more Jobs than its replicas
 * - `in-place-attempts-ordered`: the previous attempt is not greater than the current one
 * - `attempt-recorded`: no Job has a later restart attempt than the JobSet's status
 * - `no-blocked-creation`: under `BlockingRecreate`, no Job of a new attempt exists beside one of an earlier attempt
 * - `one-job-per-key`: the Pods with one job key belong to one Job
 * - `one-active-leader`: a Job has one active Pod with index 0
 * - `follower-in-leader-domain`: a follower is bound to the domain of its leader, and runs there
 * - `domain-exclusive`: a domain with a leader under exclusive placement holds no Pods of other Jobs of the same priority
 * - `pods-add-up`: no Pod of a Job has a contradictory state or counts twice
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

/** Creates a violation. */
export function createViolation(
  id: InvariantId,
  message: string,
  objects: readonly ObjectKey[],
): InvariantViolation {
  return { id, message, objects: objects.slice(0, MAX_OBJECTS) };
}
