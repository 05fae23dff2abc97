import { describe, expect, it } from "vitest";
import { parseSchedulerMessage } from "./scheduler-message.ts";

function classes(message: string) {
  return parseSchedulerMessage(message).refusals.map(({ class: one, resource, count }) =>
    resource === undefined ? `${count} ${one}` : `${count} ${one} ${resource}`,
  );
}

describe("parseSchedulerMessage", () => {
  it("parseSchedulerMessage returns a reason for each group of nodes, and the result of preemption", () => {
    const message =
      "0/12 nodes are available: 10 Insufficient google.com/tpu, 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/12 nodes are available: 12 Preemption is not helpful for scheduling.";
    expect(classes(message)).toEqual(["10 Insufficient google.com/tpu", "2 Taint"]);
    expect(parseSchedulerMessage(message)).toMatchObject({
      nodeCount: 12,
      afterwards: expect.stringMatching(/^no new claims to deallocate, preemption: 0\/12/),
      isTruncated: false,
    });
  });

  it("parseSchedulerMessage keeps commas inside a reason", () => {
    const message =
      "0/3 nodes are available: 1 Too many pods, 2 node(s) had taint {a: b}, that the pod didn't tolerate.";
    expect(classes(message)).toEqual(["1 Insufficient pods", "2 Taint"]);
  });

  it("parseSchedulerMessage classifies every reason by its text", () => {
    const reasons = {
      "node(s) had untolerated taint {dedicated: infra}": "Taint",
      "node(s) didn't match Pod's node affinity/selector": "SelectorMismatch",
      "node(s) didn't match pod affinity rules": "PodAffinity",
      "node(s) didn't match pod anti-affinity rules": "DomainOccupied",
      "node(s) didn't satisfy existing pods anti-affinity rules": "DomainOccupied",
      "node(s) were unschedulable": "Cordoned",
      "node(s) had volume node affinity conflict": "Volume",
      "node(s) didn't find available persistent volumes to bind": "Volume",
      "node(s) didn't match pod topology spread constraints": "TopologySpread",
      "node(s) didn't have free ports for the requested pod ports": "Ports",
      "cannot allocate all claims": "Devices",
      "something new": "Other",
    };
    for (const [text, expected] of Object.entries(reasons)) {
      expect(classes(`0/4 nodes are available: 4 ${text}.`), text).toEqual([`4 ${expected}`]);
    }
  });

  it("parseSchedulerMessage applies a reason without a count to all nodes", () => {
    const message = "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.";
    expect(classes(message)).toEqual(["3 Volume"]);
    const loose = "0/10 nodes are available: insufficient google.com/tpu resources";
    expect(classes(loose)).toEqual(["10 Insufficient google.com/tpu"]);
  });

  it("parseSchedulerMessage extracts what it can from an unknown format", () => {
    expect(classes("no nodes available to schedule pods")).toEqual(["0 NoNodes"]);
    expect(classes("it has insufficient cpu, and Insufficient memory.")).toEqual([
      "0 Insufficient cpu",
      "0 Insufficient memory",
    ]);
    expect(classes("")).toEqual(["0 Other"]);
  });

  it("parseSchedulerMessage detects a truncated message", () => {
    expect(parseSchedulerMessage("0/3 nodes are available: 3 node(s) h ...").isTruncated).toBe(
      true,
    );
  });
});
