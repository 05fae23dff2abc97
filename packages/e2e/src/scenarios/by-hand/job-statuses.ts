// The statuses that the Job controller writes. The API server validates the transitions between them.
import type { Stored } from "../../cluster.ts";

/** The Job's Pods are running and ready. */
export function ready(pods = 1): Stored {
  return { startTime: now(), active: pods, ready: pods, terminating: 0 };
}

/** The Job is suspended. */
export function suspended(): Stored {
  return {
    active: 0,
    ready: 0,
    conditions: [getCondition("Suspended", "JobSuspended", "Job suspended")],
  };
}

/** The Job's Pods have succeeded. */
export function complete(pods = 1): Stored {
  const words = ["CompletionsReached", "Reached expected number of succeeded pods"] as const;
  return {
    startTime: now(),
    completionTime: now(),
    active: 0,
    ready: 0,
    terminating: 0,
    succeeded: pods,
    conditions: [getCondition("SuccessCriteriaMet", ...words), getCondition("Complete", ...words)],
  };
}

/** @param secondsAgo - when it failed */
export function failed({
  reason = "BackoffLimitExceeded",
  message = "Job has reached the specified backoff limit",
  secondsAgo = 0,
} = {}): Stored {
  const at = new Date(Date.now() - secondsAgo * 1_000).toISOString();
  return {
    startTime: at,
    active: 0,
    ready: 0,
    terminating: 0,
    failed: 1,
    conditions: [
      getCondition("FailureTarget", reason, message, at),
      getCondition("Failed", reason, message, at),
    ],
  };
}

function getCondition(type: string, reason: string, message: string, at = now()): Stored {
  return { type, status: "True", reason, message, lastTransitionTime: at, lastProbeTime: at };
}

function now(): string {
  return new Date().toISOString();
}
