import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { applyChanges, type FieldChange } from "../plan/field-changes.ts";
import { applyStrategicMergePatch } from "../testing/reference/apply-strategic-merge-patch.ts";
import { strategicMergePatch } from "./strategic-merge-patch.ts";

const about = { uid: "u-1", resourceVersion: "7" };

/** An object as a server stores it, with members that no client knows. */
const stored = deepFreeze({
  metadata: { uid: "u-1", resourceVersion: "7", annotations: { a: "1" }, later: true },
  spec: {
    suspend: true,
    template: {
      metadata: { labels: { a: "1", b: "2" } },
      spec: {
        containers: [
          { name: "side", later: {} },
          {
            name: "main",
            later: [1],
            resources: { claims: [{}], requests: { cpu: "1", gpu: "1" } },
          },
        ],
        schedulingGates: [{ name: "x", later: 1 }, { name: "y" }],
        tolerations: [{ key: "a", later: 2 }],
        workloadRef: { name: "w" },
      },
    },
  },
  status: { startTime: "2026-02-07T06:56:19Z", conditions: [{ type: "Ready", later: 3 }] },
});
const spec = ["spec", "template", "spec"];

it.each<[string, readonly FieldChange[], object]>([
  [
    "a member",
    [{ path: ["spec", "suspend"], value: false }, { path: ["status", "startTime"] }],
    { spec: { suspend: false }, status: { startTime: null } },
  ],
  [
    "the entries of a map",
    [
      { path: ["spec", "template", "metadata", "labels", "a"] },
      { path: ["spec", "template", "metadata", "labels", "c"], value: "3" },
      { path: ["metadata", "annotations", "b"], value: "2" },
    ],
    {
      metadata: { ...about, annotations: { b: "2" } },
      spec: { template: { metadata: { labels: { a: null, c: "3" } } } },
    },
  ],
  [
    "a whole map",
    [{ path: ["spec", "template", "metadata", "labels"], value: { c: "3" } }],
    { spec: { template: { metadata: { labels: { $patch: "replace", c: "3" } } } } },
  ],
  [
    "a whole list without a merge key",
    [{ path: [...spec, "tolerations"], value: [{ key: "b" }] }],
    { spec: { template: { spec: { tolerations: [{ key: "b" }] } } } },
  ],
  [
    "members of an element",
    [
      {
        path: [...spec, "containers", { name: "main" }, "resources", "requests", "cpu"],
        value: "4",
      },
      { path: [...spec, "containers", { name: "main" }, "resources", "requests", "gpu"] },
    ],
    {
      spec: {
        template: {
          spec: {
            containers: [{ name: "main", resources: { requests: { cpu: "4", gpu: null } } }],
          },
        },
      },
    },
  ],
  [
    "added and removed elements",
    [
      { path: [...spec, "schedulingGates", { name: "x" }] },
      { path: [...spec, "schedulingGates", { name: "z" }], value: { name: "z" } },
    ],
    {
      spec: {
        template: {
          spec: { schedulingGates: [{ name: "x", $patch: "delete" }, { name: "z" }] },
        },
      },
    },
  ],
  [
    "an element that replaces an existing one",
    [
      {
        path: ["status", "conditions", { type: "Ready" }],
        value: { type: "Ready", status: "True" },
      },
    ],
    { status: { conditions: [{ type: "Ready", status: "True" }] } },
  ],
])(
  "a strategic merge patch contains only %s, and has the same effect on the stored object as the changes",
  (_, changes, expected) => {
    const patch = strategicMergePatch(deepFreeze(changes), about);
    expect(patch).toEqual({ metadata: about, ...expected });
    expect(sortLists(applyStrategicMergePatch(stored, patch))).toEqual(
      sortLists(applyChanges(stored, changes)),
    );
  },
);

/** A server lists new gates first, and the library lists them last. */
function sortLists(object: typeof stored): object {
  const { schedulingGates } = object.spec.template.spec;
  const value = schedulingGates.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return applyChanges(object, [{ path: [...spec, "schedulingGates"], value }]);
}

it("a patch without an observed version has no precondition", () => {
  expect(JSON.stringify(strategicMergePatch([], { resourceVersion: undefined }))).toBe(
    '{"metadata":{}}',
  );
});

describe("a name that a server would treat as a directive", () => {
  const nested = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);

  it.each<[string, FieldChange]>([
    ["as a key", { path: [...spec, "nodeSelector", "$patch"], value: "delete" }],
    ["as a removed key", { path: ["metadata", "annotations", "$retainKeys"] }],
    ["in a map", { path: [...spec, "nodeSelector"], value: { $patch: "delete" } }],
    ["in a list", { path: [...spec, "tolerations"], value: [{ key: "a", $patch: "delete" }] }],
    [
      "in a value that is nested too deeply to check",
      { path: [...spec, "tolerations"], value: nested },
    ],
  ])("a patch with a name that a server would treat as a directive is rejected %s", (_, change) => {
    expect(strategicMergePatch([change], about)).toBeUndefined();
  });

  it("a text that a server would treat as a directive is allowed as a value", () => {
    const change = { path: [...spec, "nodeSelector", "a"], value: "$patch" };
    expect(strategicMergePatch([change], about)).toBeDefined();
  });
});
