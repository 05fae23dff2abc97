import type { Job, Pod } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { findSurplusPods } from "./surplus-pods.ts";

const job = (spec: object) => ({ spec }) as Job;
const indexed = job({ completionMode: "Indexed", completions: 3 });
const INDEX = "batch.kubernetes.io/job-completion-index";

/** Creates a running Pod with these differences. */
function aPod(
  name: string,
  { index = "", node = "n", ready = "", restarts = 0, made: createdAt = "00" } = {},
) {
  const time = (second: string) => `2026-01-01T00:00:${second}Z`;
  return {
    metadata: {
      name,
      creationTimestamp: time(createdAt),
      ...(index !== "" && { annotations: { [INDEX]: index } }),
    },
    spec: { nodeName: node, containers: [] },
    status: {
      phase: "Running",
      conditions:
        ready === "" ? [] : [{ type: "Ready", status: "True", lastTransitionTime: time(ready) }],
      containerStatuses: [{ name: "main", restartCount: restarts }],
    },
  } as unknown as Pod;
}

const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);

describe("findSurplusPods", () => {
  it("findSurplusPods prefers Pods that have made the least progress", () => {
    const pods = [
      aPod("old", { ready: "01" }),
      aPod("restarted", { ready: "01", restarts: 1 }),
      aPod("young", { ready: "01", made: "01" }),
      aPod("just-ready", { ready: "02" }),
      aPod("unready"),
      aPod("unscheduled", { node: "" }),
    ];
    const order = ["unscheduled", "unready", "just-ready", "restarted", "young", "old"];
    for (let count = 0; count <= pods.length; count++) {
      expect(names(findSurplusPods(job({}), pods, count))).toEqual(order.slice(0, count));
    }
  });

  it("findSurplusPods breaks ties by the completion index", () => {
    const pods = ["2", "0", "1"].map((index) => aPod(`p${index}`, { index }));
    expect(names(findSurplusPods(indexed, pods, 2))).toEqual(["p0", "p1"]);
  });

  it("findSurplusPods always includes Pods with a duplicate or invalid index", () => {
    const pods = [
      aPod("better", { index: "1", ready: "01" }),
      aPod("worse", { index: "1" }),
      aPod("beyond", { index: "3", ready: "01" }),
      aPod("without", { ready: "01" }),
      aPod("zero", { index: "0" }),
    ];
    expect(names(findSurplusPods(indexed, pods, 0)).toSorted()).toEqual([
      "beyond",
      "without",
      "worse",
    ]);
    expect(names(findSurplusPods(indexed, pods, 4)).at(-1)).toBe("zero");
    expect(findSurplusPods(indexed, [pods[0] as Pod, pods[4] as Pod], 0)).toEqual([]);
  });
});
