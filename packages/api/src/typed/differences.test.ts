import { runs } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typedDifferences } from "./differences.ts";
import { equalTyped } from "./equal.ts";
import type { ShapeName } from "./shapes.ts";
import { untypedJobSets } from "./testdata/typed-values.ts";

describe("typedDifferences", () => {
  it.each<[string, ShapeName, unknown, unknown, unknown]>([
    [
      "scalars deep inside",
      "ReplicatedJob",
      { template: { spec: { parallelism: 1 } } },
      { template: { spec: { parallelism: 2 } } },
      [{ path: ["template", "spec", "parallelism"], from: 1, to: 2 }],
    ],
    [
      "keys of maps that came, went and changed",
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
      "elements of lists of one length",
      "PodSpec",
      { containers: [{ name: "a" }, { name: "b", image: "x" }] },
      { containers: [{ name: "a" }, { name: "b", image: "y" }] },
      [{ path: ["containers", 1, "image"], from: "x", to: "y" }],
    ],
    [
      "lists of another length as a whole",
      "PodSpec",
      {},
      { tolerations: [{ key: "a" }] },
      [{ path: ["tolerations"], to: [{ key: "a" }] }],
    ],
    ["what is absent", "JobSpec", { suspend: false }, {}, [{ path: ["suspend"], from: false }]],
    [
      "objects that came",
      "PodSpec",
      {},
      { securityContext: {} },
      [{ path: ["securityContext"], to: {} }],
    ],
    [
      "what is below an object that is always there",
      "ReplicatedJob",
      {},
      { template: { metadata: { labels: { a: "1" } } } },
      [{ path: ["template", "metadata", "labels", "a"], to: "1" }],
    ],
  ])("tells %s", (_, type, before, after, expected) => {
    expect(typedDifferences(before, after, type)).toEqual(expected);
  });

  it("does not tell what means the same", () => {
    const before = { metadata: {}, spec: { resources: { requests: { storage: "1024Mi" } } } };
    const after = { spec: { resources: { requests: { storage: "1Gi" } }, accessModes: [] } };
    expect(typedDifferences(before, after, "PersistentVolumeClaim")).toEqual([]);
  });

  it("is empty exactly when the values are equal", () => {
    fc.assert(
      fc.property(untypedJobSets(), untypedJobSets(), (one, other) => {
        expect(typedDifferences(one, one, "JobSet")).toEqual([]);
        expect(typedDifferences(one, other, "JobSet").length === 0).toBe(
          equalTyped(one, other, "JobSet"),
        );
      }),
      { numRuns: runs(200) },
    );
  });
});
