import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  theJobSet,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

const name = "jobset-controller-manager";

function deployment(availableReplicas: number): Wire {
  const metadata = { name, namespace: "jobset-system" };
  const status = {
    availableReplicas,
    conditions: [{ type: "Available", status: "False", message: "no" }],
  };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas: 1 }, status };
}

const pod: Wire = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: `${name}-5d9f-x2x4z`, namespace: "jobset-system" },
  spec: { nodeName: "n1" },
  status: {
    phase: "Pending",
    containerStatuses: [
      {
        name: "manager",
        state: { waiting: { reason: "ImagePullBackOff", message: "image not found" } },
      },
    ],
  },
};

describe("controlPlaneChecks", () => {
  it("diagnose reports a controller that does not run as the cause of an unreconciled JobSet", () => {
    const { status, roots, symptoms } = diagnoseCluster([
      theJobSet({ status: {} }),
      deployment(0),
      pod,
    ]);
    expect(status).toBe("Stuck");
    expect(roots.map(({ message }) => message)).toEqual([
      `the JobSet controller ${name} does not run: Pod ${pod.metadata.name}: ImagePullBackOff: image not found`,
    ]);
    expect(symptoms.map(({ id }) => id)).toContain("not-reconciled");
  });

  it("diagnose does not report the controller if it runs, or if the JobSet does not need it", () => {
    expect(rootIds(diagnoseCluster([theJobSet({ status: {} }), deployment(1)]))).toEqual([
      "not-reconciled",
    ]);
    const jobSet = theJobSet();
    const jobs = listJobs(jobSet);
    const pods = [0, 1, 2, 3].map((index) => createPod(jobs[0], index));
    const well = [jobSet, createService(jobSet), aNodeIn("r1"), ...jobs, ...pods];
    expect(diagnoseCluster([...well, deployment(0)]).roots).toEqual([]);
  });
});
