// Objects can be arbitrary: the API server of the simulation rejects what it cannot decode, and the run continues.
import { featureGates, resolveFeatureGates } from "@jobset-ts/api";
import { createContext, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  corruptEachField,
  corruptedAtOneName,
  unusableValues,
} from "../../testing/src/arbitraries/hostile-values.ts";
import { anything, neverThrows, trusted } from "../../testing/src/testing/never-throws.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import * as history from "./history.ts";
import type { Scenario } from "./index.ts";
import * as sim from "./index.ts";
import { parseScenario, parseScenarioFinding } from "./schema.ts";

const at = "2026-02-07T06:56:19Z";
const condition = {
  type: "Ready",
  status: "True",
  reason: "R",
  message: "m",
  lastTransitionTime: at,
};
const owner = { apiVersion: "v1", kind: "Node", name: "n", uid: "u", controller: true };
const metadata = {
  namespace: "ml",
  labels: { app: "a" },
  annotations: { note: "n" },
  finalizers: ["example.com/x"],
  ownerReferences: [owner],
};
const template = {
  metadata: { labels: { app: "a" }, annotations: { note: "n" } },
  spec: {
    restartPolicy: "Never",
    containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }],
    nodeSelector: { rack: "r1" },
    tolerations: [{ key: "k", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }],
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: "rack", labelSelector: { matchLabels: { app: "a" } } },
        ],
      },
    },
  },
};
const jobSpec = {
  parallelism: 1,
  completions: 1,
  completionMode: "Indexed",
  backoffLimit: 1,
  template,
};

/** One object of every kind that the API server serves. */
const objects: Readonly<Record<string, object>> = {
  node: {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "n1", labels: { rack: "r1" }, annotations: { note: "n" } },
    spec: {
      unschedulable: false,
      taints: [{ key: "k", value: "v", effect: "NoExecute", timeAdded: at }],
    },
    status: {
      allocatable: { cpu: "8", pods: "9" },
      capacity: { cpu: "8" },
      conditions: [condition],
    },
  },
  namespace: {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "ml", labels: { app: "a" } },
  },
  priorityClass: {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "high" },
    value: 5,
    globalDefault: true,
    preemptionPolicy: "Never",
  },
  jobSet: {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: { ...metadata, name: "js", finalizers: [], ownerReferences: [] },
    spec: {
      failurePolicy: { maxRestarts: 1, rules: [{ name: "r", action: "RestartJobSet" }] },
      replicatedJobs: [{ name: "w", replicas: 1, template: { spec: jobSpec } }],
      ttlSecondsAfterFinished: 5,
    },
    status: { restarts: 0, conditions: [condition] },
  },
  job: {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { ...metadata, name: "j" },
    spec: jobSpec,
    status: { active: 1, ready: 0, startTime: at, conditions: [{ ...condition, status: "False" }] },
  },
  pod: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, name: "p" },
    spec: { ...template.spec, schedulingGates: [{ name: "g" }] },
    status: {
      phase: "Pending",
      conditions: [condition],
      containerStatuses: [{ name: "c", restartCount: 1 }],
    },
  },
  service: {
    apiVersion: "v1",
    kind: "Service",
    metadata: { ...metadata, name: "s" },
    spec: { clusterIP: "None", selector: { app: "a" } },
  },
  claim: {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { ...metadata, name: "c" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    status: { phase: "Pending" },
  },
  budget: {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { ...metadata, name: "b" },
    spec: { selector: { matchLabels: { app: "a" } } },
    status: { disruptionsAllowed: 1 },
  },
  event: {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { ...metadata, name: "e" },
    regarding: { kind: "Pod", name: "p", namespace: "ml" },
    reason: "R",
    note: "n",
    series: { count: 1, lastObservedTime: at },
  },
  workload: {
    apiVersion: "kueue.x-k8s.io/v1beta2",
    kind: "Workload",
    metadata: { ...metadata, name: "w" },
    spec: { queueName: "q", priority: 1, podSets: [{ name: "m", count: 1, template: {} }] },
    status: {
      conditions: [condition],
      admission: {
        clusterQueue: "c",
        podSetAssignments: [{ name: "m", count: 1, flavors: { cpu: "f" } }],
      },
    },
  },
};
const patch = {
  kind: "Node",
  metadata: { name: "n1", labels: { rack: "r2" } },
  spec: { unschedulable: true },
};
const workload = [{ readyMs: 500, runMs: 1_000 }];

function createScenario(of: unknown, patched: unknown): unknown {
  const request = { verb: "patch", object: patched };
  const objects = Object.values(of as object);
  return {
    seed: 1,
    objects,
    workload,
    actions: [{ at: 1, request }],
    faults: [],
    endsAt: 10_000,
  };
}

/**
 * Simulates a scenario and prints it in every format. Returns `undefined` if it is rejected before
 * the first turn.
 */
function simulateAndFormat(scenario: unknown): unknown {
  const parsed = parseScenario(scenario);
  parseScenarioFinding({ scenario, quirks: "none", law: "o", message: "m" });
  if (!parsed.ok) return undefined;
  const entries: history.HistoryEntry[] = [];
  const run = sim.simulate(parsed.value, {
    continueAfterViolation: true,
    maxTurns: 60,
    onTurn: (turn) => entries.push(...history.createHistory(turn)),
  });
  const { rejectedRequests, violations, end } = run;
  return {
    refused: rejectedRequests.map(({ rejection }) => rejection.message),
    texts: [history.formatTimeline(entries), history.summarizeFinalState(end.objects), violations],
  };
}

describe("Scenarios with arbitrary objects", () => {
  it("simulate runs a scenario with an object of every kind", () => {
    expect(simulateAndFormat(createScenario(objects, patch))).toMatchObject({ refused: [] });
  });

  // The long tier uses each of the two values in every position. The short tier alternates between them, and uses both
  // in positions that simulate must reject.
  it.each([
    ["an object that becomes neither text nor a number", unusableValues[0], 0],
    ["a list of nulls", [null], 1],
  ])("simulate never throws on %s at any path of any object", (_, part, first) => {
    const rejected = ["objects.node.metadata.labels.rack", "objects.node.spec.taints"];
    const rejection = new Set<string>();
    for (const [at, [place, changed]] of [
      ...corruptEachField({ objects, patch }, part),
    ].entries()) {
      if (at % runs(2, 1) !== first % runs(2, 1) && !rejected.includes(place)) continue;
      const { objects: of, patch: patched } = changed as { objects: unknown; patch: unknown };
      if (typeof of !== "object" || Array.isArray(of) || of === part) continue;
      expect(() => {
        const result = simulateAndFormat(createScenario(of, patched)) as
          | { refused: readonly string[] }
          | undefined;
        if ((result?.refused ?? []).length > 0) rejection.add(place);
      }, place).not.toThrow();
    }
    for (const place of rejected) expect(rejection).toContain(place);
  });

  it("simulate rejects a node with a label that is not a string", () => {
    for (const label of unusableValues.filter((part) => typeof part === "object")) {
      const node = { ...objects.node, metadata: { name: "n1", labels: { rack: label } } };
      expect(simulateAndFormat(createScenario({ node }, patch))).toMatchObject({
        refused: [expect.stringMatching(/^Node in version "v1" cannot be handled as a Node: /)],
      });
    }
  });

  it("the trace, the page and shrinking accept every scenario that simulate accepts", () => {
    const node = { ...objects.node, metadata: { name: "n1", labels: { rack: unusableValues[0] } } };
    const scenario = createScenario({ ...objects, node }, patch) as Scenario;
    const { trace } = history.recordTrace(scenario);
    expect(history.renderTimelineHtml(trace, "t")).toContain("<html");
    expect(history.toChromeTrace(trace)).toBeDefined();
    expect(sim.shrink(scenario, {}, 3)).toBeUndefined();
    const run = sim.simulate(scenario);
    expect([...sim.singleFaults(scenario, run)].length).toBeGreaterThan(0);
    expect(sim.findFaultDependentOutcomes(scenario, run)).toBeDefined();
  });
});

it("scenarioForJobSets never throws on arbitrary input", async () => {
  const lists = fc.array(corruptedAtOneName(jobSets()), { maxLength: 2 });
  const options = trusted({
    seed: 1,
    failures: [{ job: "train-w-0", at: 5 }],
    features: resolveFeatureGates({}),
  });
  const subject = (argument: unknown, how: Parameters<typeof sim.scenarioForJobSets>[1]) =>
    sim.scenarioForJobSets(
      Array.isArray(argument) ? argument.filter((one) => typeof one === "object" && one) : [],
      how,
    );
  await fc.assert(neverThrows(subject as never, [anything(lists), options]), {
    numRuns: runs(30),
  });
});

const everyGate = Object.fromEntries(Object.keys(featureGates).map((name) => [name, true]));
const everyContext = createContext({ now: at, features: everyGate, quirks: UPSTREAM_QUIRKS });

it("writeCost never throws on arbitrary input", async () => {
  const args = [
    anything(jobSets()),
    trusted("create", "restart", "suspend", "resume", "delete", { scale: { workers: 3 } }),
    trusted({}, { qps: 1, burst: 1 }, { context: everyContext, controller: "upstream" }),
  ];
  await fc.assert(neverThrows(sim.writeCost as never, args), { numRuns: runs(50) });
});

it.each([
  ["an object that becomes neither text nor a number", unusableValues[0]],
  ["a list that is nested deeper than the stack", unusableValues.find(isNestedList)],
])("writeCost never throws on %s at any path of a JobSet", (_, part) => {
  expect(part).toBeDefined();
  for (const [place, changed] of corruptEachField(objects.jobSet, part)) {
    expect(() => sim.writeCost(changed as never, "create"), place).not.toThrow();
  }
});

function isNestedList(value: unknown): boolean {
  return Array.isArray(value) && Array.isArray(value[0]);
}
