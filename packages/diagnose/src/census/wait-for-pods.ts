import { isObject } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { countPods, type PodCensus } from "./census.ts";
import {
  type CensusConfiguration,
  type CensusSettings,
  censusConfiguration,
} from "./census-configuration.ts";
import { countsLine, createWaitResult, type WaitResult } from "./wait-result.ts";

/** The state of a wait for Pods: plain data without a snapshot. */
export type WaitState =
  | { readonly stage: "Start" | "Done" }
  | {
      readonly stage: "AwaitSnapshot" | "AwaitTick";
      readonly configuration: CensusConfiguration;
      /** Nominal: the sum of the completed waits at their configured length. */
      readonly waitedSeconds: number;
      /** The number of snapshots read. */
      readonly attempts: number;
    };

/** An input to a wait. */
export type WaitInput =
  | { readonly input: "Start"; readonly settings?: CensusSettings }
  /** All Pods from one list, with Events and Jobs if available. */
  | { readonly input: "Snapshot"; readonly snapshot: Snapshot }
  /** The list failed. */
  | { readonly input: "SnapshotError"; readonly message: string }
  /** The wait between two snapshots is over. */
  | { readonly input: "Tick" };

/** The next action of the caller. */
export type WaitAction =
  /** Take a snapshot and pass it in, or pass in the error. */
  | { readonly action: "TakeSnapshot" }
  /** Print the line, wait, then pass in a tick. */
  | { readonly action: "Wait"; readonly seconds: number; readonly line: string }
  /** The wait is over. `settled` has the counts of the last snapshot. */
  | { readonly action: "Finish"; readonly result: WaitResult }
  /** The wait is over, and the state of the Pods is unknown. */
  | {
      readonly action: "Fail";
      readonly reason: "Configuration" | "SnapshotError";
      readonly message: string;
    }
  /** The input is not expected now. The state does not change. */
  | { readonly action: "Refuse"; readonly message: string }
  /** The wait was already over. */
  | { readonly action: "Ignore" };

/**
 * The initial state of every wait.
 *
 * @example stepWait(INITIAL_WAIT_STATE, { input: "Start" }).action // => { action: "TakeSnapshot" }
 */
export const INITIAL_WAIT_STATE: WaitState = { stage: "Start" };

/**
 * Performs one step of a wait that ends when all Pods are scheduled, a Pod has failed, or the deadline has passed.
 *
 * The caller takes the snapshots and waits. Time is nominal, so equal snapshots lead to the same result, however long
 * they took. There are at most `ceil(deadline / interval) + 1` snapshots, and errors are not retried. Only the counts of
 * the last snapshot are returned.
 *
 * @example
 * import { createSnapshot } from "@jobset-ts/core";
 * const started = stepWait(INITIAL_WAIT_STATE, { input: "Start", settings: { deadline: "7" } });
 * const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "ml" }, status: { phase: "Pending" } };
 * const next = stepWait(started.state, { input: "Snapshot", snapshot: createSnapshot([pod]) });
 * next.action.action === "Wait" && next.action.line // => "Attempt 1: 1 total, 0 running, 1 pending (1 unscheduled), 0 failed — waiting for scheduler (0/7s)"
 */
export function stepWait(
  state: WaitState,
  input: WaitInput,
): { readonly state: WaitState; readonly action: WaitAction } {
  if (state.stage === "Done") return { state, action: { action: "Ignore" } };
  const checked = isObject(input) ? input : { input: undefined };
  if (state.stage === "Start" && checked.input === "Start") return startWait(checked.settings);
  if (state.stage === "AwaitSnapshot") {
    if (checked.input === "SnapshotError") return failWait("SnapshotError", checked.message);
    if (checked.input === "Snapshot") {
      const counted = countPods(checked.snapshot, state.configuration);
      return counted.ok
        ? evaluateSnapshot(state, counted.census)
        : failWait("SnapshotError", counted.message);
    }
  }
  if (state.stage === "AwaitTick" && checked.input === "Tick") {
    const waitedSeconds = state.waitedSeconds + state.configuration.intervalSeconds;
    const next = { ...state, stage: "AwaitSnapshot", waitedSeconds } as const;
    return { state: next, action: { action: "TakeSnapshot" } };
  }
  const message = `unexpected input ${checked.input} in state ${state.stage}`;
  return { state, action: { action: "Refuse", message } };
}

type Next = ReturnType<typeof stepWait>;

const DONE: WaitState = { stage: "Done" };

function startWait(settings: CensusSettings | undefined): Next {
  const configured = censusConfiguration(settings);
  if (!configured.ok) return failWait("Configuration", configured.message);
  const { configuration } = configured;
  return {
    state: { stage: "AwaitSnapshot", configuration, waitedSeconds: 0, attempts: 0 },
    action: { action: "TakeSnapshot" },
  };
}

function failWait(reason: "Configuration" | "SnapshotError", message: string): Next {
  return { state: DONE, action: { action: "Fail", reason, message } };
}

function evaluateSnapshot(
  state: Extract<WaitState, { stage: `Await${string}` }>,
  found: PodCensus,
): Next {
  const { deadlineSeconds, intervalSeconds } = state.configuration;
  const { waitedSeconds } = state;
  const attempts = state.attempts + 1;
  const { unscheduled, failed: failedCount } = found.counts;
  const stoppedBecause =
    unscheduled === 0
      ? "Settled"
      : failedCount > 0
        ? "Failed"
        : waitedSeconds >= deadlineSeconds
          ? "Deadline"
          : undefined;
  if (stoppedBecause !== undefined) {
    const result = createWaitResult(found, { stoppedBecause, attempts, waitedSeconds });
    return { state: DONE, action: { action: "Finish", result } };
  }
  const line = `Attempt ${attempts}: ${countsLine(found.counts)} \u2014 waiting for scheduler (${waitedSeconds}/${deadlineSeconds}s)`;
  return {
    state: { ...state, stage: "AwaitTick", attempts },
    action: { action: "Wait", seconds: intervalSeconds, line },
  };
}
