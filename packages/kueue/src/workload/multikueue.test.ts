import { describe, expect, it } from "vitest";
import { resolveKueueFeatureGates } from "../features.ts";
import {
  evaluateDeleteRemote,
  evaluateSyncRemote,
  isMultiKueueEligible,
  remoteJobSet,
} from "./multikueue.ts";

const key = "kueue.x-k8s.io/prebuilt-workload-name";
const origin = { "kueue.x-k8s.io/multikueue-origin": "mk" };
const jobSet = {
  metadata: { name: "train", namespace: "ml", uid: "u", labels: { a: "b" }, finalizers: ["f"] },
  spec: { managedBy: "kueue.x-k8s.io/multikueue", suspend: true },
  status: { restarts: 1 },
};

describe("MultiKueue", () => {
  it("remoteJobSet changes the manager and adds the names of the Workload and the origin", () => {
    expect(remoteJobSet(jobSet, { name: "w", origin: "mk" }, resolveKueueFeatureGates())).toEqual({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: {
        name: "train",
        namespace: "ml",
        labels: { a: "b", ...origin },
        annotations: { [key]: "w" },
      },
      spec: { suspend: true },
    });
  });

  it("remoteJobSet names its Workload in a label if the feature gate is off and the label can hold the name", () => {
    const off = resolveKueueFeatureGates({ WorkloadIdentifierAnnotations: false });
    const metadata = (name: string) => remoteJobSet(jobSet, { name, origin: "mk" }, off).metadata;
    expect(metadata("w")?.labels).toHaveProperty([key], "w");
    expect(metadata("w".repeat(64))?.annotations).toHaveProperty([key], "w".repeat(64));
  });

  it("evaluateSyncRemote copies the remote status whether or not the JobSet is suspended", () => {
    const workload = { name: "w", origin: "mk" };
    expect(evaluateSyncRemote(jobSet, {}, workload, resolveKueueFeatureGates())).toEqual({
      action: "CopyStatus",
    });
  });

  it("evaluateDeleteRemote deletes a remote JobSet only for its own manager cluster", () => {
    const decideDeletion = (labels: object, from: string) => {
      const decision = evaluateDeleteRemote({ metadata: { labels } } as object, from);
      return decision.ok ? decision.value.action : decision.refusal.message;
    };
    expect(decideDeletion(origin, "mk")).toBe("Delete");
    expect(decideDeletion(origin, "other")).toBe("Keep");
    expect(decideDeletion({}, "mk")).toBe("Keep");
    expect(decideDeletion(origin, "")).toBe("multikueue origin is empty");
  });

  it("isMultiKueueEligible requires MultiKueue as the manager", () => {
    expect(isMultiKueueEligible(jobSet)).toEqual({ eligible: true });
    expect(isMultiKueueEligible({ spec: { managedBy: "x" } })).toEqual({
      eligible: false,
      message: 'Expecting spec.managedBy to be "kueue.x-k8s.io/multikueue" not "x"',
    });
  });
});
