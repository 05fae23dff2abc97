import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { defects } from "./defects.ts";
import { mutatedCopy, replaced } from "./mutated-copy.ts";

const root = resolve(import.meta.dirname, "../../..");

describe("replaced", () => {
  const change = { file: "core/src/a.ts", from: "one", to: "$& two" };

  it("takes what comes in place as it is", () => {
    expect(replaced("is one", "B01", [change])).toBe("is $& two");
  });

  it("names the row whose text stands there not once", () => {
    const message = "B01: in packages/core/src/a.ts this stands 2 times, not once:\none";
    expect(() => replaced("one or one", "B01", [change])).toThrow(message);
    expect(() => replaced("none", "B02", [change])).not.toThrow();
  });
});

describe("the defects", () => {
  it("still find the texts that they replace", () => {
    for (const defect of defects) {
      if (!("changes" in defect)) continue;
      for (const change of defect.changes) {
        const source = readFileSync(join(root, "packages", change.file), "utf8");
        expect(replaced(source, defect.row, [change]), defect.row).not.toBe(source);
      }
    }
  });

  it("have a row each", () => {
    expect(new Set(defects.map(({ row }) => row)).size).toBe(defects.length);
  });
});

it("changes a second copy of core and leaves the first alone", async () => {
  const file = "core/src/reconcile/reconcile.ts";
  const from = "if (isBeingDeleted(jobSet) || !isManagedHere(jobSet))";
  const core = await mutatedCopy(root, "core", "B23", [{ file, from, to: "if (true)" }]);
  const { reconcile, snapshotOf, contextOf } = await import("@jobset-ts/core");
  const jobSet = {
    metadata: { name: "train", uid: "u" },
    spec: { replicatedJobs: [{ name: "w" }] },
  };
  const input = [snapshotOf([], { kinds: "all" }), jobSet, contextOf({ now: 0 })] as const;
  expect(core.reconcile(...input).steps).toEqual([]);
  expect(reconcile(...input).steps).not.toEqual([]);
});

it("changes a second copy of admission, and what it reads of a cluster", async () => {
  const file = "admission/src/pod/pod-role.ts";
  const from = 'return { kind: isLeaderPod(pod) ? "Leader" : "Follower", topologyKey };';
  const to = 'return { kind: "Leader", topologyKey };';
  const admission = await mutatedCopy(root, "admission", "B03", [{ file, from, to }]);
  const { review } = await import("@jobset-ts/admission");
  const { contextOf, snapshotOf } = await import("@jobset-ts/core");
  const annotations = {
    "jobset.sigs.k8s.io/jobset-name": "train",
    "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack",
  };
  const object = { apiVersion: "v1", kind: "Pod", metadata: { annotations }, spec: {} };
  const kind = { group: "", version: "v1", kind: "Pod" };
  const sent = {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u", operation: "CREATE", kind, object },
  };
  const rest = [contextOf({ now: 0 }), { stage: "validate" }] as const;
  expect(admission.review(sent, admission.snapshotOf([]), ...rest).outcome).toBe("Allowed");
  expect(review(sent, snapshotOf([]), ...rest).outcome).toBe("Denied");
});
