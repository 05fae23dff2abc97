import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalTyped, equalTypedLists, identicalTyped } from "./equal.ts";
import type { ShapeName } from "./shapes.ts";
import { deepFrozen, typedValues, untypedJobSets } from "./testdata/typed-values.ts";

describe("equalTyped", () => {
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
  ])("takes equal %s for the same: %j and %j", (type, left, right) => {
    expect(equalTyped(left, right, type)).toBe(true);
    expect(equalTyped(right, left, type)).toBe(true);
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
  ])("tells %s apart: %j and %j", (type, left, right) => {
    expect(equalTyped(left, right, type)).toBe(false);
    expect(equalTyped(right, left, type)).toBe(false);
  });

  it("takes what is of the wrong type for equal to itself only", () => {
    const wrong = { name: ["x"], template: 5 };
    expect(equalTyped(wrong, wrong, "ReplicatedJob")).toBe(true);
    expect(equalTyped(wrong, structuredClone(wrong), "ReplicatedJob")).toBe(false);
    expect(equalTyped({ replicas: "" }, {}, "ReplicatedJob")).toBe(false);
    expect(equalTyped({ requests: { cpu: "?" } }, {}, "ResourceRequirements")).toBe(false);
    expect(equalTyped("x", {}, "ReplicatedJob")).toBe(false);
  });

  it("is reflexive", () => {
    fc.assert(
      fc.property(typedValues("JobSet"), (value) => {
        expect(equalTyped(deepFrozen(value), structuredClone(value), "JobSet")).toBe(true);
        expect(identicalTyped(value, structuredClone(value), "JobSet")).toBe(true);
      }),
    );
  });

  it("is symmetric, and identical values are equal", () => {
    fc.assert(
      fc.property(
        fc.oneof(typedValues("ReplicatedJob"), fc.constant({})),
        fc.oneof(typedValues("ReplicatedJob"), fc.constant({})),
        (left, right) => {
          const areEqual = equalTyped(left, right, "ReplicatedJob");
          const areIdentical = identicalTyped(left, right, "ReplicatedJob");
          expect(equalTyped(right, left, "ReplicatedJob")).toBe(areEqual);
          expect(identicalTyped(right, left, "ReplicatedJob")).toBe(areIdentical);
          expect(areIdentical && !areEqual).toBe(false);
        },
      ),
    );
  });

  it("answers for every two JSON values", () => {
    fc.assert(
      fc.property(untypedJobSets(), untypedJobSets(), (left, right) => {
        expect(equalTyped(left, left, "JobSet")).toBe(true);
        expect(equalTyped(right, left, "JobSet")).toBe(equalTyped(left, right, "JobSet"));
      }),
    );
  });
});

describe("equalTypedLists", () => {
  it("takes absent for empty, and elements in their order", () => {
    const [a, b] = [{ name: "a" }, { name: "b" }];
    expect(equalTypedLists(undefined, [], "ReplicatedJob")).toBe(true);
    expect(equalTypedLists([a, b], [{ ...a, replicas: 0 }, b], "ReplicatedJob")).toBe(true);
    expect(equalTypedLists([a, b], [b, a], "ReplicatedJob")).toBe(false);
    expect(equalTypedLists([a], [a, b], "ReplicatedJob")).toBe(false);
    expect(equalTypedLists("a", [], "ReplicatedJob")).toBe(false);
  });
});

describe("identicalTyped", () => {
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
  ])("holds %j and %j alike: %s", (left, right, alike) => {
    expect(identicalTyped(left, right, "PersistentVolumeClaimSpec")).toBe(alike);
    expect(identicalTyped(right, left, "PersistentVolumeClaimSpec")).toBe(alike);
  });
});
