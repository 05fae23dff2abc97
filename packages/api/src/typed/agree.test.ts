import { describe, expect, it } from "vitest";
import { agreesTyped } from "./agree.ts";
import { deepFrozen } from "./testdata/typed-values.ts";

const bound = deepFrozen({
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
  storageClassName: "standard",
  volumeMode: "Filesystem",
  volumeName: "pv-1",
});

describe("agreesTyped", () => {
  it.each<[string, unknown]>([
    ["nothing", {}],
    ["what the cluster holds", bound],
    ["a part of it", { resources: { requests: { storage: "1Gi" } } }],
    ["a quantity of the same value", { resources: { requests: { storage: "1024Mi" } } }],
    ["only zeros", { volumeName: "", accessModes: [], resources: {}, volumeMode: null }],
    ["members that nobody knows", { unknown: 1 }],
    ["no value at all", null],
  ])("agrees with one that sets %s", (_, wanted) => {
    expect(agreesTyped(wanted, bound, "PersistentVolumeClaimSpec")).toBe(true);
  });

  it.each<[string, unknown]>([
    ["another quantity", { resources: { requests: { storage: "2Gi" } } }],
    ["a quantity that is not there", { resources: { limits: { storage: "1Gi" } } }],
    ["another list", { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] }],
    ["another scalar", { volumeName: "pv-2" }],
    ["an empty text where absent means something else", { storageClassName: "" }],
    ["an object that is not there", { selector: {} }],
    ["what is no map", { resources: { requests: [] } }],
    ["what is no object", { resources: [] }],
  ])("disagrees with one that sets %s", (_, wanted) => {
    expect(agreesTyped(wanted, bound, "PersistentVolumeClaimSpec")).toBe(false);
  });

  it("does not agree where there is nothing", () => {
    expect(agreesTyped({ volumeName: "pv-1" }, undefined, "PersistentVolumeClaimSpec")).toBe(false);
    expect(agreesTyped({ volumeName: "pv-1" }, 5, "PersistentVolumeClaimSpec")).toBe(false);
    expect(agreesTyped(5, {}, "PersistentVolumeClaimSpec")).toBe(false);
  });
});
