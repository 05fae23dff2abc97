import { describe, expect, it } from "vitest";
import {
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  theJobSet,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

const message = "insufficient unused quota for example.com/gpu in flavor h100, 2 more needed";

function workload(ownerUid: string, version = "v1beta2", status = "False"): Wire {
  return {
    apiVersion: `kueue.x-k8s.io/${version}`,
    kind: "Workload",
    metadata: {
      name: "jobset-js-1a2b3",
      namespace: "ml",
      ownerReferences: [{ kind: "JobSet", uid: ownerUid, controller: true }],
    },
    status: {
      conditions: [
        {
          type: "QuotaReserved",
          status,
          reason: "Pending",
          message,
          lastTransitionTime: "2026-02-07T09:00:00Z",
        },
      ],
    },
  };
}

function queuedCluster(): Wire[] {
  const labels = { "kueue.x-k8s.io/queue-name": "team" };
  const jobSet = theJobSet({ spec: { suspend: true }, labels });
  return [jobSet, createService(jobSet), ...listJobs(jobSet)];
}

describe("kueueChecks", () => {
  it("diagnose reports Kueue's message as the cause of a queued JobSet, in any served version", () => {
    for (const version of ["v1beta1", "v1beta2", "v1"]) {
      const { status, roots, symptoms } = diagnoseCluster([
        ...queuedCluster(),
        workload("uid-js", version),
      ]);
      expect(status).toBe("Waiting");
      expect(roots).toMatchObject([
        { id: "quota-not-reserved", since: Date.parse("2026-02-07T09:00:00Z") },
      ]);
      expect(roots[0]?.message).toContain(message);
      expect(symptoms[0]).toMatchObject({ id: "queued", causedBy: ["quota-not-reserved"] });
    }
  });

  it("diagnose reports the queue if the Workload has quota or belongs to another JobSet", () => {
    for (const one of [workload("uid-js", "v1", "True"), workload("uid-other")]) {
      expect(rootIds(diagnoseCluster([...queuedCluster(), one]))).toEqual(["queued"]);
    }
  });
});
