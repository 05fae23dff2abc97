import type { Unvalidated } from "@jobset-ts/api";
import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject, Pod } from "@jobset-ts/api/kubernetes";
import { aJob, aNode, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { podView } from "./pod-view.ts";
import {
  aFollower,
  aJobSetPod,
  aLeader,
  aWarning,
  contextWithQuirks,
  createCluster,
  job,
  named,
  nodeA,
  zone,
} from "./testdata/zone-pods.ts";

function faultBehind(
  objects: readonly Unvalidated<KubernetesObject>[],
  pod: Unvalidated<Pod> = aFollower(),
) {
  return podView({ pod, topologyKey: zone }, createCluster(...objects), contextWithQuirks()).fault;
}

const tpu = "0/10 nodes are available: 10 Insufficient google.com/tpu.";

function unschedulable(message: string) {
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
  return aLeader().withStatus({ phase: "Pending", conditions: [condition as never] });
}

describe("if the leader has no node", () => {
  it("the message names the insufficient resource that the scheduler reports", () => {
    const leader = unschedulable(tpu);
    const event = aWarning(leader, "FailedScheduling", tpu);
    const object = {
      apiVersion: "v1",
      kind: "Pod",
      namespace: "default",
      name: "js-rjob-0-0-aaaaa",
    };
    expect(faultBehind([leader, event])).toEqual({
      id: "insufficient-capacity",
      message: "no node can host leader js-rjob-0-0-aaaaa: insufficient google.com/tpu",
      transient: true,
      objects: [object],
      evidence: [
        { kind: "Condition", object, at: "PodScheduled", text: tpu },
        { kind: "Event", object, at: "FailedScheduling", text: tpu },
      ],
    });
  });

  it.each([
    [tpu, "insufficient google.com/tpu"],
    [
      "0/5 nodes are available: 2 Insufficient cpu, 3 Insufficient nvidia.com/gpu. preemption: 5 Insufficient cpu.",
      "insufficient cpu, insufficient nvidia.com/gpu",
    ],
    ["0/5 nodes are available: 5 Too many pods.", "too many pods"],
  ])("the message names each insufficient resource: %s", (message, why) => {
    expect(faultBehind([unschedulable(message)])).toMatchObject({
      id: "insufficient-capacity",
      message: `no node can host leader js-rjob-0-0-aaaaa: ${why}`,
    });
  });

  it.each([
    [
      "0/3 nodes are available: 3 node(s) didn't match pod affinity rules.",
      "0/3 nodes are available: 3 node(s) didn't match pod affinity rules.",
    ],
    ["", "the scheduler does not report a reason"],
  ])(
    "the cause is unschedulable if the scheduler reports no insufficient resource: %s",
    (message, why) => {
      expect(faultBehind([unschedulable(message)])).toMatchObject({
        id: "unschedulable",
        message: `no node can host leader js-rjob-0-0-aaaaa: ${why}`,
      });
    },
  );

  it("the latest scheduling Event counts if the leader has no condition", () => {
    const events = [
      aWarning(
        aLeader(),
        "FailedScheduling",
        "0/1 nodes are available: 1 Insufficient cpu.",
        "2026-02-07T07:00:00Z",
      ),
      aWarning(aLeader(), "FailedScheduling", tpu, "2026-02-07T08:00:00Z"),
      aWarning(
        aLeader(),
        "FailedScheduling",
        "0/1 nodes are available: 1 Insufficient memory.",
        "2026-02-07T06:00:00Z",
      ),
    ];
    expect(faultBehind([aLeader(), ...events])?.message).toContain("insufficient google.com/tpu");
  });

  it("scheduling gates are the cause, even if the scheduler reported another reason before", () => {
    const gated = unschedulable(tpu).withSpec({
      schedulingGates: [{ name: "kueue.x-k8s.io/admission" }],
    });
    expect(faultBehind([gated])).toMatchObject({
      id: "scheduling-gated",
      transient: true,
      message: "leader js-rjob-0-0-aaaaa is blocked by scheduling gates: kueue.x-k8s.io/admission",
    });
    const condition = { type: "PodScheduled", status: "False", reason: "SchedulingGated" };
    expect(faultBehind([aLeader().withStatus({ conditions: [condition as never] })])).toMatchObject(
      {
        id: "scheduling-gated",
        message: "leader js-rjob-0-0-aaaaa is blocked by scheduling gates",
        evidence: [{ kind: "Condition", object: { kind: "Pod" }, at: "PodScheduled", text: "" }],
      },
    );
  });

  it("messages about the Pod that are not from the scheduler do not count", () => {
    const scheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable" };
    const ready = { type: "Ready", status: "False", reason: "ContainersNotReady" };
    const conditions = [ready, { ...scheduled, message: tpu }] as never[];
    expect(faultBehind([aLeader().withStatus({ conditions })])?.id).toBe("insufficient-capacity");
  });

  it("there is no cause if the scheduler has reported nothing", () => {
    expect(faultBehind([aLeader()])).toBeUndefined();
    const other = aWarning(aLeader(), "BackOff", tpu);
    expect(faultBehind([aLeader(), other])).toBeUndefined();
  });
});

describe("if the leader is missing", () => {
  it("there is no cause if nothing else is known", () => {
    expect(faultBehind([])).toMatchObject({
      id: "leader-absent",
      message: "there is no leader js-rjob-0-0",
      transient: true,
      evidence: [],
    });
  });

  it("the cause is the rejected creation of the leader, not that of its followers", () => {
    const quota = 'Error creating: pods "js-rjob-0-0-kkkkk" is forbidden: exceeded quota: pods';
    const formatDenialMessage = (text: string) =>
      `Error creating: admission webhook "vpod.kb.io" denied the request: ${text}`;
    const later = "2026-02-07T09:00:00Z";
    const events = [
      aWarning(job, "FailedCreate", quota),
      aWarning(
        job,
        "FailedCreate",
        formatDenialMessage("follower pod node selector not set"),
        later,
      ),
      aWarning(
        job,
        "FailedCreate",
        formatDenialMessage("expected 1 leader pod (js-rjob-0-0), but got 0."),
        later,
      ),
      aWarning(job, "FailedCreate", formatDenialMessage('nodes "n1" not found'), later),
      aWarning(job, "SuccessfulCreate", "Created pod: js-rjob-0-0-x", later),
    ];
    const object = { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "js-rjob-0" };
    expect(faultBehind(events)).toMatchObject({
      id: "leader-absent",
      message: `there is no leader js-rjob-0-0, because it could not be created: ${quota}`,
      objects: [object],
      evidence: [{ kind: "Event", object, at: "FailedCreate", text: quota }],
    });
    const policy = formatDenialMessage("no privileged Pods");
    expect(faultBehind([aWarning(job, "FailedCreate", policy)])?.message).toContain(policy);
    expect(faultBehind(events.slice(1))).toMatchObject({ evidence: [] });
  });

  it("the cause is a succeeded leader, which does not return", () => {
    const done = aLeader().onNode("node-a").withStatus({ phase: "Succeeded" });
    expect(faultBehind([done])).toMatchObject({
      id: "leader-finished",
      message:
        "leader js-rjob-0-0-aaaaa has finished (Succeeded), and its Job does not create another one",
      transient: false,
    });
    expect(faultBehind([done.controlledBy(job.withUid("earlier"))])?.transient).toBe(true);
  });

  it("the cause is a failed leader, which its Job replaces", () => {
    expect(faultBehind([aLeader().withStatus({ phase: "Failed" })])).toMatchObject({
      id: "leader-finished",
      message:
        "leader js-rjob-0-0-aaaaa has finished (Failed), and its replacement does not exist yet",
      transient: true,
    });
  });

  it("the cause is a terminating leader", () => {
    const going = aLeader().withStatus({ phase: "Succeeded" }).beingDeleted();
    expect(faultBehind([going])).toMatchObject({ id: "leader-terminating", transient: true });
  });

  it("the cause is a Job whose Pods are not indexed, so it has no leader", () => {
    const pod = aFollower().withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: undefined });
    expect(faultBehind([], pod)).toMatchObject({
      id: "pods-not-indexed",
      message:
        "the Pods of Job js-rjob-0 have no completion index, so none of them can be the leader",
      transient: false,
      evidence: [
        {
          kind: "Absence",
          object: { kind: "Pod", name: "js-rjob-0-1-bbbbb" },
          at: "metadata.annotations[batch.kubernetes.io/job-completion-index]",
          text: "the Pod has no index",
        },
      ],
    });
  });

  it("the cause is a leader name that is truncated because it has 56 or more characters", () => {
    const podNameOfLength = (length: number) => {
      const name = `js-${"r".repeat(length - "js--0".length)}-0`;
      const leader = named(
        `${name.slice(0, 55)}-0-aaaaa`,
        aJobSetPod(`${name}-0-aaaaa`).exclusive(zone),
      );
      return faultBehind([leader, nodeA], aJobSetPod(`${name}-1-bbbbb`).exclusive(zone));
    };
    expect(podNameOfLength(55)).toBeUndefined();
    expect(podNameOfLength(56)).toMatchObject({ id: "leader-name-cut", transient: false });
    expect(podNameOfLength(56)?.message).toContain("has 56 characters");
  });
});

describe("if the leader belongs to another Job", () => {
  it("two leaders of one Job are a transient cause, because the Job removes one", () => {
    expect(faultBehind([aLeader("aaaaa"), aLeader("ccccc")])).toMatchObject({
      id: "leader-duplicated",
      message: "2 Pods look like leader js-rjob-0-0: js-rjob-0-0-aaaaa, js-rjob-0-0-ccccc",
      transient: true,
    });
  });

  it("a leader that a user created is a permanent cause", () => {
    const handMade = aPod("js-rjob-0-0-mine").withoutOwner().exclusive("anything");
    expect(faultBehind([aLeader(), handMade])).toMatchObject({
      id: "leader-duplicated",
      transient: false,
    });
  });

  it("a leader of a previous Job with the same name is a transient cause", () => {
    const leader = aLeader().controlledBy(job.withUid("earlier"));
    expect(faultBehind([leader])).toMatchObject({
      id: "leader-of-other-job",
      message: "leader js-rjob-0-0-aaaaa is left over from an earlier Job js-rjob-0",
      transient: true,
    });
  });

  it("a leader of a different Job is a permanent cause", () => {
    const leader = aLeader().controlledBy(aJob("a-b-7"));
    expect(faultBehind([leader])).toMatchObject({
      id: "leader-of-other-job",
      message: "leader js-rjob-0-0-aaaaa belongs to Job a-b-7, not to Job js-rjob-0",
      transient: false,
    });
  });
});

describe("if the leader is on an unknown node", () => {
  it("the cause is a node that does not exist", () => {
    expect(faultBehind([aLeader().onNode("node-a")])).toMatchObject({
      id: "node-unknown",
      message: "leader js-rjob-0-0-aaaaa is on node node-a, which does not exist",
      transient: true,
      evidence: [
        { kind: "Field", object: { kind: "Pod" }, at: "spec.nodeName", text: "node-a" },
        { kind: "Absence", object: { kind: "Node", name: "node-a" } },
      ],
    });
  });

  it("the cause is a node without the topology label", () => {
    expect(faultBehind([aLeader().onNode("node-a"), aNode("node-a")])).toMatchObject({
      id: "topology-label-missing",
      message: `node node-a, which leader js-rjob-0-0-aaaaa is on, has no label ${zone}`,
      transient: false,
      evidence: [
        { at: "spec.nodeName", text: "node-a" },
        { kind: "Absence", object: { kind: "Node" }, at: `metadata.labels[${zone}]` },
      ],
    });
  });

  it("there is no cause if the leader is on a labeled node", () => {
    expect(faultBehind([aLeader().onNode("node-a"), nodeA])).toBeUndefined();
  });
});
