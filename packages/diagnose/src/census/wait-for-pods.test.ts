import { createSnapshot, type Snapshot } from "@jobset-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { podsAndJobs } from "../testing/arbitrary-pods.ts";
import type { CensusSettings } from "./census-configuration.ts";
import { INITIAL_WAIT_STATE, stepWait, type WaitAction, type WaitInput } from "./wait-for-pods.ts";
import { formatWaitResult, type WaitResult } from "./wait-result.ts";

const pod = (name: string, phase: string, nodeName?: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "ml" },
  spec: { nodeName },
  status: { phase },
});
const createCluster = (...pods: readonly object[]) =>
  createSnapshot(pods, { kinds: ["Pod", "Event"] });
const waiting = createCluster(pod("a", "Pending"), pod("b", "Running", "n1"));
const bound = createCluster(pod("a", "Pending", "n1"), pod("b", "Running", "n1"));

/** Waits for Pods as a caller does. It uses the snapshots in turn and repeats the last one. */
function waitFor(settings: CensusSettings | undefined, ...snapshots: readonly Snapshot[]) {
  let { state, action } = stepWait(INITIAL_WAIT_STATE, {
    input: "Start",
    ...(settings && { settings }),
  });
  const lines: string[] = [];
  let snapshotCount = 0;
  for (;;) {
    switch (action.action) {
      case "TakeSnapshot": {
        const snapshot = snapshots[Math.min(snapshotCount, snapshots.length - 1)] ?? waiting;
        snapshotCount += 1;
        ({ state, action } = stepWait(deepFreeze(state), { input: "Snapshot", snapshot }));
        break;
      }
      case "Wait":
        lines.push(action.line);
        ({ state, action } = stepWait(deepFreeze(state), { input: "Tick" }));
        break;
      default:
        return { end: action, lines, snapshotCount, state };
    }
  }
}

function runWait(end: WaitAction): WaitResult {
  if (end.action !== "Finish") throw new Error(`ended with ${end.action}`);
  return end.result;
}

describe("stepWait", () => {
  it.each([
    [60, 5, 13, 60],
    [0, 5, 1, 0],
    [7, 5, 3, 10],
    [5, 5, 2, 5],
    [1, 60, 2, 60],
  ])(
    "stepWait with a deadline of %i s and an interval of %i s takes %i snapshots and waits %i s",
    (deadline, interval, snapshots, waited) => {
      const { end, snapshotCount } = waitFor({ deadline: `${deadline}`, interval: `${interval}` });
      expect(snapshotCount).toBe(snapshots);
      expect(runWait(end)).toMatchObject({
        stoppedBecause: "Deadline",
        verdict: "Fail",
        reason: "Unscheduled",
        attempts: snapshots,
        waitedSeconds: waited,
      });
    },
  );

  it("stepWait reports the counts at each wait", () => {
    expect(waitFor({ deadline: "7" }).lines).toEqual([
      "Attempt 1: 2 total, 1 running, 1 pending (1 unscheduled), 0 failed — waiting for scheduler (0/7s)",
      "Attempt 2: 2 total, 1 running, 1 pending (1 unscheduled), 0 failed — waiting for scheduler (5/7s)",
    ]);
  });

  it("stepWait finishes when every Pod has a node, even if it does not run yet", () => {
    const { end, snapshotCount } = waitFor(undefined, waiting, bound);
    expect(snapshotCount).toBe(2);
    expect(runWait(end)).toMatchObject({
      verdict: "Pass",
      reason: "Scheduled",
      stoppedBecause: "Settled",
      waitedSeconds: 5,
    });
  });

  it("stepWait finishes at the first failed Pod and lists failed and unscheduled Pods", () => {
    const both = createCluster(pod("a", "Pending"), pod("b", "Failed", "n1"));
    const { end, snapshotCount } = waitFor(undefined, both);
    expect(snapshotCount).toBe(1);
    expect(runWait(end)).toMatchObject({
      verdict: "Fail",
      reason: "Unscheduled",
      stoppedBecause: "Failed",
      census: { unscheduled: [{ name: "a" }], failed: [{ name: "b" }] },
    });
  });

  it("stepWait fails before the first snapshot if a setting is invalid", () => {
    expect(waitFor({ interval: "0" })).toMatchObject({
      snapshotCount: 0,
      end: { action: "Fail", reason: "Configuration" },
      state: { stage: "Done" },
    });
  });

  it("stepWait fails at any attempt at which Pods cannot be listed", () => {
    const started = stepWait(INITIAL_WAIT_STATE, { input: "Start" }).state;
    const failed = stepWait(started, { input: "SnapshotError", message: "no route" });
    expect(failed.action).toEqual({
      action: "Fail",
      reason: "SnapshotError",
      message: "no route",
    });
    expect(failed.state).toEqual({ stage: "Done" });
    const forbidden = createSnapshot([], { readErrors: { Pod: "pods is forbidden" } });
    expect(waitFor(undefined, waiting, forbidden).end).toEqual({
      action: "Fail",
      reason: "SnapshotError",
      message: "pods is forbidden",
    });
  });

  it("stepWait rejects an unexpected input and keeps its state", () => {
    const start: WaitInput = { input: "Start" };
    const snapshot: WaitInput = { input: "Snapshot", snapshot: waiting };
    const tick: WaitInput = { input: "Tick" };
    const error: WaitInput = { input: "SnapshotError", message: "" };
    const awaitSnapshot = stepWait(INITIAL_WAIT_STATE, start).state;
    const awaitTick = stepWait(awaitSnapshot, snapshot).state;
    for (const [state, inputs] of [
      [INITIAL_WAIT_STATE, [snapshot, error, tick]],
      [awaitSnapshot, [start, tick]],
      [awaitTick, [start, snapshot, error]],
    ] as const) {
      for (const input of inputs) {
        expect(stepWait(state, input)).toEqual({
          state,
          action: {
            action: "Refuse",
            message: `unexpected input ${input.input} in state ${state.stage}`,
          },
        });
      }
    }
    for (const input of [start, snapshot, error, tick]) {
      expect(stepWait({ stage: "Done" }, input).action).toEqual({ action: "Ignore" });
    }
  });

  it("stepWait keeps no snapshot in its state", () => {
    const started = stepWait(INITIAL_WAIT_STATE, { input: "Start" }).state;
    const { state } = stepWait(started, { input: "Snapshot", snapshot: waiting });
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    expect(Object.keys(state).sort()).toEqual([
      "attempts",
      "configuration",
      "stage",
      "waitedSeconds",
    ]);
  });

  const seconds = fc.nat(40).map(String);
  const worlds = fc.array(podsAndJobs(), { minLength: 1, maxLength: 4 });

  it("stepWait passes only if no Pod is unscheduled or failed", () => {
    fc.assert(
      fc.property(worlds, seconds, (clusters, deadline) => {
        const snapshots = clusters.map(({ pods }) => createSnapshot(pods, { kinds: "all" }));
        const { verdict, census } = runWait(waitFor({ deadline }, ...snapshots).end);
        const { unscheduled, failed } = census.counts;
        expect(verdict === "Pass").toBe(unscheduled === 0 && failed === 0);
      }),
    );
  });

  it("stepWait takes no more snapshots than the deadline allows", () => {
    fc.assert(
      fc.property(worlds, seconds, seconds, (clusters, deadline, interval) => {
        const snapshots = clusters.map(({ pods }) => createSnapshot(pods, { kinds: "all" }));
        const most = Math.ceil(Number(deadline) / Math.max(1, Number(interval))) + 1;
        const { snapshotCount, state } = waitFor({ deadline, interval }, ...snapshots);
        expect(snapshotCount).toBeLessThanOrEqual(most);
        expect(state.stage).toBe("Done");
      }),
    );
  });

  it("stepWait reports only Pods of the last snapshot", () => {
    fc.assert(
      fc.property(worlds, seconds, (clusters, deadline) => {
        const snapshots = clusters.map(({ pods }) => createSnapshot(pods, { kinds: "all" }));
        const { end, snapshotCount } = waitFor({ deadline }, ...snapshots);
        const last = snapshots[Math.min(snapshotCount, snapshots.length) - 1];
        const lines = formatWaitResult(runWait(end), { reportBoth: true });
        for (const line of lines) {
          const [, namespace = "", name = ""] = /^ {2}(\S+)\/(\S+) /.exec(line) ?? [];
          if (name === "" || line.includes("count=")) continue;
          const seen = last?.pod(namespace, name);
          expect(seen?.status?.phase).toBe(line.includes("phase=Pending") ? "Pending" : "Failed");
          if (line.includes("node=<none>")) expect(seen?.spec?.nodeName ?? "").toBe("");
        }
      }),
    );
  });
});

describe("formatWaitResult", () => {
  it("formatWaitResult reports that all Pods were scheduled", () => {
    expect(formatWaitResult(runWait(waitFor(undefined, waiting, bound).end))).toEqual([
      "Pod status: 2 total, 1 running, 1 pending (0 unscheduled), 0 failed (attempts=2, waited=5s)",
      "Pod distribution:",
      "  n1: 2 pods",
      "Scheduling validation PASSED: all 2 pods scheduled successfully",
    ]);
  });

  it("formatWaitResult reports unscheduled Pods with the scheduler's messages and common causes", () => {
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "a.1", namespace: "ml" },
      involvedObject: { kind: "Pod", namespace: "ml", name: "a" },
      reason: "FailedScheduling",
      message: "0/1 nodes are available:\n1 Insufficient cpu.",
      lastTimestamp: "2026-02-07T06:56:19Z",
    };
    const { end } = waitFor({ deadline: "0" }, waiting.with({ put: [event] }));
    expect(formatWaitResult(runWait(end))).toEqual([
      "Pod status: 2 total, 1 running, 1 pending (1 unscheduled), 0 failed (attempts=1, waited=0s)",
      "Pod distribution:",
      "  <none>: 1 pods",
      "  n1: 1 pods",
      "Scheduling validation FAILED",
      "1 pods could not be scheduled to nodes",
      "Unscheduled pods:",
      "  ml/a  phase=Pending  node=<none>",
      "Events for unscheduled pods (excluding harness/system namespaces):",
      "  2026-02-07T06:56:19Z  ml/a  count=1  0/1 nodes are available: 1 Insufficient cpu.",
      "Common causes:",
      "  - Node selectors don't match available nodes",
      "  - Tolerations missing for node taints",
      "  - Insufficient resources on nodes",
    ]);
  });

  it("formatWaitResult distinguishes a scheduler without attempts from Events that were not read", () => {
    const never = waitFor({ deadline: "0" }, waiting).end;
    expect(formatWaitResult(runWait(never))).toContain("  none: the scheduler has not tried yet");
    const unread = waitFor({ deadline: "0" }, createSnapshot([pod("a", "Pending")])).end;
    expect(formatWaitResult(runWait(unread))).toContain(
      "  unknown: objects of kind Event were not read",
    );
  });

  it("formatWaitResult reports the number of omitted Events", () => {
    const events = [1, 2, 3].map((serial) => ({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: `a.${serial}`, namespace: "ml" },
      involvedObject: { kind: "Pod", namespace: "ml", name: "a" },
      reason: "FailedScheduling",
      message: `try ${serial}`,
    }));
    const { end } = waitFor({ deadline: "0", maxEvents: 1 }, waiting.with({ put: events }));
    const lines = formatWaitResult(runWait(end));
    expect(lines).toContain("  2 older ones");
    expect(lines).toContain("  -  ml/a  count=1  try 3");
  });

  it("formatWaitResult lists failed Pods in addition to unscheduled ones only with reportBoth", () => {
    const both = createCluster(pod("a", "Pending"), pod("b", "Failed", "n1"));
    const end = runWait(waitFor(undefined, both).end);
    const failed = [
      "1 pods are in Failed state",
      "Failed pods:",
      "  ml/b  reason=Unknown  message=",
    ];
    expect(formatWaitResult(end)).not.toContain(failed[0]);
    expect(formatWaitResult(end, { reportBoth: true }).slice(-3)).toEqual(failed);
    const alone = runWait(waitFor(undefined, createCluster(pod("b", "Failed", "n1"))).end);
    expect(alone).toMatchObject({ reason: "Failed", stoppedBecause: "Settled" });
    expect(formatWaitResult(alone).slice(-4)).toEqual(["Scheduling validation FAILED", ...failed]);
  });

  it("formatWaitResult passes with a warning without Pods", () => {
    const { end } = waitFor(undefined, createCluster());
    expect(runWait(end).verdict).toBe("Pass");
    expect(formatWaitResult(runWait(end)).at(-1)).toBe(
      "No pods were created - bundle may be empty",
    );
  });
});
