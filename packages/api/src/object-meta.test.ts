import { describe, expect, it } from "vitest";
import { controllerOf, generatedName, type OwnerReference } from "./object-meta.ts";

const owner = (name: string, controller?: boolean): OwnerReference => ({
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  name,
  uid: `${name}-uid`,
  controller,
});

describe("controllerOf", () => {
  it("is the owner that says it is the controller", () => {
    const ownerReferences = [owner("a"), owner("b", false), owner("c", true)];
    expect(controllerOf({ metadata: { ownerReferences } })).toBe(ownerReferences[2]);
  });

  it("is nobody when no owner says so", () => {
    expect(controllerOf({})).toBeUndefined();
    expect(controllerOf({ metadata: {} })).toBeUndefined();
    expect(
      controllerOf({ metadata: { ownerReferences: [owner("a"), owner("b", false)] } }),
    ).toBeUndefined();
  });

  it("is the first of several, which no server admits", () => {
    const ownerReferences = [owner("a", true), owner("b", true)];
    expect(controllerOf({ metadata: { ownerReferences } })?.name).toBe("a");
  });

  it("takes nothing but true for a yes", () => {
    const ownerReferences = [{ ...owner("a"), controller: "true" as never }, null as never];
    expect(controllerOf({ metadata: { ownerReferences } })).toBeUndefined();
  });
});

describe("generatedName", () => {
  it("has five characters for those that the server chooses", () => {
    expect(generatedName("train-")).toBe("train-xxxxx");
  });

  it("is no longer than a DNS label", () => {
    expect(generatedName("g".repeat(58), "b2c3d")).toBe(`${"g".repeat(58)}b2c3d`);
    expect(generatedName("g".repeat(59), "b2c3d")).toBe(`${"g".repeat(58)}b2c3d`);
    expect(generatedName(`${"g".repeat(57)}é`)).toBe(`${"g".repeat(57)}xxxxx`);
  });
});
