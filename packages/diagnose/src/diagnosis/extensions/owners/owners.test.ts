import { createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import {
  createJobSet,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";
import { indexCluster } from "../../view/cluster-facts.ts";
import { createJobSetView } from "../../view/create-jobset-view.ts";
import { createThresholds } from "../../view/thresholds.ts";
import { adviseOwner } from "./owner-checks.ts";

function createView(objects: Wire[]) {
  const snapshot = createSnapshot(objects, { kinds: "all" });
  const jobSet = snapshot.jobSet("ml", "js") ?? {};
  return {
    snapshot,
    view: createJobSetView(jobSet, indexCluster(snapshot), 0, createThresholds()),
  };
}

function cluster(suspend: boolean, labels: Wire = {}): Wire[] {
  const apiVersion = "trainer.kubeflow.org/v1alpha1";
  const jobSet = createJobSet({ spec: { suspend: true } });
  const owner = { apiVersion, kind: "TrainJob", name: "yolo", uid: "uid-yolo", controller: true };
  jobSet.metadata.ownerReferences = [owner];
  const trainJob = {
    apiVersion,
    kind: "TrainJob",
    metadata: { name: "yolo", namespace: "ml", uid: "uid-yolo", labels },
    spec: { suspend, runtimeRef: { name: "torch" } },
  };
  return [jobSet, createService(jobSet), ...listJobs(jobSet), trainJob];
}

describe("ownerChecks", () => {
  it("diagnose reports a suspended TrainJob as the cause of a suspended JobSet", () => {
    const { roots, symptoms } = diagnoseCluster(cluster(true), ["Workload"]);
    expect(roots).toMatchObject([{ id: "owner-suspended", status: "Waiting" }]);
    expect(roots[0]?.texts?.advice?.[0]).toContain("resume TrainJob yolo");
    expect(symptoms[0]).toMatchObject({ id: "suspended", causedBy: ["owner-suspended"] });
  });

  it("diagnose does not advise to resume a TrainJob that a queue has suspended", () => {
    const { roots } = diagnoseCluster(cluster(true, { "kueue.x-k8s.io/queue-name": "q" }), [
      "Workload",
    ]);
    expect(roots[0]?.message).toBe(
      "TrainJob yolo is suspended in queue q, so its JobSet is suspended too",
    );
    expect(roots[0]?.texts?.advice?.join()).not.toMatch(/"suspend":false|resume/);
  });

  it("diagnose advises to check the owner, and never to resume a JobSet that has one", () => {
    const diagnosis = diagnoseCluster(cluster(false));
    expect(rootIds(diagnosis)).toEqual(["suspended"]);
    expect(diagnosis.roots[0]?.texts?.advice).toEqual([
      "check why TrainJob yolo, which owns this JobSet, keeps it suspended: kubectl describe trainjob yolo -n ml",
    ]);
  });

  it("diagnose finds the topmost of several owners", () => {
    const [jobSet, ...others] = cluster(true);
    const trainJob = others.pop();
    const apiVersion = "workload.codeflare.dev/v1beta2";
    trainJob.metadata.ownerReferences = [
      { apiVersion, kind: "AppWrapper", name: "w", uid: "uid-w", controller: true },
    ];
    const wrapper = {
      apiVersion,
      kind: "AppWrapper",
      metadata: { name: "w", namespace: "ml", uid: "uid-w" },
      spec: { suspend: true },
    };
    const { roots } = diagnoseCluster([jobSet, ...others, trainJob, wrapper]);
    expect(roots[0]?.message).toContain("AppWrapper w is suspended");
  });

  it("adviseOwner removes commands that change the JobSet, and names the runtime", () => {
    const { snapshot, view } = createView(cluster(false));
    expect(snapshot.jobSets).toHaveLength(1);
    expect(
      adviseOwner(view, "pod-failed", ["kubectl delete jobset js -n ml", "read the log"]),
    ).toEqual([
      "read the log",
      "change TrainJob yolo or ClusterTrainingRuntime torch, which owns this JobSet, instead of the JobSet; recreate TrainJob yolo if the field is immutable: kubectl describe trainjob yolo -n ml",
    ]);
  });
});
