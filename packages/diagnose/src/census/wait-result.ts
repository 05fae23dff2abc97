import { formatTime } from "@jobset-ts/api";
import { NO_NODE, type PodCensus, type PodCounts } from "./census.ts";
import type { FailedPod } from "./failed-pod.ts";
import type { FailedAttempt, ScheduleAttempts } from "./schedule-attempts.ts";

/** The result of a wait for Pods, with the counts of the last snapshot. */
export interface WaitResult {
  readonly verdict: "Pass" | "Fail";
  /** `Unscheduled` also if Pods have failed. The counts contain both. */
  readonly reason: "Unscheduled" | "Failed" | "Empty" | "Scheduled";
  /** Why the wait ended. `Failed` if a Pod failed while others were unscheduled. */
  readonly stoppedBecause: "Settled" | "Failed" | "Deadline";
  /** The number of snapshots read. */
  readonly attempts: number;
  /** Nominal. It can exceed the deadline by up to one interval minus one second. */
  readonly waitedSeconds: number;
  readonly census: PodCensus;
}

/** Returns the verdict for the last counts of a wait. */
export function createWaitResult(
  census: PodCensus,
  ending: Pick<WaitResult, "stoppedBecause" | "attempts" | "waitedSeconds">,
): WaitResult {
  const { total, unscheduled, failed } = census.counts;
  const reason =
    unscheduled > 0 ? "Unscheduled" : failed > 0 ? "Failed" : total === 0 ? "Empty" : "Scheduled";
  const verdict = unscheduled > 0 || failed > 0 ? "Fail" : "Pass";
  return { verdict, reason, ...ending, census };
}

/**
 * Formats the result of a wait as lines, exactly as the original script does.
 *
 * @param options.reportBoth - whether to report failed Pods in addition to unscheduled ones; the original script
 * omits them, although they ended the wait
 * @example
 * import { createSnapshot } from "@jobset-ts/core";
 * const waiting = stepWait(INITIAL_WAIT_STATE, { input: "Start" }).state;
 * const { action } = stepWait(waiting, { input: "Snapshot", snapshot: createSnapshot([], { kinds: ["Pod"] }) });
 * action.action === "Finish" && formatWaitResult(action.result) // => ["Pod status: 0 total, 0 running, 0 pending (0 unscheduled), 0 failed (attempts=1, waited=0s)", "Pod distribution:", "No pods were created - bundle may be empty"]
 */
export function formatWaitResult(
  result: WaitResult,
  options: { readonly reportBoth?: boolean } = {},
): readonly string[] {
  const { reason, attempts, waitedSeconds, census } = result;
  const { counts, distribution } = census;
  const head = [
    `Pod status: ${countsLine(counts)} (attempts=${attempts}, waited=${waitedSeconds}s)`,
    "Pod distribution:",
    ...distribution.map(({ node = NO_NODE, podCount }) => `  ${node}: ${podCount} pods`),
  ];
  const isBoth = options?.reportBoth === true && counts.failed > 0;
  switch (reason) {
    case "Unscheduled":
      return [
        ...head,
        FAILED,
        ...unscheduledLines(census),
        ...(isBoth ? formatFailedPods(census.failed) : []),
      ];
    case "Failed":
      return [...head, FAILED, ...formatFailedPods(census.failed)];
    case "Empty":
      return [...head, "No pods were created - bundle may be empty"];
    case "Scheduled": {
      const line = `Scheduling validation PASSED: all ${counts.total} pods scheduled successfully`;
      return [...head, line];
    }
  }
}

/** Formats the five numbers of every line. */
export function countsLine({ total, running, pending, unscheduled, failed }: PodCounts): string {
  return `${total} total, ${running} running, ${pending} pending (${unscheduled} unscheduled), ${failed} failed`;
}

const FAILED = "Scheduling validation FAILED";

function unscheduledLines({ counts, unscheduled, attempts }: PodCensus): readonly string[] {
  return [
    `${counts.unscheduled} pods could not be scheduled to nodes`,
    "Unscheduled pods:",
    ...unscheduled.map(
      ({ namespace, name }) => `  ${namespace}/${name}  phase=Pending  node=${NO_NODE}`,
    ),
    "Events for unscheduled pods (excluding harness/system namespaces):",
    ...attemptLines(attempts),
    "Common causes:",
    "  - Node selectors don't match available nodes",
    "  - Tolerations missing for node taints",
    "  - Insufficient resources on nodes",
  ];
}

function attemptLines(attempts: ScheduleAttempts): readonly string[] {
  switch (attempts.outcome) {
    case "NothingToSchedule":
      return [];
    case "Unknown":
      return [`  unknown: ${oneLine(attempts.message)}`];
    case "NotTried":
      return ["  none: the scheduler has not tried yet"];
    case "Failed":
      return [
        ...(attempts.omittedCount > 0 ? [`  ${attempts.omittedCount} older ones`] : []),
        ...attempts.attempts.map(attemptLine),
      ];
  }
}

function attemptLine({ namespace, name, message, count, lastAt }: FailedAttempt): string {
  const at = lastAt === undefined ? "-" : formatTime(lastAt);
  return `  ${at}  ${namespace}/${name}  count=${count}  ${oneLine(message)}`;
}

function formatFailedPods(failed: readonly FailedPod[]): readonly string[] {
  return [
    `${failed.length} pods are in Failed state`,
    "Failed pods:",
    ...failed.map(
      ({ namespace, name, reason, message }) =>
        `  ${namespace}/${name}  reason=${oneLine(reason)}  message=${oneLine(message)}`,
    ),
  ];
}

/** Returns a text of the cluster as one line of the report. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, " ");
}
