import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";
import { waiting } from "./testing/a-diagnosed-pod.ts";

describe("a Pod that failed", () => {
  /** Returns the status of a JobSet whose Job counts failed Pods, and has one of them and its replacement. */
  function statusWith(failed: number, second: string, replacement?: Wire) {
    const finishedAt = `2026-02-07T09:59:${second}Z`;
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
    const [job] = listJobs(jobSet, (one) => ({ ...one, status: { failed } }));
    const terminated = { exitCode: 1, reason: "Error", finishedAt };
    const status = {
      phase: "Failed",
      containerStatuses: [{ name: "main", state: { terminated } }],
    };
    const pods = [createPod(job, 0, { status })];
    if (replacement !== undefined) {
      const { metadata, ...rest } = createPod(job, 0, { status: replacement });
      const later = { name: "js-w-0-0-later", uid: "later", creationTimestamp: finishedAt };
      pods.push({ ...rest, metadata: { ...metadata, ...later } });
    }
    const cluster = [jobSet, createService(jobSet), aNodeIn("r1"), job, ...pods];
    return diagnoseCluster(cluster).status;
  }

  it("is normal during the back-off of the Job", () => {
    expect(statusWith(1, "21")).toBe("Progressing");
    expect(statusWith(1, "20")).toBe("Stuck");
    expect(statusWith(2, "15")).toBe("Progressing");
    expect(statusWith(2, "10")).toBe("Stuck");
  });

  it("is normal if its replacement starts, until Pods have failed several times", () => {
    const starting = waiting("ContainerCreating");
    expect(statusWith(2, "00", starting)).toBe("Progressing");
    expect(statusWith(3, "00", starting)).toBe("Stuck");
  });
});

describe("a container that was killed with its node", () => {
  const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
  const [job] = listJobs(jobSet);
  const adviseOn = (terminated: Wire, ...others: readonly Wire[]) => {
    const containerStatuses = [{ name: "main", state: { terminated } }];
    const pod = createPod(job, 0, { status: { phase: "Failed", containerStatuses } });
    const { roots } = diagnoseCluster([jobSet, createService(jobSet), job, pod, ...others]);
    return roots.map(({ texts }) => texts?.advice?.join()).join();
  };

  it("is lost, and has no log", () => {
    const lost = { exitCode: 137, reason: "ContainerStatusUnknown" };
    expect(adviseOn(lost, aNodeIn("r1"))).toBe(
      "check node n1, which lost the container: kubectl describe node n1",
    );
    expect(adviseOn(lost, aNodeIn("r1", "n2"))).toContain("node n1, which no longer exists");
  });

  it("was killed because the node ran out of memory, if an Event of the node says so", () => {
    const killed = { exitCode: 137, reason: "Error" };
    const node = aNodeIn("r1");
    const event = anEvent(node, "SystemOOM", "System OOM encountered, victim process: python");
    expect(adviseOn(killed, node, event)).toContain("node n1 ran out of memory (SystemOOM)");
    expect(adviseOn(killed, node)).toContain("find out who killed the container");
  });
});
