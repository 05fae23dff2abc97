import { describe, expect, it } from "vitest";
import type { Stored } from "../api-server/objects.ts";
import { stateText } from "./object-state.ts";

function getState(kind: string, members: object): string {
  return stateText({ kind, metadata: { name: "a" }, ...members } as unknown as Stored);
}

describe("the state of a JobSet", () => {
  it("a JobSet is created until its Jobs are counted, and running afterwards", () => {
    expect(getState("JobSet", { spec: {} })).toBe("created");
    const status = { replicatedJobsStatus: [{ name: "w", active: 0 }] };
    expect(getState("JobSet", { spec: {}, status })).toBe("running");
    expect(getState("JobSet", { spec: { suspend: true } })).toBe("to be suspended");
  });
});

it("a JobSet is to be resumed until its controller has resumed it", () => {
  const status = { conditions: [{ type: "Suspended", status: "True" }] };
  expect(getState("JobSet", { spec: { suspend: true }, status })).toBe("suspended");
  expect(getState("JobSet", { spec: { suspend: false }, status })).toBe("to be resumed");
  expect(getState("JobSet", { spec: {}, status })).toBe("to be resumed");
});

describe("the state of a Job", () => {
  const jobState = (spec: object, status: object) => getState("Job", { spec, status });

  it("the state of a Job counts ready Pods out of all that it needs, including Pods that are not created yet", () => {
    expect(jobState({ parallelism: 4 }, { active: 1, ready: 1 })).toBe("1 of 4 Pods ready");
    expect(jobState({}, { active: 1 })).toBe("0 of 1 Pods ready");
    expect(jobState({}, {})).toBe("no Pods");
  });

  it("the state of a Job does not replace succeeded Pods", () => {
    const succeeded = { active: 1, ready: 1, succeeded: 3 };
    const text = "1 of 1 Pods ready, 3 succeeded";
    expect(jobState({ parallelism: 4, completions: 4 }, succeeded)).toBe(text);
    expect(jobState({ parallelism: 4 }, succeeded)).toBe(text);
  });

  it("the state of a Job shows more Pods than it needs", () => {
    expect(jobState({ parallelism: 1 }, { active: 3, ready: 1 })).toBe("1 of 3 Pods ready");
  });
});

describe("the state of a Node", () => {
  const nodeState = (ready: string, ...keys: readonly string[]) =>
    getState("Node", {
      spec: { taints: keys.map((key) => ({ key, effect: "NoSchedule" })) },
      status: { conditions: [{ type: "Ready", status: ready }] },
    });

  it("a Node is tainted, not ready, while it has a taint for unready nodes", () => {
    expect(nodeState("True", "node.kubernetes.io/not-ready")).toBe(
      "tainted node.kubernetes.io/not-ready",
    );
  });

  it("the state of a Node lists its other taints", () => {
    expect(nodeState("True")).toBe("ready");
    expect(nodeState("True", "nvidia.com/gpu")).toBe("ready, tainted nvidia.com/gpu");
    expect(nodeState("Unknown", "node.kubernetes.io/unreachable")).toBe(
      "ready Unknown, tainted node.kubernetes.io/unreachable",
    );
  });
});
