import type { JobSet } from "@jobset-ts/api";
import { createContext, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { jobCount } from "@jobset-ts/core/desired";
import { aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepClone, deepFreeze, findFrozenPath } from "../../../testing/src/testing/freezing.ts";
import { runs } from "../../../testing/src/testing/runs.ts";
import { randomScenario } from "../explore/random-scenario.ts";
import { type WriteCostOptions, type WriteOperation, writeCost } from "./write-cost.ts";

/** Formats the cost of an operation, one line per kind of write. */
function formatLines(
  jobSet: JobSet,
  operation: WriteOperation,
  options: WriteCostOptions = {},
): string[] {
  return measureCost(jobSet, operation, options).writes.map(
    ({ by, verb, resource, count }) => `${by}: ${count} ${verb} ${resource}`,
  );
}

function measureCost(jobSet: JobSet, operation: WriteOperation, options: WriteCostOptions = {}) {
  const cost = writeCost(jobSet, operation, options);
  if (!cost.ok) throw new Error(cost.message);
  return cost;
}

function withPods(podCount: number) {
  const { template } = aReplicatedJob("w");
  return { template: { spec: { ...template.spec, parallelism: podCount, completions: podCount } } };
}

/** Returns the spec with a mount of each volume in each container. */
function withMounts({ spec }: JobSet, names: readonly string[]): JobSet["spec"] {
  const volumeMounts = names.map((name) => ({ name, mountPath: `/${name}` }));
  const replicatedJobs = spec?.replicatedJobs?.map((one) => {
    const job = one.template.spec;
    const pod = job?.template.spec;
    const containers = pod?.containers.map((container) => ({ ...container, volumeMounts }));
    const template = { ...job?.template, spec: { ...pod, containers } };
    return { ...one, template: { ...one.template, spec: { ...job, template } } };
  });
  return { ...spec, replicatedJobs } as JobSet["spec"];
}

const train = aJobSet("train").withReplicatedJob("w", { replicas: 4, ...withPods(8) });

describe("writeCost", () => {
  it("writeCost of a creation counts the Service, the Jobs, their Pods and the status", () => {
    expect(formatLines(train, "create")).toEqual([
      "JobSetController: 1 create services",
      "JobSetController: 4 create jobs",
      "JobController: 32 create pods",
      // The Job controller writes the statuses of the Jobs one after the other.
      "JobSetController: 3 update jobsets/status",
    ]);
  });

  it("writeCost of a restart counts every Job again, the status and the Events", () => {
    expect(formatLines(train, "restart")).toEqual([
      "JobController: 8 delete pods",
      "JobSetController: 7 update jobsets/status",
      "JobSetController: 3 create events",
      "JobSetController: 4 delete jobs",
      "GarbageCollector: 24 delete pods",
      "JobSetController: 4 create jobs",
      "JobController: 32 create pods",
    ]);
  });

  it("writeCost of a suspension counts a patch for each Job; upstream writes whole Jobs", () => {
    expect(formatLines(train, "suspend")).toEqual([
      "JobSetController: 4 patch jobs",
      "JobController: 32 delete pods",
      "JobSetController: 2 update jobsets/status",
      "JobSetController: 1 create events",
    ]);
    const upstream = {
      controller: "upstream",
      context: createContext({ now: 0, quirks: UPSTREAM_QUIRKS }),
    } as const;
    expect(formatLines(train, "suspend", upstream)[0]).toBe("JobSetController: 4 update jobs");
    expect(measureCost(train, "suspend", upstream).bytes).toBeGreaterThan(
      4 * measureCost(train, "suspend").bytes,
    );
  });

  it("writeCost of a resume counts a patch for each Job and all their Pods", () => {
    expect(formatLines(train, "resume")).toEqual([
      "JobSetController: 4 patch jobs",
      "JobController: 32 create pods",
      "JobSetController: 5 update jobsets/status",
      "JobSetController: 1 create events",
    ]);
  });

  it("writeCost of a deletion counts the garbage collector, and the update of a PVC to retain", () => {
    const claims = [{ metadata: { name: "data" }, spec: {} }];
    const retained = { whenDeleted: "Retain" } as const;
    const withClaims = train.withSpec({
      ...withMounts(train, ["data", "model"]),
      volumeClaimPolicies: [
        { templates: claims, retentionPolicy: { whenDeleted: "Delete" } },
        { templates: [{ metadata: { name: "model" }, spec: {} }], retentionPolicy: retained },
      ],
    });
    expect(formatLines(withClaims, "delete")).toEqual([
      "GarbageCollector: 1 delete services",
      "GarbageCollector: 4 delete jobs",
      "GarbageCollector: 1 delete persistentvolumeclaims",
      "GarbageCollector: 32 delete pods",
    ]);
  });

  it("writeCost of scaling counts a patch for each Job if the gate is on", () => {
    const context = createContext({ now: 0, features: { ElasticJobSet: true } });
    expect(formatLines(train, { scale: { w: 10 } }, { context })).toEqual([
      "JobSetController: 4 patch jobs",
      "JobController: 8 create pods",
      "JobSetController: 4 update jobsets/status",
    ]);
    expect(formatLines(train, { scale: { w: 6 } }, { context })).toContain(
      "JobController: 8 delete pods",
    );
    expect(formatLines(train, { scale: { w: 10 } })).toEqual([]);
    expect(formatLines(train, { scale: { another: 10 } }, { context })).toEqual([]);
  });

  it("writeCost of Jobs with dependencies counts the completion of their dependencies", () => {
    const chain = aJobSet("train")
      .withReplicatedJob("data", { replicas: 2 })
      .withReplicatedJob("driver", { dependsOn: [{ name: "data", status: "Complete" }] })
      .withReplicatedJob("w", { replicas: 3, dependsOn: [{ name: "driver", status: "Ready" }] });
    expect(formatLines(chain, "create")).toContain("JobSetController: 6 create jobs");
    expect(formatLines(chain, "create")).toContain("JobController: 6 create pods");
    // The completed Jobs of the dependencies still exist.
    expect(formatLines(chain, "delete")).toContain("GarbageCollector: 6 delete pods");
    expect(formatLines(chain, "restart")).toEqual(
      expect.arrayContaining(["JobController: 1 delete pods", "GarbageCollector: 5 delete pods"]),
    );
    const inOrder = aJobSet("train")
      .withReplicatedJob("data", { replicas: 2 })
      .withReplicatedJob("driver")
      .withReplicatedJob("w", { replicas: 3 })
      .withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } });
    expect(formatLines(inOrder, "create")).toContain("JobSetController: 6 create jobs");
  });

  it("writeCost of a suspended creation counts Jobs without Pods", () => {
    expect(formatLines(train.suspended(), "create")).toContain("JobSetController: 4 create jobs");
    expect(formatLines(train.suspended(), "create").join()).not.toContain("pods");
  });

  it("the least time follows the client's rate after the burst", () => {
    const many = aJobSet("train").withReplicatedJob("w", { replicas: 100 });
    // 100 Jobs, a Service and four statuses.
    expect(measureCost(many, "create", { qps: 5, burst: 10 }).minSeconds).toBe(95 / 5);
    expect(measureCost(many, "create", { qps: 5, burst: 200 }).minSeconds).toBe(0);
    expect(measureCost(many, "create").minSeconds).toBe(0);
  });

  it("Events take no time, because they have their own client", () => {
    // Four Jobs are deleted and created, and the status is written seven times.
    expect(measureCost(train, "restart", { qps: 1, burst: 1 }).minSeconds).toBe(14);
  });

  it("writeCost counts the bytes that are sent", () => {
    const { template } = aReplicatedJob("x");
    const metadata = { annotations: { note: "n".repeat(1000) } };
    const longer = train.withReplicatedJob("x", {
      template: { spec: { ...template.spec, template: { ...template.spec.template, metadata } } },
    });
    const getJobBytes = (jobSet: JobSet) =>
      measureCost(jobSet, "create").writes.find(({ resource }) => resource === "jobs")?.bytes ?? 0;
    expect(getJobBytes(longer) - getJobBytes(train)).toBeGreaterThan(1000);
  });

  it("writeCost reports why the cost is unknown", () => {
    const huge = aJobSet("train").withReplicatedJob("w", { replicas: 20_001 });
    expect(writeCost(huge, "create")).toEqual({
      ok: false,
      message:
        "spec.replicatedJobs[0].replicas: 20001 Jobs are more than the 10000 that a simulation can hold",
    });
    expect(writeCost({}, "create")).toEqual({ ok: false, message: "the JobSet has no name" });
    expect(writeCost(aJobSet("train"), "restart")).toEqual({
      ok: false,
      message: "the JobSet has no Job that can fail",
    });
  });

  it("writeCost returns the API server's or webhook's message for a rejected JobSet", () => {
    const { template } = aReplicatedJob("w");
    const noContainers = { ...template.spec.template, spec: { containers: [] } };
    const withoutContainers = aJobSet("train").withReplicatedJob("w", {
      template: { spec: { ...template.spec, template: noContainers } },
    });
    const cost = writeCost(withoutContainers, "create");
    expect(cost).toMatchObject({ ok: false, message: expect.stringContaining("containers") });
  });

  it("the cost of Jobs with dependencies does not depend on their node constraints", () => {
    const { template } = aReplicatedJob("w");
    const matchExpressions = [{ key: "accelerator", operator: "In", values: ["tpu"] }];
    const nodeSelectorTerms = [{ matchExpressions }];
    const affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    };
    const containers = [{ name: "main", image: "example.com/train" }];
    const pod = { spec: { restartPolicy: "Never", containers, affinity } } as const;
    const chain = aJobSet("train")
      .withReplicatedJob("data", { template: { spec: { ...template.spec, template: pod } } })
      .withReplicatedJob("w", { dependsOn: [{ name: "data", status: "Ready" }] });
    expect(formatLines(chain, "create")).toContain("JobSetController: 2 create jobs");
  });

  it("the cost of Jobs with a deadline equals that without a deadline", () => {
    const { template } = aReplicatedJob("w");
    const withDeadline = aJobSet("train").withReplicatedJob("w", {
      template: { spec: { ...template.spec, activeDeadlineSeconds: 1 } },
    });
    const without = aJobSet("train").withReplicatedJob("w");
    expect(formatLines(withDeadline, "restart")).toEqual(formatLines(without, "restart"));
  });

  it("writeCost ignores the status of the JobSet", () => {
    const old = train.restarted(3).withStatus({ terminalState: "Failed" });
    expect(measureCost(old, "create")).toEqual(measureCost(train, "create"));
  });

  const operations = fc.constantFrom<WriteOperation>(
    "create",
    "restart",
    "suspend",
    "resume",
    "delete",
  );

  /** Generates JobSets whose Jobs all start, with the gates that they need. */
  const admitted = fc.integer({ min: 1, max: 10_000 }).map((seed) => {
    const { objects, features = {} } = randomScenario(seed);
    const jobSet = objects.find(({ kind }) => kind === "JobSet") as unknown as JobSet;
    const { suspend: _, successPolicy: __, managedBy: ___, ...spec } = jobSet.spec;
    return { jobSet: { ...jobSet, spec }, context: createContext({ now: 0, features }) };
  });

  it("a creation creates each Job exactly once for any JobSet", () => {
    fc.assert(
      fc.property(admitted, ({ jobSet, context }) => {
        const { writes } = measureCost(jobSet, "create", { context });
        const created = writes.find(({ resource }) => resource === "jobs");
        expect(created?.count ?? 0).toBe(jobCount(jobSet));
      }),
      { numRuns: runs(15, 500) },
    );
  });

  it("a deletion deletes what a creation created", () => {
    fc.assert(
      fc.property(admitted, ({ jobSet, context }) => {
        const counts = (operation: "create" | "delete") => {
          const { writes } = measureCost(jobSet, operation, { context });
          return ["jobs", "services", "pods"].map((resource) =>
            writes
              .filter((one) => one.verb === operation && one.resource === resource)
              .reduce((sum, one) => sum + one.count, 0),
          );
        };
        expect(counts("delete")).toEqual(counts("create"));
      }),
      { numRuns: runs(15, 500) },
    );
  });

  it("writeCost does not change the JobSet and returns the same result twice", () => {
    fc.assert(
      fc.property(jobSets().map(deepClone), operations, (jobSet, operation) => {
        const cost = writeCost(jobSet, operation);
        expect(findFrozenPath(jobSet)).toBeUndefined();
        expect(writeCost(deepFreeze(jobSet), operation)).toEqual(cost);
      }),
      { numRuns: runs(15, 500) },
    );
  });
});
