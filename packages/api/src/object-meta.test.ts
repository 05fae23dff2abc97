import { describe, expect, it } from "vitest";
import { getControllerOf, type OwnerReference, resolveGenerateName } from "./object-meta.ts";

const owner = (name: string, controller?: boolean): OwnerReference => ({
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  name,
  uid: `${name}-uid`,
  controller,
});

describe("getControllerOf", () => {
  it("getControllerOf returns the owner with controller: true", () => {
    const ownerReferences = [owner("a"), owner("b", false), owner("c", true)];
    expect(getControllerOf({ metadata: { ownerReferences } })).toBe(ownerReferences[2]);
  });

  it("getControllerOf returns undefined if no owner is the controller", () => {
    expect(getControllerOf({})).toBeUndefined();
    expect(getControllerOf({ metadata: {} })).toBeUndefined();
    expect(
      getControllerOf({ metadata: { ownerReferences: [owner("a"), owner("b", false)] } }),
    ).toBeUndefined();
  });

  it("getControllerOf returns the first of several controllers, which no server admits", () => {
    const ownerReferences = [owner("a", true), owner("b", true)];
    expect(getControllerOf({ metadata: { ownerReferences } })?.name).toBe("a");
  });

  it("getControllerOf accepts only the value true", () => {
    const ownerReferences = [{ ...owner("a"), controller: "true" as never }, null as never];
    expect(getControllerOf({ metadata: { ownerReferences } })).toBeUndefined();
  });
});

describe("resolveGenerateName", () => {
  it("resolveGenerateName appends five characters in place of the server's random ones", () => {
    expect(resolveGenerateName("train-")).toBe("train-xxxxx");
  });

  it("resolveGenerateName returns at most the length of a DNS label", () => {
    expect(resolveGenerateName("g".repeat(58), "b2c3d")).toBe(`${"g".repeat(58)}b2c3d`);
    expect(resolveGenerateName("g".repeat(59), "b2c3d")).toBe(`${"g".repeat(58)}b2c3d`);
    expect(resolveGenerateName(`${"g".repeat(57)}é`)).toBe(`${"g".repeat(57)}xxxxx`);
  });
});
