import { describe, expect, it } from "vitest";
import { NodeCluster } from "../testing/node-cluster.ts";
import type { WorkloadRule } from "./workload.ts";

/** Creates a cluster with one node and one Pod that follows a script. */
function createScriptedCluster(rule: WorkloadRule | undefined, spec: object = {}): NodeCluster {
  const cluster = new NodeCluster({ workloads: rule === undefined ? [] : [rule] });
  cluster.createNode("a");
  cluster.run(1);
  cluster.createPod("p", spec);
  return cluster;
}

/** Returns the phases of a Pod, and when it was ready. */
function getPath(cluster: NodeCluster, name = "p"): readonly string[] {
  const stages = cluster.turns.flatMap(({ changes }) =>
    changes
      .filter(({ before, after }) => (after ?? before)?.metadata.name === name)
      .map(({ after }) => {
        const { status, metadata } = (after ?? {}) as {
          status?: { phase?: string; conditions?: { type: string; status: string }[] };
          metadata?: { deletionTimestamp?: string };
        };
        if (status === undefined) return "gone";
        const isReady = status.conditions?.some(
          ({ type, status: value }) => type === "Ready" && value === "True",
        );
        const deleting = metadata?.deletionTimestamp === undefined ? "" : " deleting";
        return `${status.phase}${isReady ? " ready" : ""}${deleting}`;
      }),
  );
  return stages.filter((stage, at) => stage !== stages[at - 1]);
}

describe("createKubelets", () => {
  it("a kubelet starts a Pod, waits for its readiness and reports its exit", () => {
    const cluster = createScriptedCluster({ startMs: 500, readyMs: 2000, runMs: 5000 });
    cluster.run(20);
    expect(getPath(cluster)).toEqual(["Pending", "Running", "Running ready", "Succeeded"]);
    expect(cluster.condition("p", "Ready")).toMatchObject({
      status: "False",
      reason: "PodCompleted",
    });
    expect(cluster.pod("p")?.status?.podIP).toBe("10.0.0.1");
    expect(cluster.isIdle).toBe(true);
  });

  it("a kubelet gives the scripted container its exit code", () => {
    const containers = [
      { name: "main", image: "app:1" },
      { name: "side", image: "app:1" },
    ];
    const cluster = createScriptedCluster(
      { runMs: 10, exitCode: 42, container: "side" },
      { containers },
    );
    cluster.run(5);
    expect(cluster.pod("p")?.status?.phase).toBe("Failed");
    const codes = cluster
      .pod("p")
      ?.status?.containerStatuses?.map(({ name, state }) => `${name} ${state.terminated.exitCode}`);
    expect(codes).toEqual(["main 0", "side 42"]);
  });

  it("a kubelet restarts containers with a back-off that doubles", () => {
    const rule = { startMs: 0, runMs: 1000, exitCode: 1 };
    const cluster = createScriptedCluster(rule, { restartPolicy: "OnFailure" });
    const restarts = () => cluster.pod("p")?.status?.containerStatuses?.[0]?.restartCount;
    const counts: (number | undefined)[] = [];
    for (const seconds of [5, 10, 15, 30]) {
      cluster.run(seconds);
      counts.push(restarts());
    }
    // The container exits after 1 s, 12 s (10 s later), 33 s (20 s later) and so on.
    expect(counts).toEqual([1, 2, 2, 3]);
    expect(cluster.pod("p")?.status?.phase).toBe("Running");
  });

  it("a kubelet follows the script of a run after a restart", () => {
    const cluster = new NodeCluster({
      workloads: [
        { restarts: 0, startMs: 0, runMs: 1000, exitCode: 1 },
        { restarts: 1, startMs: 0, runMs: 1000 },
      ],
    });
    cluster.createNode("a");
    cluster.createPod("p", { restartPolicy: "OnFailure" });
    cluster.run(30);
    expect(cluster.pod("p")?.status?.phase).toBe("Succeeded");
  });

  it("the restart policy of a container overrides that of the Pod", () => {
    const restartPolicyRules = [{ action: "Restart", exitCodes: { operator: "In", values: [7] } }];
    const containers = [
      { name: "main", image: "app:1", restartPolicy: "Never", restartPolicyRules },
    ];
    const cluster = createScriptedCluster({ runMs: 1000, exitCode: 7 }, { containers });
    cluster.run(8);
    expect(cluster.pod("p")?.status?.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(cluster.pod("p")?.status?.phase).toBe("Running");
  });

  it("a kubelet stops a deleted Pod and reports its exit before the Pod is removed", () => {
    const cluster = createScriptedCluster({ stopMs: 2000, stopExitCode: 143 });
    cluster.run(2);
    cluster.delete("Pod", "p");
    cluster.run(1);
    expect(cluster.pod("p")?.status?.phase).toBe("Running");
    cluster.run(2);
    expect(getPath(cluster)).toEqual([
      "Pending",
      "Running ready",
      "Running ready deleting",
      "Failed deleting",
      "gone",
    ]);
  });

  it("a kubelet kills containers after the grace period, or earlier if the period is shortened", () => {
    const spec = { terminationGracePeriodSeconds: 60 };
    const cluster = createScriptedCluster({}, spec);
    cluster.createPod("q", spec, { finalizers: ["x.io/held"] });
    cluster.run(2);
    cluster.delete("Pod", "p");
    cluster.delete("Pod", "q");
    cluster.run(10);
    cluster.delete("Pod", "q", 5);
    cluster.run(1);
    const terminated = cluster.pod("q")?.status?.containerStatuses?.[0]?.state.terminated;
    expect([cluster.pod("q")?.status?.phase, terminated.exitCode]).toEqual(["Failed", 137]);
    cluster.run(48);
    expect(cluster.pod("p")?.status?.phase).toBe("Running");
    cluster.run(2);
    expect(cluster.pod("p")).toBeUndefined();
  });

  it("a kubelet reports containers that never started as killed", () => {
    const cluster = createScriptedCluster({ startMs: 60_000 });
    cluster.run(1);
    cluster.delete("Pod", "p");
    cluster.run(1);
    expect(getPath(cluster)).toEqual(["Pending", "Pending deleting", "Failed deleting", "gone"]);
  });

  it("a kubelet fails a Pod at its active deadline", () => {
    const cluster = createScriptedCluster(undefined, { activeDeadlineSeconds: 30 });
    cluster.run(29);
    expect(cluster.pod("p")?.status?.phase).toBe("Running");
    cluster.run(3);
    expect(cluster.pod("p")?.status).toMatchObject({ phase: "Failed", reason: "DeadlineExceeded" });
  });

  it("containers continue while their node is disconnected, and the kubelet reports their status afterwards", () => {
    const cluster = createScriptedCluster({ runMs: 10_000 });
    cluster.createNode("b");
    cluster.run(2);
    cluster.disconnect("a");
    cluster.run(30);
    expect(cluster.pod("p")?.status?.phase).toBe("Running");
    cluster.reconnect("a");
    cluster.run(1);
    expect(cluster.pod("p")?.status?.phase).toBe("Succeeded");
  });

  it("a kubelet does not start a Pod whose full DNS name is too long for the kernel", () => {
    const fullName = { hostname: "w".repeat(50), subdomain: "train", setHostnameAsFQDN: true };
    const cluster = createScriptedCluster({ startMs: 0, runMs: 1000 }, fullName);
    cluster.run(60);
    expect(cluster.pod("p")?.status?.phase).toBe("Pending");
    expect(cluster.events.map(({ reason, message }) => `${reason}: ${message}`)).toContainEqual(
      expect.stringMatching(
        /^FailedCreatePodSandBox: .* is too long \(64 characters is the max, \d+ characters requested\)$/,
      ),
    );
    const short = createScriptedCluster(
      { startMs: 0, runMs: 1000 },
      { ...fullName, hostname: "w" },
    );
    short.run(60);
    expect(short.pod("p")?.status?.phase).toBe("Succeeded");
  });
});
