import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  anEvent,
  createPod,
  diagnoseCluster,
  exclusiveCluster,
  rootIds,
  unschedulable,
} from "../../testing/a-diagnosed-cluster.ts";

describe("exclusive placement", () => {
  it("diagnose finds a leader's node without the topology label", () => {
    const words = "node does not have topology label: rack";
    const diagnosis = diagnoseCluster(
      exclusiveCluster({ leader: {}, words, nodes: [aNodeIn(undefined)] }),
    );
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["topology-label-missing"]);
    expect(diagnosis.roots[0]?.objects).toMatchObject([{ kind: "Node", name: "n1" }]);
  });

  it("diagnose finds that the leader's node does not exist, unless the lists are from different times", () => {
    const diagnosis = diagnoseCluster(
      exclusiveCluster({ leader: {}, nodes: [aNodeIn("r1", "n2")] }),
    );
    expect(diagnosis.status).toBe("Stuck");
    expect(diagnosis.roots).toMatchObject([{ id: "node-unknown", confidence: "SkewPossible" }]);
  });

  it("diagnose finds that no node has the topology label", () => {
    const message = "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.";
    const leader = unschedulable(message);
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader, nodes: [aNodeIn(undefined)] }));
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["no-domain-label"]);
  });

  it("diagnose finds the quota that rejects the leader behind denied followers", () => {
    const cluster = exclusiveCluster({});
    const job = cluster.find(({ kind }) => kind === "Job");
    const quota = 'Error creating: pods "js-w-0-0-xyz12" is forbidden: exceeded quota: q';
    const diagnosis = diagnoseCluster([
      ...cluster,
      anEvent(job, "FailedCreate", quota, "2026-02-07T09:58:00Z"),
    ]);
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["leader-rejected"]);
  });

  it("a leader that has succeeded is the root, because no follower can be admitted anymore", () => {
    const words =
      "expected 1 leader pod (js-w-0-0), but got 0. this is an expected, transient error";
    const cluster = exclusiveCluster({
      leader: { status: { phase: "Succeeded" } },
      words,
      followers: [1, 2],
    });
    const diagnosis = diagnoseCluster(cluster);
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["leader-finished"]);
  });

  it("diagnose does not report two leaders if one may belong to an earlier Job", () => {
    const cluster = exclusiveCluster({ leader: {}, followers: [1, 2, 3] });
    const [job] = cluster.filter(({ kind }) => kind === "Job");
    const repeated = createPod(job, 0);
    const second = { ...repeated, metadata: { ...repeated.metadata, name: "js-w-0-0-fffff" } };
    expect(rootIds(diagnoseCluster([...cluster, second]))).toEqual(["leader-duplicated"]);
    const unread = diagnoseCluster([...cluster, second], ["Job"]);
    expect(rootIds(unread)).not.toContain("leader-duplicated");
    expect(unread.notChecked).toContain("leader-duplicated:jobs");
  });

  it("diagnose reports a failed leader that an older webhook counts", () => {
    const words =
      "expected 1 leader pod (js-w-0-0), but got 2. this is an expected, transient error";
    const cluster = exclusiveCluster({ leader: {}, words });
    const [job] = cluster.filter(({ kind }) => kind === "Job");
    const replaced = createPod(job, 0, { status: { phase: "Failed" } });
    const failed = { ...replaced, metadata: { ...replaced.metadata, name: "js-w-0-0-fffff" } };
    const { roots } = diagnoseCluster([...cluster, failed]);
    expect(roots).toMatchObject([{ id: "leader-duplicated" }]);
    expect(roots[0]?.texts?.advice?.join()).toContain("kubectl delete pod -n ml js-w-0-0-fffff");
    expect(rootIds(diagnoseCluster(cluster))).not.toContain("leader-duplicated");
  });

  it("diagnose finds why the leader was rejected although followers were denied at the same time", () => {
    const cluster = exclusiveCluster({});
    const job = cluster.find(({ kind }) => kind === "Job");
    const quota = 'Error creating: pods "js-w-0-0-xyz12" is forbidden: exceeded quota: q';
    const [refusal] = [anEvent(job, "FailedCreate", quota)];
    const first = { ...refusal, metadata: { ...refusal.metadata, name: "a-first-by-name" } };
    expect(rootIds(diagnoseCluster([...cluster, first]))).toEqual(["leader-rejected"]);
  });
});
