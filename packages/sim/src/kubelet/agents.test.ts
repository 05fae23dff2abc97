import { IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { getAnnotation, getName, type Pod } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import type { RequestedObject } from "../api-server/api-request.ts";
import { isConditionTrue } from "../api-server/conditions.ts";
import { START_TIME } from "../kernel/cluster.ts";
import type { Change } from "../kernel/component.ts";
import type { Fault } from "../scenario/fault.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import type { WorkloadRule } from "./workload.ts";

const ONE_MINUTE_RUN: WorkloadRule = { runMs: 60_000, stopMs: 500 };
const FAILS: WorkloadRule = { index: 0, restarts: 0, runMs: 5_000, exitCode: 1 };

/** Creates a scenario with one Job of two Pods that use in-place restart, on one node. */
function scenarioWith(
  workload: readonly WorkloadRule[],
  faults: readonly Fault[] = [],
  annotations: Readonly<Record<string, string>> = {},
): Scenario {
  const template = { restartPolicy: "OnFailure", containers: [{ name: "main", image: "busybox" }] };
  const job = {
    parallelism: 2,
    completions: 2,
    backoffLimit: 2_147_483_647,
    podReplacementPolicy: "Failed",
    template: { spec: template },
  };
  return {
    seed: 1,
    objects: [
      {
        kind: "Node",
        metadata: { name: "node-0" },
        status: {
          allocatable: { cpu: "4", pods: "110" },
          conditions: [{ type: "Ready", status: "True" }],
        },
      },
      {
        kind: "JobSet",
        metadata: { name: "train", namespace: "ml", annotations },
        spec: {
          failurePolicy: { maxRestarts: 3, restartStrategy: "InPlaceRestart" },
          replicatedJobs: [{ name: "w", template: { spec: job } }],
        },
      },
    ],
    workload,
    actions: [],
    faults,
    features: { InPlaceRestart: true },
    endsAt: 3_600_000,
  };
}

function simulateChanges(scenario: Scenario) {
  const changes: Change[] = [];
  const { end, violations, isIdle } = simulate(scenario, {
    onTurn: (turn) => void changes.push(...turn.changes),
  });
  expect([violations, isIdle]).toEqual([[], true]);
  const { status } = end.objects.get<{ status: object }>("JobSet", "ml", "train") ?? {};
  return { status, changes, path: getPath(changes) };
}

/** Returns the path of each Pod by index: its creation, its announced attempts, its readiness, and its deletion. */
function getPath(changes: readonly Change[]): readonly string[] {
  const last = new Map<string, string>();
  return changes.flatMap(({ after, before }) => {
    if ((after ?? before)?.kind !== "Pod") return [];
    const pod = (after ?? before) as unknown as Pod;
    const attempt = getAnnotation(pod, IN_PLACE_RESTART_ATTEMPT_KEY) ?? "none";
    const stage = isConditionTrue(pod.status?.conditions, "Ready") ? "works" : "waits";
    const messages = `${getName(pod).split("-")[3]}: ${attempt} ${stage}`;
    if (attempt === "none" || last.get(getName(pod)) === messages) return [];
    last.set(getName(pod), messages);
    return [messages];
  });
}

const CYCLE = [
  ["0: 0 waits", "1: 0 waits"],
  ["0: 0 works", "1: 0 works"],
  // The worker of Pod 0 fails, its agent announces the next attempt, and the agent of Pod 1 follows.
  ["0: 0 waits", "0: 1 waits"],
  ["1: 0 waits", "1: 1 waits"],
  ["0: 1 works", "1: 1 works"],
  ["0: 1 waits", "1: 1 waits"],
];

/** Groups a path in pairs, because the order within a pair does not matter. */
function groupInPairs(path: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(path.length / 2) }, (_, at) =>
    path.slice(at * 2, at * 2 + 2).toSorted(),
  );
}

describe("in-place restart agents", () => {
  it("agents release their workers together, and all restart when one of them fails", () => {
    const { path, status, changes } = simulateChanges(scenarioWith([FAILS, ONE_MINUTE_RUN]));
    expect(groupInPairs(path)).toEqual(CYCLE);
    expect(status).toMatchObject({
      terminalState: "Completed",
      restarts: 0,
      currentInPlaceRestartAttempt: 1,
      previousInPlaceRestartAttempt: 0,
    });
    const pods = changes.filter(({ verb, after }) => verb === "Added" && after?.kind === "Pod");
    expect(pods).toHaveLength(2);
  });

  it("agents write only the annotation of their Pod, not its status", () => {
    const { changes } = simulateChanges(scenarioWith([FAILS, ONE_MINUTE_RUN]));
    const announced = changes.filter(
      ({ before, after }) =>
        before?.kind === "Pod" &&
        after !== undefined &&
        getAnnotation(before, IN_PLACE_RESTART_ATTEMPT_KEY) !==
          getAnnotation(after, IN_PLACE_RESTART_ATTEMPT_KEY),
    );
    expect(announced).toHaveLength(4);
    for (const { before, after } of announced) {
      expect(after?.status).toBe(before?.status);
      expect(after?.spec).toBe(before?.spec);
    }
  });

  it("agents do not block workers if an annotation disables them", () => {
    const off = { "jobset.sigs.k8s.io/disable-in-place-restart": "" };
    const { path, status } = simulateChanges(scenarioWith([FAILS, ONE_MINUTE_RUN], [], off));
    expect(path).toEqual([]);
    expect(status).toMatchObject({ terminalState: "Completed" });
    expect(status).not.toHaveProperty("currentInPlaceRestartAttempt");
  });

  it("agents that lag behind still synchronize", () => {
    const late: Fault = { fault: "SlowAgents", ms: 15_000, from: 0, until: 200_000 };
    const { path, status, changes } = simulateChanges(
      scenarioWith([FAILS, ONE_MINUTE_RUN], [late]),
    );
    expect(groupInPairs(path)).toEqual(CYCLE);
    expect(status).toMatchObject({ terminalState: "Completed", currentInPlaceRestartAttempt: 1 });
    const ready = changes.find(
      ({ after }) =>
        isConditionTrue((after as Pod | undefined)?.status?.conditions, "Ready") &&
        after?.kind === "Pod",
    );
    expect((ready?.at ?? 0) - START_TIME).toBeGreaterThan(15_000);
  });

  it("agents that are killed start again, and all workers restart", () => {
    const killed: Fault = { fault: "KillContainers", job: "train-w-0", index: 1, at: 20_000 };
    const { status, path } = simulateChanges(scenarioWith([ONE_MINUTE_RUN], [killed]));
    expect(path.filter((line) => line.endsWith(": 1 works")).toSorted()).toEqual([
      "0: 1 works",
      "1: 1 works",
    ]);
    expect(status).toMatchObject({ terminalState: "Completed", currentInPlaceRestartAttempt: 1 });
  });

  it("agents that are killed too often fail the JobSet", () => {
    const faults = Array.from(
      { length: 4 },
      (_, at): Fault => ({
        fault: "KillContainers",
        job: "train-w-0",
        at: 20_000 + at * 100_000,
      }),
    );
    const { status } = simulateChanges(scenarioWith([{ stopMs: 500 }], faults));
    expect(status).toMatchObject({ terminalState: "Failed" });
  });

  it("agents are not misled by a controller that sees old Pods", () => {
    const travel: Fault = {
      fault: "TimeTravel",
      kind: "Pod",
      at: 30_000,
      backMs: 20_000,
      forMs: 5_000,
    };
    const scenario = scenarioWith([FAILS, ONE_MINUTE_RUN], [travel]);
    const { status } = simulateChanges(scenario);
    expect(status).toMatchObject({ terminalState: "Completed", currentInPlaceRestartAttempt: 1 });
    const { violations } = simulate(scenario, {
      quirks: new Set(["CurrentAttemptFalls"] as const),
    });
    expect(violations.map(({ law }) => law)).toEqual(["inPlaceAttemptsNeverDecrease"]);
  });

  it("agents ignore a deleted JobSet that had the same name", () => {
    const life = scenarioWith([FAILS, { runMs: 90_000, stopMs: 25_000 }]);
    const object = life.objects[1] as RequestedObject;
    const second: Scenario = {
      ...life,
      actions: [
        { at: 40_000, request: { verb: "delete", object } },
        { at: 45_000, request: { verb: "create", object } },
      ],
    };
    const { status } = simulateChanges(second);
    expect(status).toMatchObject({ terminalState: "Completed" });
    const quirks = new Set(["PodsOfDeletedJobSetCount"] as const);
    const { violations } = simulate(second, { quirks });
    expect(violations.map(({ law }) => law)).toEqual(["inPlaceAttemptsReachAllPods"]);
  });
});
