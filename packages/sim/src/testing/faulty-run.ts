import { expect } from "vitest";
import type { RecordedEvent, RejectedRequest } from "../kernel/advance.ts";
import type { Change } from "../kernel/component.ts";
import type { WorkloadRule } from "../kubelet/workload.ts";
import type { Fault } from "../scenario/fault.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";

/** All containers succeed after a minute. */
export const DONE: WorkloadRule = {
  startMs: 100,
  runMs: 60_000,
  stopMs: 500,
  stopExitCode: 143,
};

/** Returns a scenario with two nodes, each in its own rack, and a JobSet of two Jobs that may restart. */
export function scenarioWith(
  faults: readonly Fault[],
  {
    workload = [DONE],
    jobSpec = { backoffLimit: 0 },
  }: { workload?: readonly WorkloadRule[]; jobSpec?: object } = {},
): Scenario {
  const template = {
    restartPolicy: "Never",
    containers: [{ name: "main", image: "busybox", resources: { requests: { cpu: "1" } } }],
  };
  return {
    seed: 1,
    objects: [
      ...[0, 1].map((at) => ({
        kind: "Node",
        metadata: { name: `node-${at}`, labels: { rack: `r${at}` } },
        status: {
          allocatable: { cpu: "4", memory: "64Gi", pods: "110" },
          conditions: [{ type: "Ready", status: "True" }],
        },
      })),
      {
        kind: "JobSet",
        metadata: { name: "train", namespace: "ml" },
        spec: {
          failurePolicy: { maxRestarts: 5 },
          replicatedJobs: [
            {
              name: "w",
              replicas: 2,
              template: { spec: { ...jobSpec, template: { spec: template } } },
            },
          ],
        },
      },
    ],
    workload,
    actions: [],
    faults,
    endsAt: 3_600_000,
  };
}

/** Simulates a scenario, and expects its JobSet to complete. */
export function simulateWithFaults(scenario: Scenario) {
  const [changes, events, rejected]: [Change[], RecordedEvent[], RejectedRequest[]] = [[], [], []];
  const run = simulate(scenario, {
    onTurn: (turn) => {
      changes.push(...turn.changes);
      events.push(...turn.events);
      rejected.push(...turn.rejectedRequests);
    },
  });
  const jobSet = run.end.objects.get("JobSet", "ml", "train");
  expect([run.violations, run.isIdle]).toEqual([[], true]);
  expect(jobSet?.status).toMatchObject({ terminalState: "Completed" });
  return { changes, events, rejected, end: run.end, jobSet };
}

/** The time of a fault that lasts 20 seconds. */
export const span = { from: 10_000, until: 30_000 };

/** Reports whether a change counts the first restart. */
export function isRestart({ after }: Change): boolean {
  return after?.kind === "JobSet" && (after.status as { restarts?: number })?.restarts === 1;
}
