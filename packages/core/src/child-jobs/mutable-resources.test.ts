import type { Container, PodSpec } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { applyChanges, type FieldChange } from "../plan/field-changes.ts";
import { resourceChanges } from "./mutable-resources.ts";

type Resources = Record<string, unknown>;

function container(name: string, resources?: Resources): Container {
  return { name, image: `img-${name}`, ...(resources !== undefined && { resources }) } as Container;
}

/** The resources of a Job's only container, after a resume. */
function followTemplate(old: Resources | undefined, template: Resources | undefined): unknown {
  const before = deepFreeze({ containers: [container("main", old)] });
  const changes = resourceChanges(before, { containers: [container("main", template)] });
  if (changes.length === 0) return "unchanged";
  return applyToSpec(before, changes).containers[0]?.resources;
}

/** A Pod spec after changes of its Job. */
function applyToSpec(spec: PodSpec, changes: readonly FieldChange[]): PodSpec {
  return applyChanges({ spec: { template: { spec } } }, changes).spec.template.spec;
}

const small = { requests: { cpu: "1" }, limits: { memory: "1Gi" } };
const large = { requests: { cpu: "4" }, limits: { memory: "8Gi" } };

describe("resourceChanges", () => {
  it.each<[string, Resources | undefined, Resources | undefined, unknown]>([
    ["is empty without differences", small, small, "unchanged"],
    ["is empty without resources", undefined, undefined, "unchanged"],
    ["treats an empty map as absent", {}, { requests: {} }, "unchanged"],
    [
      "ignores the notation of a quantity",
      { requests: { cpu: "1" } },
      { requests: { cpu: "1000m" } },
      "unchanged",
    ],
    [
      "treats a number and its text as equal",
      { requests: { cpu: "1" } },
      { requests: { cpu: 1 } },
      "unchanged",
    ],
    ["contains requests and limits", small, large, large],
    [
      "contains requests only",
      small,
      { ...small, requests: { cpu: "2" } },
      { ...small, requests: { cpu: "2" } },
    ],
    [
      "contains limits only",
      small,
      { ...small, limits: { memory: "2Gi" } },
      { ...small, limits: { memory: "2Gi" } },
    ],
    [
      "contains an added resource",
      small,
      { ...small, requests: { cpu: "1", gpu: "1" } },
      { ...small, requests: { cpu: "1", gpu: "1" } },
    ],
    [
      "contains a replaced resource",
      { requests: { cpu: "1" } },
      { requests: { gpu: "1" } },
      { requests: { gpu: "1" } },
    ],
    ["sets the resources of a container without any", undefined, small, small],
    ["removes all resources", small, undefined, {}],
    [
      "removes all requests or all limits",
      small,
      { limits: small.limits },
      { limits: small.limits },
    ],
    [
      "ignores an unchanged invalid amount",
      { requests: { cpu: "many" } },
      { requests: { cpu: "many" } },
      "unchanged",
    ],
    [
      "contains a changed invalid amount",
      { requests: { cpu: "many" } },
      { requests: { cpu: "more" } },
      { requests: { cpu: "more" } },
    ],
  ])("resourceChanges %s", (_, old, template, expected) => {
    expect(followTemplate(old, template)).toStrictEqual(expected);
  });

  it("resourceChanges keeps the claims of the Job, not those of the template", () => {
    const claims = [{ name: "gpu" }];
    expect(followTemplate({ ...small, claims }, { ...large, claims: [{ name: "tpu" }] })).toEqual({
      ...large,
      claims,
    });
    expect(followTemplate({ claims }, { claims: [] })).toBe("unchanged");
  });

  it("resourceChanges matches containers by name, separately for main and init containers, and adds or removes none", () => {
    const old: PodSpec = {
      containers: [container("a", small), container("b", small), container("only-old", small)],
      initContainers: [container("a", small), container("i", small)],
    };
    const template: PodSpec = {
      containers: [container("only-new", large), container("b", large), container("i", large)],
      initContainers: [container("i", large)],
    };
    const changes = resourceChanges(deepFreeze(old), template);
    expect(changes.map(({ path }) => path.slice(3, 5))).toEqual([
      ["containers", { name: "b" }],
      ["containers", { name: "b" }],
      ["initContainers", { name: "i" }],
      ["initContainers", { name: "i" }],
    ]);
    const after = applyToSpec(old, changes);
    expect(after).toEqual({
      containers: [container("a", small), container("b", large), container("only-old", small)],
      initContainers: [container("a", small), container("i", large)],
    });
    expect(after.containers[0]).toBe(old.containers[0]);
  });

  it("resourceChanges compares each amount, and changes nothing else of a container", () => {
    const old = { containers: [{ ...container("main", small), env: [1] }] } as PodSpec;
    const template = { containers: [container("main", { ...small, requests: { cpu: "4" } })] };
    const path = ["spec", "template", "spec", "containers", { name: "main" }, "resources"];
    expect(resourceChanges(old, template)).toStrictEqual([
      { path: [...path, "requests", "cpu"], value: "4" },
    ]);
    expect(resourceChanges(old, { containers: [container("main")] })).toStrictEqual([
      { path: [...path, "requests"] },
      { path: [...path, "limits"] },
    ]);
  });

  it("mutable resources skip values that are not containers", () => {
    const invalidPodSpec = { containers: [null, "main", { resources: "x" }] } as never;
    expect(resourceChanges(invalidPodSpec, invalidPodSpec)).toEqual([]);
    expect(resourceChanges(undefined, undefined)).toEqual([]);
    const podSpecWithoutNames = (resources: Resources) =>
      ({ containers: [{ resources }] }) as never;
    expect(resourceChanges(podSpecWithoutNames(small), podSpecWithoutNames(large))).toEqual([]);
  });
});
