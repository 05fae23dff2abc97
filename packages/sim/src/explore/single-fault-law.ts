import type { Objects } from "../api-server/objects.ts";
import { compareFinalStates, summarizeFinalState } from "../laws/final-state.ts";
import type { LawStatement } from "../laws/law.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** A law about two histories of one scenario, without a fault and with a single one. It reads both final states. */
export interface SingleFaultLaw extends LawStatement {
  readonly scenario: Scenario;
  /** Returns one line for each fact that only one of the final states contains. */
  readonly findDifferences: (undisturbed: Objects, disturbed: Objects) => readonly string[];
}

/** One of three Jobs fails, the JobSet restarts, and all Jobs succeed. No fault lasts as long as a Pod runs. */
const TYPICAL_SCENARIO: Scenario = {
  seed: 1,
  objects: [
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "node-0" },
      spec: {},
      status: {
        allocatable: { cpu: "64", memory: "64Gi", pods: "110" },
        conditions: [{ type: "Ready", status: "True" }],
      },
    },
    {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name: "train", namespace: "ml" },
      spec: {
        failurePolicy: { maxRestarts: 2 },
        replicatedJobs: ["leader", "workers"].map((name) => ({
          name,
          replicas: name === "leader" ? 1 : 2,
          template: {
            spec: {
              backoffLimit: 0,
              template: {
                spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox" }] },
              },
            },
          },
        })),
      },
    },
  ] as Scenario["objects"],
  workload: [
    { replicatedJob: "workers", jobIndex: 1, attempt: 0, runMs: 3_000, exitCode: 1 },
    { runMs: 300_000, stopMs: 500 },
  ],
  actions: [],
  faults: [],
  endsAt: 4 * 3_600_000,
};

/** {@link SingleFaultLaw} */
export const singleFaultsDoNotChangeTheOutcome: SingleFaultLaw = {
  name: "singleFaultsDoNotChangeTheOutcome",
  sentence:
    "A single fault does not change the final state: a lost, rejected or delayed request, a crash, lagging or outdated caches, a webhook outage, or a pass without a cause.",
  scenario: TYPICAL_SCENARIO,
  findDifferences: (undisturbed, disturbed) => {
    const { missing, added } = compareFinalStates(
      summarizeFinalState(undisturbed),
      summarizeFinalState(disturbed),
    );
    return [
      ...missing.map((line) => `without the fault: ${line}`),
      ...added.map((line) => `with it: ${line}`),
    ];
  },
};
