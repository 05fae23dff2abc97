import { describe, expect, it } from "vitest";
import {
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  theJobSet,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

function cluster(suspend: boolean): Wire[] {
  const apiVersion = "trainer.kubeflow.org/v1alpha1";
  const jobSet = theJobSet({ spec: { suspend: true } });
  const owner = { apiVersion, kind: "TrainJob", name: "yolo", uid: "uid-yolo", controller: true };
  jobSet.metadata.ownerReferences = [owner];
  const trainJob = {
    apiVersion,
    kind: "TrainJob",
    metadata: { name: "yolo", namespace: "ml", uid: "uid-yolo" },
    spec: { suspend },
  };
  return [jobSet, createService(jobSet), ...listJobs(jobSet), trainJob];
}

describe("ownerChecks", () => {
  it("diagnose reports a suspended TrainJob as the cause of a suspended JobSet", () => {
    const { roots, symptoms } = diagnoseCluster(cluster(true));
    expect(roots).toMatchObject([{ id: "owner-suspended", status: "Waiting" }]);
    expect(roots[0]?.words?.advice).toEqual([
      "resume TrainJob yolo: its controller then resumes the JobSet",
    ]);
    expect(symptoms[0]).toMatchObject({ id: "suspended", causedBy: ["owner-suspended"] });
  });

  it("diagnose directs advice about a JobSet to its owner", () => {
    const diagnosis = diagnoseCluster(cluster(false));
    expect(rootIds(diagnosis)).toEqual(["suspended"]);
    expect(diagnosis.roots[0]?.words?.advice).toContain(
      "change TrainJob yolo, which owns this JobSet, instead of the JobSet",
    );
  });
});
