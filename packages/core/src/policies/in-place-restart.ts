import {
  type FeatureGates,
  type JobSet,
  parseIntegerLabel,
  type Unvalidated,
} from "@jobset-ts/api";
import { IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { MAX_INT32 } from "@jobset-ts/api/typed";
import {
  asArray,
  asInteger,
  asString,
  getAnnotation,
  getReplicas,
  getReplicatedJobs,
  getRestarts,
} from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";

/** The action for the restart attempts that the Pods announce. */
export type InPlaceRestartDecision =
  /** The JobSet has another strategy, the Pods are just starting, nothing has changed, or the snapshot is old. */
  | { readonly action: "None" }
  /** The required gate is off, so the agents wait at their barrier forever. */
  | { readonly action: "GateOff" }
  /** More restarts than allowed, by one of the counters. */
  | {
      readonly action: "FailJobSet";
      readonly counted: "ContainerRestarts" | "RestartAttempts";
      readonly attempts: number;
    }
  /** All Pods have reached the attempt and may continue. */
  | { readonly action: "SetCurrentAttempt"; readonly attempt: number }
  /** At least one Pod is ahead: all Pods at this attempt or below have to restart. */
  | { readonly action: "SetPreviousAttempt"; readonly attempt: number }
  | {
      readonly action: "Refuse";
      readonly message: string;
      readonly object: { readonly kind: string; readonly name: string };
    };

/** Reports whether a JobSet uses in-place restart: it needs both the strategy and the gate. */
export function isInPlaceRestart(
  jobSet: Unvalidated<JobSet>,
  context: { readonly features: FeatureGates },
): boolean {
  return (
    jobSet?.spec?.failurePolicy?.restartStrategy === "InPlaceRestart" &&
    context.features.has("InPlaceRestart")
  );
}

/**
 * Evaluates the progress of the Pods of a JobSet with in-place restart (gate `InPlaceRestart`).
 *
 * @param pods - the Pods of the JobSet's Jobs
 * @see KEP-467
 */
export function evaluateInPlaceRestart(
  jobSet: Unvalidated<JobSet>,
  pods: readonly Unvalidated<Pod>[],
  context: { readonly features: FeatureGates; readonly quirks: Quirks },
): InPlaceRestartDecision {
  const policy = jobSet?.spec?.failurePolicy;
  if (policy?.restartStrategy !== "InPlaceRestart") return { action: "None" };
  if (!context.features.has("InPlaceRestart")) return { action: "GateOff" };
  const maxRestarts = asInteger(policy.maxRestarts, 0);
  const observed = asArray(pods);

  const containerRestarts = findMax(observed.map(getContainerRestarts));
  if (containerRestarts > maxRestarts) {
    return { action: "FailJobSet", counted: "ContainerRestarts", attempts: containerRestarts };
  }

  const announced = announcedAttempts(observed, context.quirks);
  if (!announced.ok) return announced.rejection;
  const { attempts } = announced;
  const highest = findMax(attempts);
  const uncounted = getRestarts(jobSet) - asInteger(jobSet.status?.restartsCountTowardsMax, 0);
  if (highest - uncounted > maxRestarts) {
    return { action: "FailJobSet", counted: "RestartAttempts", attempts: highest - uncounted };
  }

  const expected = countExpectedPods(jobSet);
  if (typeof expected !== "number") return expected;
  const first = attempts[0];
  if (
    first !== undefined &&
    attempts.length === expected &&
    attempts.every((attempt) => attempt === first)
  ) {
    const current = jobSet.status?.currentInPlaceRestartAttempt;
    // Pods never return to an earlier attempt, so this is an old state. An agent that trusted it would restart alone.
    const isOld = first < asInteger(current, 0) && !context.quirks.has("CurrentAttemptFalls");
    return isOld || first === current
      ? { action: "None" }
      : { action: "SetCurrentAttempt", attempt: first };
  }
  if (highest === 0) return { action: "None" };
  const previous = jobSet.status?.previousInPlaceRestartAttempt;
  return typeof previous === "number" && previous >= highest - 1
    ? { action: "None" }
    : { action: "SetPreviousAttempt", attempt: highest - 1 };
}

/** Returns the highest restart count of any container of a Pod, init containers included. */
function getContainerRestarts(pod: Unvalidated<Pod>): number {
  const statuses = [
    ...asArray(pod?.status?.initContainerStatuses),
    ...asArray(pod?.status?.containerStatuses),
  ];
  return findMax(statuses.map((status) => asInteger(status?.restartCount, 0)));
}

/** Returns the announced attempts of Pods that have not failed. A Pod may not have announced one yet. */
function announcedAttempts(
  pods: readonly Unvalidated<Pod>[],
  quirks: Quirks,
):
  | { readonly ok: true; readonly attempts: readonly number[] }
  | { readonly ok: false; readonly rejection: InPlaceRestartDecision } {
  const attempts: number[] = [];
  const countsFailed = quirks.has("FailedPodsRestartInPlace");
  for (const pod of pods) {
    if (pod?.status?.phase === "Failed" && !countsFailed) continue;
    const text = getAnnotation(pod, IN_PLACE_RESTART_ATTEMPT_KEY);
    if (text === undefined) continue;
    const attempt = parseIntegerLabel(text);
    if (!attempt.ok || attempt.value < 0 || attempt.value > MAX_INT32) {
      const message = `invalid value for annotation ${IN_PLACE_RESTART_ATTEMPT_KEY}, must be non-negative integer`;
      const refusal = {
        action: "Refuse",
        message,
        object: { kind: "Pod", name: asString(pod?.metadata?.name) },
      } as const;
      return { ok: false, rejection: refusal };
    }
    attempts.push(attempt.value);
  }
  return { ok: true, attempts };
}

/** Returns the expected number of Pods, or the ReplicatedJob whose number of Pods is unknown. */
function countExpectedPods(jobSet: Unvalidated<JobSet>): number | InPlaceRestartDecision {
  let expected = 0;
  for (const replicatedJob of getReplicatedJobs(jobSet)) {
    const { parallelism, completions } = replicatedJob.template?.spec ?? {};
    if (typeof parallelism !== "number" || parallelism !== completions) {
      const name = asString(replicatedJob.name);
      const message = `${name}: in-place restart requires jobTemplate.spec.completions == jobTemplate.spec.parallelism != nil`;
      return { action: "Refuse", message, object: { kind: "ReplicatedJob", name } };
    }
    expected += getReplicas(replicatedJob) * parallelism;
  }
  return expected;
}

/** Returns the largest of some numbers, or 0 if there are none or all are negative. */
function findMax(numbers: readonly number[]): number {
  return numbers.reduce((max, number) => Math.max(max, number), 0);
}
