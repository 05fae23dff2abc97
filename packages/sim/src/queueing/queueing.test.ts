import { isSuspended, type JobSet } from "@jobset-ts/api";
import { getName, type Job, type Pod } from "@jobset-ts/api/kubernetes";
import type { Workload } from "@jobset-ts/kueue";
import { hasQuotaReserved, isAdmitted, isEvicted } from "@jobset-ts/kueue/workload";
import { describe, expect, it } from "vitest";
import { START_TIME } from "../kernel/cluster.ts";
import type { Change } from "../kernel/component.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import type { SimulationOptions } from "../scenario/simulation-options.ts";
import type { QueueConfig } from "./queueing.ts";

const FLAVORS: QueueConfig["flavors"] = [
  { name: "spot", nodeLabels: { pool: "spot", cheap: "yes" }, quota: { cpu: "4" } },
  { name: "on-demand", nodeLabels: { pool: "on-demand" }, quota: { cpu: "4" } },
];

/** Creates a scenario of JobSets with two Jobs that request four CPUs together, and one node for each flavor. */
function scenarioWith(
  queueing: QueueConfig,
  { names = ["train"], runMs = 60_000 }: { names?: readonly string[]; runMs?: number } = {},
): Scenario {
  const containers = [{ name: "main", image: "busybox", resources: { requests: { cpu: "1" } } }];
  const template = { spec: { restartPolicy: "Never", containers } };
  const job = { parallelism: 2, completions: 2, backoffLimit: 0, template };
  return {
    seed: 1,
    objects: [
      ...FLAVORS.map(({ name, nodeLabels }) => ({
        kind: "Node",
        metadata: { name, labels: nodeLabels },
        status: {
          allocatable: { cpu: "64", pods: "110" },
          conditions: [{ type: "Ready", status: "True" }],
        },
      })),
      ...names.map((name) => ({
        kind: "JobSet",
        metadata: { name, namespace: "ml", labels: { "kueue.x-k8s.io/queue-name": "gpu" } },
        spec: { replicatedJobs: [{ name: "w", replicas: 2, template: { spec: job } }] },
      })),
    ],
    workload: [{ runMs, stopMs: 500, stopExitCode: 143 }],
    actions: [],
    faults: [],
    queueing,
    endsAt: 3_600_000,
  };
}

function simulateChanges(scenario: Scenario, settings: SimulationOptions = {}) {
  const changes: Change[] = [];
  const run = simulate(scenario, {
    ...settings,
    onTurn: (turn) => void changes.push(...turn.changes),
  });
  return { ...run, changes, phases: listPhases(changes) };
}

/** Returns the state of a JobSet and its Workload after each change, with the second. */
function listPhases(changes: readonly Change[]): readonly string[] {
  let [jobSet, workload]: [JobSet?, Workload?] = [];
  const phases: string[] = [];
  for (const { after, at } of changes) {
    if (after?.kind === "JobSet") jobSet = after as unknown as JobSet;
    else if (after?.kind === "Workload") workload = after as unknown as Workload;
    else continue;
    const words = [
      jobSet?.status?.terminalState ?? (jobSet && isSuspended(jobSet) ? "suspended" : "running"),
      workload === undefined || !hasQuotaReserved(workload) ? "queued" : "with quota",
      ...(workload !== undefined && isEvicted(workload) ? ["evicted"] : []),
    ];
    const phase = words.join(" ");
    if (phases.at(-1)?.split(" at ")[0] !== phase) {
      phases.push(`${phase} at ${Math.floor((at - START_TIME) / 1000)}`);
    }
  }
  return phases;
}

/** Returns the nodes that Pods were bound to, in time order, with the number of consecutive bindings. */
function listNodes(changes: readonly Change[]): readonly string[] {
  const nodes = changes.flatMap(({ before, after }) => {
    const [was, is] = [before as unknown as Pod | undefined, after as unknown as Pod | undefined];
    const isBound = is?.kind === "Pod" && was !== undefined && was.spec.nodeName === undefined;
    return isBound && is.spec.nodeName !== undefined ? [is.spec.nodeName] : [];
  });
  return nodes.filter((node, at) => node !== nodes[at - 1]);
}

describe("Queued JobSet", () => {
  it("a queued JobSet gets quota, loses it, gets quota of another flavor and completes", () => {
    const evictions = [{ flavor: "spot", from: 20_000, until: 400_000 }];
    const { violations, isIdle, phases, changes } = simulateChanges(
      scenarioWith({ flavors: FLAVORS, evictions }),
    );
    expect([violations, isIdle]).toEqual([[], true]);
    expect(phases).toEqual([
      "suspended queued at 0",
      "suspended with quota at 0",
      "running with quota at 0",
      "running with quota evicted at 20",
      "suspended with quota evicted at 20",
      "suspended queued evicted at 20",
      "suspended with quota at 20",
      "running with quota at 20",
      expect.stringMatching(/^Completed with quota at 8\d$/),
    ]);
    expect(listNodes(changes)).toEqual(["spot", "on-demand"]);
  });

  it("a queued JobSet also changes its flavor on Kubernetes 1.35, where suspended Jobs keep their start time", () => {
    const evictions = [{ flavor: "spot", from: 20_000, until: 400_000 }];
    const scenario = scenarioWith({ flavors: FLAVORS, evictions });
    const listStartTimes = (kubernetes: "1.35" | "1.36") => {
      const { violations, isIdle, changes } = simulateChanges({ ...scenario, kubernetes });
      expect([violations, isIdle]).toEqual([[], true]);
      expect(listNodes(changes)).toEqual(["spot", "on-demand"]);
      // The start time is cleared by the Job controller on suspension, or by the JobSet controller before the resume.
      return changes.flatMap(({ actor, before, after }) => {
        const [was, is] = [before, after] as readonly unknown[] as readonly (Job | undefined)[];
        const isCleared = was?.kind === "Job" && was.status?.startTime && is !== undefined;
        return isCleared && is.status?.startTime === undefined ? [actor] : [];
      });
    };
    expect(listStartTimes("1.36")).toEqual(["job-controller", "job-controller"]);
    expect(listStartTimes("1.35")).toEqual(["manager", "manager"]);
  });

  it("a queued JobSet waits until its only flavor has quota again", () => {
    const evictions = [{ flavor: "spot", from: 20_000, until: 50_000 }];
    const { violations, phases, changes } = simulateChanges(
      scenarioWith({ flavors: FLAVORS.slice(0, 1), evictions }),
    );
    expect(violations).toEqual([]);
    expect(phases.slice(5, 8)).toEqual([
      "suspended queued evicted at 20",
      "suspended with quota at 50",
      "running with quota at 50",
    ]);
    expect(listNodes(changes)).toEqual(["spot"]);
  });

  it("a queued JobSet waits for an earlier one that uses all quota", () => {
    const names = ["first", "second"];
    const { violations, end, changes } = simulateChanges(
      scenarioWith({ flavors: FLAVORS.slice(0, 1), evictions: [] }, { names }),
    );
    expect(violations).toEqual([]);
    const jobSets = end.objects.ofKind<JobSet>("JobSet");
    expect(jobSets.map(({ status }) => status?.terminalState)).toEqual(["Completed", "Completed"]);
    const admittedAt = changes.flatMap(({ before, after, at }) =>
      after?.kind === "Workload" &&
      isAdmitted(after as unknown as Workload) &&
      !isAdmitted(before as unknown as Workload)
        ? [at - START_TIME]
        : [],
    );
    expect(admittedAt).toHaveLength(2);
    expect((admittedAt[1] ?? 0) - (admittedAt[0] ?? 0)).toBeGreaterThan(60_000);
  });

  it("a queued JobSet that requests more than the quota never starts", () => {
    const flavors = [{ name: "spot", nodeLabels: {}, quota: { cpu: "3" } }];
    const { violations, isIdle, phases } = simulateChanges(
      scenarioWith({ flavors, evictions: [] }),
    );
    expect([violations, isIdle]).toEqual([[], true]);
    expect(phases).toEqual(["suspended queued at 0"]);
  });

  it("a deleted queued JobSet leaves no objects behind", () => {
    const scenario = scenarioWith({ flavors: FLAVORS, evictions: [] });
    const object = { kind: "JobSet", metadata: { namespace: "ml", name: "train" } };
    for (const propagationPolicy of ["Foreground", "Background"] as const) {
      const request = { verb: "delete", object, propagationPolicy } as const;
      const { violations, end } = simulateChanges({
        ...scenario,
        actions: [{ at: 10_000, request }],
      });
      expect(violations).toEqual([]);
      expect(Array.from(end.objects.all(), ({ kind }) => kind)).toEqual(["Node", "Node"]);
    }
  });
});

describe("Laws for queued JobSets", () => {
  const moved = scenarioWith(
    { flavors: FLAVORS, evictions: [{ flavor: "spot", from: 20_000, until: 400_000 }] },
    { runMs: 10_000_000 },
  );

  it("the laws hold for JobSets that change flavors", () => {
    const { violations, end } = simulateChanges({ ...moved, workload: [{ stopMs: 500 }] });
    expect(violations).toEqual([]);
    const jobs = end.objects.ofKind<Job>("Job");
    expect(jobs.map(getName).toSorted()).toEqual(["train-w-0", "train-w-1"]);
    for (const { spec } of jobs) {
      expect(spec.template.spec?.nodeSelector).toEqual({ pool: "on-demand" });
    }
  });

  it("a law detects a controller that only adds to the templates of resumed Jobs", () => {
    const quirks = new Set(["ResumeMergesTemplate"] as const);
    const { violations } = simulateChanges({ ...moved, workload: [{ stopMs: 500 }] }, { quirks });
    expect(violations.map(({ law }) => law)).toContain("resumedJobsFollowTheTemplate");
  });
});
