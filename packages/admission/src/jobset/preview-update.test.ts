import { createContext, createSnapshot } from "@jobset-ts/core";
import { aJob, aJobSet, aReplicatedJob, aService } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze, findFrozenPath } from "../../../testing/src/testing/freezing.ts";
import { previewUpdate } from "./preview-update.ts";

// biome-ignore lint/suspicious/noExplicitAny: the test needs members of the wrong type
type AnyObject = any;

const context = createContext({ now: 0 });
const elastic = createContext({ now: 0, features: { ElasticJobSet: true } });
const old = aJobSet("train").withReplicatedJob("w", { replicas: 2 });
const jobs = [0, 1].map((index) => aJob(`train-w-${index}`).controlledBy(old));
const cluster = createSnapshot([old, ...jobs, aService("train").controlledBy(old)], {
  kinds: "all",
});

function preview(next: unknown, under = context, before: unknown = old, at = cluster) {
  return previewUpdate({ oldObject: before, object: next }, at, under);
}

/** Returns a summary of the changes. */
function changes(next: unknown, under = context, before: unknown = old) {
  return preview(next, under, before).changes.map(({ path, mutability, permitted }) => [
    path,
    mutability,
    permitted,
  ]);
}

/** The JobSet with another template in its ReplicatedJob. */
function withJobSpec(spec: AnyObject, podSpec: AnyObject = {}) {
  const { template } = aReplicatedJob("w");
  const pod = { ...template.spec.template, spec: { ...template.spec.template.spec, ...podSpec } };
  return aJobSet("train").withReplicatedJob("w", {
    replicas: 2,
    template: { spec: { ...template.spec, template: pod, ...spec } },
  });
}

describe("the changes of an edit", () => {
  it("another notation of the same value is not a change", () => {
    expect(changes(old)).toEqual([]);
    expect(changes({ ...old, metadata: { ...old.metadata, uid: undefined, labels: {} } })).toEqual(
      [],
    );
  });

  it("previewUpdate reports a change that is always allowed", () => {
    const next = old
      .withLabels({ "example.com/a": "1" })
      .withSpec({ suspend: true, ttlSecondsAfterFinished: 3 });
    expect(preview(next).changes).toEqual([
      {
        path: "metadata.labels[example.com/a]",
        to: "1",
        mutability: "Free",
        permitted: true,
        reason: "it may change at any time",
      },
      expect.objectContaining({ path: "spec.suspend", to: true, mutability: "Free" }),
      expect.objectContaining({ path: "spec.ttlSecondsAfterFinished", to: 3 }),
    ]);
  });

  it("previewUpdate reports immutable changes: names, policies, the manager, and most of a ReplicatedJob", () => {
    const next = withJobSpec({ backoffLimit: 3 }).withSpec({
      managedBy: "a.io/b",
      network: { enableDNSHostnames: false, publishNotReadyAddresses: true },
    });
    const metadata = { ...next.metadata, name: "other", namespace: "elsewhere" };
    expect(changes({ ...next, metadata })).toEqual([
      ["metadata.name", "Immutable", false],
      ["metadata.namespace", "Immutable", false],
      ["spec.replicatedJobs[0].template.spec.backoffLimit", "Immutable", false],
      ["spec.network.enableDNSHostnames", "Immutable", false],
      ["spec.managedBy", "Immutable", false],
    ]);
  });

  it("previewUpdate reports added and removed policies as a whole", () => {
    const failurePolicy = { maxRestarts: 1 };
    expect(changes(old.withSpec({ failurePolicy }))).toEqual([
      ["spec.failurePolicy", "Free", true],
    ]);
    const without = old.withSpec({ successPolicy: undefined });
    expect(changes(without)).toEqual([["spec.successPolicy", "Immutable", false]]);
    const removable = createContext({ now: 0, quirks: ["PolicyRemovable"] });
    expect(changes(without, removable)).toEqual([["spec.successPolicy", "Free", true]]);
    const other = old.withSpec({ successPolicy: { operator: "Any" } });
    expect(changes(other, removable)).toEqual([
      ["spec.successPolicy.operator", "Immutable", false],
    ]);
  });

  it("previewUpdate reports changes that need suspension", () => {
    const next = withJobSpec({}, { nodeSelector: { pool: "a" }, tolerations: [{ key: "k" }] });
    const paths = [
      "spec.replicatedJobs[0].template.spec.template.spec.nodeSelector[pool]",
      "spec.replicatedJobs[0].template.spec.template.spec.tolerations",
    ].map((path) => path.replace("[pool]", ".pool"));
    expect(changes(next)).toEqual(paths.map((path) => [path, "WhileSuspended", false]));
    expect(changes(next.suspended(), context, old.suspended())).toEqual(
      paths.map((path) => [path, "WhileSuspended", true]),
    );
  });

  it("previewUpdate reports changes that need suspension and a gate: container resources", () => {
    const next = withJobSpec(
      {},
      { containers: [{ name: "c", image: "busybox", resources: { limits: { cpu: "2" } } }] },
    );
    const before = withJobSpec(
      {},
      { containers: [{ name: "c", image: "busybox", resources: { limits: { cpu: "1" } } }] },
    );
    const mutable = createContext({
      now: 0,
      features: { MutablePodResourcesForSuspendedJobSets: true },
    });
    const results = [context, mutable].map((under) => [
      ...changes(next, under, before),
      ...changes(next.suspended(), under, before.suspended()),
    ]);
    expect(results.map((changed) => changed.map(([, ...rest]) => rest))).toEqual([
      [
        ["Immutable", false],
        ["Immutable", false],
      ],
      [
        ["WhileSuspended", false],
        ["WhileSuspended", true],
      ],
    ]);
  });

  it("resource claims and resources of ephemeral containers are immutable even with the gate", () => {
    const container = { name: "c", image: "busybox" };
    const withRequests = (resources: AnyObject, ofEphemeral: AnyObject) =>
      withJobSpec(
        {},
        {
          containers: [{ ...container, resources }],
          ephemeralContainers: [{ ...container, name: "e", resources: ofEphemeral }],
        },
      ).suspended();
    const before = withRequests({ claims: [{ name: "gpu" }] }, { limits: { cpu: "1" } });
    const next = withRequests({ claims: [{ name: "tpu" }] }, { limits: { cpu: "2" } });
    const mutable = createContext({
      now: 0,
      features: { MutablePodResourcesForSuspendedJobSets: true },
    });
    const pod = "spec.replicatedJobs[0].template.spec.template.spec";
    expect(changes(next, mutable, before)).toEqual([
      [`${pod}.containers[0].resources.claims[0].name`, "Immutable", false],
      [`${pod}.ephemeralContainers[0].resources.limits.cpu`, "Immutable", false],
    ]);
  });

  it("previewUpdate reports changes that need a gate", () => {
    const next = withJobSpec({ parallelism: 2, completions: 2 });
    const paths = ["parallelism", "completions"].map(
      (member) => `spec.replicatedJobs[0].template.spec.${member}`,
    );
    expect(changes(next)).toEqual(paths.map((path) => [path, "NeedsGate", false]));
    expect(changes(next, elastic)).toEqual(paths.map((path) => [path, "NeedsGate", true]));
    expect(preview(next).changes[0]?.reason).toContain("ElasticJobSet, which is off");
  });

  it("previewUpdate pairs ReplicatedJobs by name, and reports added, removed and moved ones", () => {
    const before = aJobSet("train").withReplicatedJob("a").withReplicatedJob("b");
    const after = aJobSet("train").withReplicatedJob("b", { replicas: 3 }).withReplicatedJob("c");
    expect(preview(after, context, before).changes).toMatchObject([
      { path: "spec.replicatedJobs[0].replicas", from: 1, to: 3 },
      { path: "spec.replicatedJobs[1]", to: { name: "c" } },
      { path: "spec.replicatedJobs[0]", from: { name: "a" } },
    ]);
    const swapped = aJobSet("train").withReplicatedJob("b").withReplicatedJob("a");
    expect(preview(swapped, context, before).changes).toMatchObject([
      { path: "spec.replicatedJobs", from: ["a", "b"], to: ["b", "a"], permitted: false },
    ]);
  });
});

describe("the impact of an edit", () => {
  it("previewUpdate returns no impact if any stage denies the update", () => {
    const rejected = preview(withJobSpec({ backoffLimit: 3 }));
    expect(rejected.admission).toMatchObject({ allowed: false, stage: "validate" });
    expect(rejected).not.toHaveProperty("consequences");
    expect(preview({ ...old, spec: { suspend: "yes" } })).not.toHaveProperty("consequences");
  });

  it("previewUpdate reports what the controller does with each Job, with and without the update", () => {
    const { admission, impact } = preview(old.suspended());
    expect(admission.allowed).toBe(true);
    expect(impact?.jobs).toEqual([
      { job: "train-w-0", before: "Untouched", after: "Patched" },
      { job: "train-w-1", before: "Untouched", after: "Patched" },
    ]);
    expect(impact?.counts).toEqual({
      before: { Created: 0, Recreated: 0, Patched: 0, Deleted: 0, Untouched: 2 },
      after: { Created: 0, Recreated: 0, Patched: 2, Deleted: 0, Untouched: 0 },
    });
    expect(impact?.plans.after.steps.map(({ phase }) => phase)).toContain("suspend");
  });

  it("previewUpdate counts created and deleted Jobs", () => {
    const restarted = old.restarted(1);
    const at = createSnapshot([restarted, jobs[0], aService("train").controlledBy(old)], {
      kinds: "all",
    });
    const { impact } = preview(restarted.withLabels({ a: "1" }), context, restarted, at);
    expect(impact?.jobs).toEqual([
      { job: "train-w-0", before: "Deleted", after: "Deleted" },
      { job: "train-w-1", before: "Created", after: "Created" },
    ]);
  });

  it("previewUpdate works for a manifest without the fields that only the server sets", () => {
    const { uid: _, ...metadata } = old.suspended().metadata;
    const { impact } = preview({ ...old.suspended(), metadata });
    expect(impact?.counts.after.Patched).toBe(2);
  });

  it("previewUpdate shows a change of size with its feature gate", () => {
    const { impact } = preview(withJobSpec({ parallelism: 2, completions: 2 }), elastic);
    expect(impact?.counts.after.Patched).toBe(2);
  });
});

describe("a preview", () => {
  it.each([
    null,
    undefined,
    5,
    "x",
    [],
    {},
    { spec: [] },
    { metadata: 5, spec: { replicatedJobs: [5] } },
  ])("previewUpdate accepts %j on either side", (value) => {
    expect(preview(value).admission.allowed).toBe(false);
    expect(preview(old, context, value)).toBeDefined();
    expect(preview(value, context, value).admission.allowed).toBe(false);
  });

  it("previewUpdate neither changes nor freezes its input", () => {
    const [one, other] = JSON.parse(JSON.stringify([old, old.suspended()]));
    const result = preview(other, context, one);
    expect(findFrozenPath([one, other])).toBeUndefined();
    expect([one, other]).toEqual([old, old.suspended()]);
    expect(preview(deepFreeze(other), context, deepFreeze(one))).toEqual(result);
  });
});
