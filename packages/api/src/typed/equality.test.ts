import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { deepEqualTyped, findTypedDifferences, isTypedSubset, semanticEqual } from "./equality.ts";
import type { ShapeName } from "./shapes.ts";
import { deepFrozen, typedValues, untypedJobSets } from "./testdata/typed-values.ts";

describe("semanticEqual", () => {
  it.each<[ShapeName, unknown, unknown]>([
    ["ReplicatedJob", { groupName: "", replicas: 0 }, {}],
    ["ReplicatedJob", { name: null, dependsOn: null }, { name: "", dependsOn: [] }],
    ["ReplicatedJob", { template: { metadata: {} } }, {}],
    ["ReplicatedJob", { template: null }, { template: { spec: { template: {} } } }],
    ["ReplicatedJob", { dependsOn: [null] }, { dependsOn: [{ name: "" }] }],
    ["ReplicatedJob", { unknown: 1 }, { Name: "x" }],
    ["ObjectMeta", { labels: {} }, { labels: null }],
    ["ObjectMeta", { labels: { a: null } }, { labels: { a: "" } }],
    ["ObjectMeta", { labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } }],
    ["ResourceRequirements", { limits: { cpu: "1Gi" } }, { limits: { cpu: "1024Mi" } }],
    ["ResourceRequirements", { limits: { cpu: 0 } }, { limits: { cpu: null } }],
    ["ResourceFieldSelector", { divisor: "0" }, {}],
    ["TCPSocketAction", { port: 0 }, {}],
    ["Condition", { lastTransitionTime: "0001-01-01T00:00:00Z" }, {}],
    [
      "Condition",
      { lastTransitionTime: "2026-02-07T06:56:19Z" },
      { lastTransitionTime: "2026-02-07T07:56:19.000+01:00" },
    ],
    ["EnvVar", { name: "a\ud800" }, { name: "a\ufffd" }],
  ])("semanticEqual treats %s as equal: %j and %j", (type, left, right) => {
    expect(semanticEqual(left, right, type)).toBe(true);
    expect(semanticEqual(right, left, type)).toBe(true);
  });

  it.each<[ShapeName, unknown, unknown]>([
    ["ReplicatedJob", { replicas: 1 }, {}],
    ["JobSpec", { suspend: false }, {}],
    ["JobSpec", { parallelism: 0 }, { parallelism: null }],
    ["PodSpec", { securityContext: {} }, {}],
    ["PodSpec", { tolerations: [{ key: "a" }, {}] }, { tolerations: [{}, { key: "a" }] }],
    ["PodSpec", { tolerations: [{}] }, {}],
    ["Container", { args: [""] }, { args: [] }],
    ["ObjectMeta", { labels: { a: "" } }, {}],
    ["ObjectMeta", { labels: { a: "" } }, { labels: { b: "" } }],
    ["ObjectMeta", { generateName: "a" }, {}],
    ["ResourceRequirements", { limits: { cpu: "1" } }, { limits: { cpu: "1001m" } }],
    ["TCPSocketAction", { port: "80" }, { port: 80 }],
    ["TCPSocketAction", { port: "" }, {}],
    [
      "Condition",
      { lastTransitionTime: "2026-02-07T06:56:19Z" },
      { lastTransitionTime: "2026-02-07T06:56:19.000000001Z" },
    ],
  ])("semanticEqual distinguishes %s: %j and %j", (type, left, right) => {
    expect(semanticEqual(left, right, type)).toBe(false);
    expect(semanticEqual(right, left, type)).toBe(false);
  });

  it("semanticEqual treats a value of the wrong type as equal only to itself", () => {
    const wrong = { name: ["x"], template: 5 };
    expect(semanticEqual(wrong, wrong, "ReplicatedJob")).toBe(true);
    expect(semanticEqual(wrong, structuredClone(wrong), "ReplicatedJob")).toBe(false);
    expect(semanticEqual({ replicas: "" }, {}, "ReplicatedJob")).toBe(false);
    expect(semanticEqual({ requests: { cpu: "?" } }, {}, "ResourceRequirements")).toBe(false);
    expect(semanticEqual("x", {}, "ReplicatedJob")).toBe(false);
    expect(semanticEqual({ dependsOn: "a" }, {}, "ReplicatedJob")).toBe(false);
  });

  it("semanticEqual is reflexive", () => {
    fc.assert(
      fc.property(typedValues("JobSet"), (value) => {
        expect(semanticEqual(deepFrozen(value), structuredClone(value), "JobSet")).toBe(true);
        expect(deepEqualTyped(value, structuredClone(value), "JobSet")).toBe(true);
      }),
    );
  });

  it("semanticEqual is symmetric, and true for identical values", () => {
    fc.assert(
      fc.property(
        fc.oneof(typedValues("ReplicatedJob"), fc.constant({})),
        fc.oneof(typedValues("ReplicatedJob"), fc.constant({})),
        (left, right) => {
          const areEqual = semanticEqual(left, right, "ReplicatedJob");
          const areIdentical = deepEqualTyped(left, right, "ReplicatedJob");
          expect(semanticEqual(right, left, "ReplicatedJob")).toBe(areEqual);
          expect(deepEqualTyped(right, left, "ReplicatedJob")).toBe(areIdentical);
          expect(areIdentical && !areEqual).toBe(false);
        },
      ),
    );
  });

  it("semanticEqual returns a result for every two JSON values", () => {
    fc.assert(
      fc.property(untypedJobSets(), untypedJobSets(), (left, right) => {
        expect(semanticEqual(left, left, "JobSet")).toBe(true);
        expect(semanticEqual(right, left, "JobSet")).toBe(semanticEqual(left, right, "JobSet"));
      }),
    );
  });
});

describe("deepEqualTyped", () => {
  const claim = (value: object) => ({ accessModes: ["ReadWriteOnce"], ...value });
  const requests = (storage: unknown) => claim({ resources: { requests: { storage } } });

  it.each([
    [claim({ resources: {} }), claim({}), true],
    [claim({ volumeName: "" }), claim({}), true],
    [claim({ selector: { matchLabels: {} } }), claim({ selector: {} }), false],
    [claim({ resources: { limits: {} } }), claim({}), false],
    [claim({ resources: { limits: null } }), claim({}), true],
    [claim({ accessModes: [] }), { accessModes: null }, false],
    [claim({ storageClassName: "" }), claim({}), false],
    [requests("1Gi"), requests("1Gi"), true],
    [requests("8192Mi"), requests("8Gi"), true],
    [requests("1024Mi"), requests("1Gi"), false],
    [requests("0"), requests(null), false],
    [requests(null), requests(null), true],
  ])("deepEqualTyped compares %j and %j: %s", (left, right, alike) => {
    expect(deepEqualTyped(left, right, "PersistentVolumeClaimSpec")).toBe(alike);
    expect(deepEqualTyped(right, left, "PersistentVolumeClaimSpec")).toBe(alike);
  });
});

const bound = deepFrozen({
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
  storageClassName: "standard",
  volumeMode: "Filesystem",
  volumeName: "pv-1",
});

describe("isTypedSubset", () => {
  it.each<[string, unknown]>([
    ["nothing", {}],
    ["the actual value", bound],
    ["a part of it", { resources: { requests: { storage: "1Gi" } } }],
    ["a quantity of the same value", { resources: { requests: { storage: "1024Mi" } } }],
    ["only zeros", { volumeName: "", accessModes: [], resources: {}, volumeMode: null }],
    ["unknown members", { unknown: 1 }],
    ["no value at all", null],
  ])("isTypedSubset returns true if the desired value sets %s", (_, expected) => {
    expect(isTypedSubset(expected, bound, "PersistentVolumeClaimSpec")).toBe(true);
  });

  it.each<[string, unknown]>([
    ["another quantity", { resources: { requests: { storage: "2Gi" } } }],
    ["a quantity that is absent", { resources: { limits: { storage: "1Gi" } } }],
    ["another list", { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] }],
    ["another scalar", { volumeName: "pv-2" }],
    ["an empty text where absent means something else", { storageClassName: "" }],
    ["an object that is absent", { selector: {} }],
    ["a value that is not a map", { resources: { requests: [] } }],
    ["a value that is not an object", { resources: [] }],
  ])("isTypedSubset returns false if the desired value sets %s", (_, expected) => {
    expect(isTypedSubset(expected, bound, "PersistentVolumeClaimSpec")).toBe(false);
  });

  it("isTypedSubset returns false if the actual value is absent", () => {
    expect(isTypedSubset({ volumeName: "pv-1" }, undefined, "PersistentVolumeClaimSpec")).toBe(
      false,
    );
    expect(isTypedSubset({ volumeName: "pv-1" }, 5, "PersistentVolumeClaimSpec")).toBe(false);
    expect(isTypedSubset(5, {}, "PersistentVolumeClaimSpec")).toBe(false);
  });
});

describe("findTypedDifferences", () => {
  it.each<[string, ShapeName, unknown, unknown, unknown]>([
    [
      "nested scalars",
      "ReplicatedJob",
      { template: { spec: { parallelism: 1 } } },
      { template: { spec: { parallelism: 2 } } },
      [{ path: ["template", "spec", "parallelism"], from: 1, to: 2 }],
    ],
    [
      "added, removed and changed map keys",
      "ObjectMeta",
      { labels: { a: "1", b: "2" } },
      { labels: { b: "3", c: "4" } },
      [
        { path: ["labels", "a"], from: "1" },
        { path: ["labels", "b"], from: "2", to: "3" },
        { path: ["labels", "c"], to: "4" },
      ],
    ],
    [
      "elements of lists with equal length",
      "PodSpec",
      { containers: [{ name: "a" }, { name: "b", image: "x" }] },
      { containers: [{ name: "a" }, { name: "b", image: "y" }] },
      [{ path: ["containers", 1, "image"], from: "x", to: "y" }],
    ],
    [
      "lists of different length as a whole",
      "PodSpec",
      {},
      { tolerations: [{ key: "a" }] },
      [{ path: ["tolerations"], to: [{ key: "a" }] }],
    ],
    ["absent values", "JobSpec", { suspend: false }, {}, [{ path: ["suspend"], from: false }]],
    [
      "added objects",
      "PodSpec",
      {},
      { securityContext: {} },
      [{ path: ["securityContext"], to: {} }],
    ],
    [
      "members of an object that is always present",
      "ReplicatedJob",
      {},
      { template: { metadata: { labels: { a: "1" } } } },
      [{ path: ["template", "metadata", "labels", "a"], to: "1" }],
    ],
  ])("findTypedDifferences reports %s", (_, type, before, after, expected) => {
    expect(findTypedDifferences(before, after, type)).toEqual(expected);
  });

  it("findTypedDifferences ignores different notations of the same value", () => {
    const before = { metadata: {}, spec: { resources: { requests: { storage: "1024Mi" } } } };
    const after = { spec: { resources: { requests: { storage: "1Gi" } }, accessModes: [] } };
    expect(findTypedDifferences(before, after, "PersistentVolumeClaim")).toEqual([]);
  });

  it("findTypedDifferences is empty if and only if the values are equal", () => {
    fc.assert(
      fc.property(untypedJobSets(), untypedJobSets(), (one, other) => {
        expect(findTypedDifferences(one, one, "JobSet")).toEqual([]);
        expect(findTypedDifferences(one, other, "JobSet").length === 0).toBe(
          semanticEqual(one, other, "JobSet"),
        );
      }),
      { numRuns: runs(100) },
    );
  });
});
