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

describe("Pods that fail one after another", () => {
  const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
  const [job] = listJobs(jobSet);

  /** Creates a Pod with a suffix that fails with an exit code, or runs without one. */
  function podAt(
    suffix: string,
    creationTimestamp: string,
    finishedAt?: string,
    exitCode = 75,
  ): Wire {
    const terminated = {
      exitCode,
      reason: "Error",
      message: "no feed",
      startedAt: creationTimestamp,
      finishedAt,
    };
    const failed = {
      phase: "Failed",
      containerStatuses: [{ name: "main", state: { terminated } }],
    };
    const pod = createPod(job, 0, finishedAt === undefined ? {} : { status: failed });
    const metadata = {
      ...pod.metadata,
      name: `js-w-0-0-${suffix}`,
      uid: suffix,
      creationTimestamp,
    };
    return { ...pod, metadata };
  }

  const diagnosePods = (...pods: readonly Wire[]) =>
    diagnoseCluster([jobSet, createService(jobSet), aNodeIn("r1"), job, ...pods]);
  const earlier = [
    podAt("a", "2026-02-07T09:40:00Z", "2026-02-07T09:41:00Z"),
    podAt("b", "2026-02-07T09:45:00Z", "2026-02-07T09:46:00Z"),
  ];
  const last = podAt("c", "2026-02-07T09:58:00Z", "2026-02-07T09:59:00Z");

  it("are stuck although the current one is ready, and although the Job does not count ignored failures", () => {
    const { status, roots } = diagnosePods(...earlier, last, podAt("d", "2026-02-07T09:59:30Z"));
    expect({ status, texts: roots.map(({ message }) => message) }).toEqual({
      status: "Stuck",
      texts: ["js-w-0-0-c failed: container main: Error (exit code 75): no feed"],
    });
  });

  it.each<[string, readonly Wire[]]>([
    ["only two have failed", [...earlier, podAt("d", "2026-02-07T09:59:30Z")]],
    ["the current one runs longer", [...earlier, last, podAt("d", "2026-02-07T09:59:00Z")]],
    [
      "they fail only after a while",
      [
        ...earlier,
        podAt("c", "2026-02-07T09:50:00Z", "2026-02-07T09:55:00Z"),
        podAt("d", "2026-02-07T09:56:00Z"),
      ],
    ],
  ])("are normal if %s", (_, pods) => {
    expect(diagnosePods(...pods)).toMatchObject({ status: "Progressing", roots: [] });
  });

  it("are diagnosed in linear time", () => {
    const leastMs = (length: number, successor: Wire) => {
      const pods = Array.from({ length }, (_, at) =>
        podAt(`p${at}`, "2026-02-07T09:40:00Z", "2026-02-07T09:41:00Z"),
      );
      const times = [0, 1].map(() => {
        const before = process.cpuUsage().user;
        diagnosePods(...pods, successor);
        return (process.cpuUsage().user - before) / 1000;
      });
      return Math.min(...times);
    };
    const ready = podAt("z", "2026-02-07T09:59:30Z");
    const starting = { ...ready, status: waiting("ContainerCreating") };
    for (const successor of [ready, starting]) {
      const [few, many] = [leastMs(200, successor), leastMs(3_200, successor)];
      // Comparing each Pod with each other would take 256 times as long.
      expect(many).toBeLessThan(100 * few);
    }
  });

  it("have one root with a Pod whose container cannot be started for the same reason", () => {
    const message = "exec: no such file";
    const state = { terminated: { exitCode: 128, reason: "StartError", message } };
    const failed = createPod(job, 0, {
      status: { phase: "Failed", containerStatuses: [{ name: "main", state }] },
    });
    const current = { ...createPod(job, 0, { status: waiting("RunContainerError", message) }) };
    current.metadata = { ...current.metadata, name: "js-w-0-0-later", uid: "later" };
    expect(diagnosePods(failed, current).roots.map(({ count }) => count)).toEqual([2]);
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
