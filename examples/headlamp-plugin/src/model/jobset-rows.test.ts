import { createSnapshot } from "@jobset-ts/core";
import { indexCluster } from "@jobset-ts/diagnose";
import { describe, expect, it } from "vitest";
import { filteredRows, jobSetRows, lackingLine, phaseCounts } from "./jobset-rows.ts";

const now = Date.parse("2026-11-21T20:00:00Z");

function aJobSet(name: string, condition: string, namespace = "ml") {
  return {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: {
      name,
      namespace,
      uid: `${namespace}-${name}`,
      creationTimestamp: "2026-11-21T19:00:00Z",
    },
    spec: { suspend: condition === "Suspended", failurePolicy: { maxRestarts: 3 } },
    status: { restartsCountTowardsMax: 1, conditions: [{ type: condition, status: "True" }] },
  };
}

function createRows(...objects: readonly object[]) {
  const snapshot = createSnapshot(objects, { kinds: "all" });
  return jobSetRows(snapshot, { now }, indexCluster(snapshot));
}

const rows = createRows(
  aJobSet("done", "Completed"),
  aJobSet("held", "Suspended"),
  aJobSet("lost", "Failed"),
  aJobSet("held", "Suspended", "ab"),
);

describe("the rows of a list", () => {
  it("have those in trouble first, then the order of their names", () => {
    expect(rows.map(({ namespace, name, phase }) => `${namespace}/${name} ${phase}`)).toEqual([
      "ml/lost Failed",
      "ab/held Suspended",
      "ml/held Suspended",
      "ml/done Completed",
    ]);
  });

  it("say why without saying the phase again", () => {
    expect(rows[1]?.why).toBe("JobSet is suspended");
  });

  it("count the restarts that count, of those that may be", () => {
    expect(rows[0]?.restarts).toBe("1 of 3");
  });

  it("are counted by phase", () => {
    expect(phaseCounts(rows)).toEqual([
      ["Failed", 1],
      ["Suspended", 2],
      ["Completed", 1],
    ]);
  });

  it("are left out where a word of the filter is in none of their columns", () => {
    const shown = (filter: string) =>
      filteredRows(rows, filter).map(({ namespace, name }) => `${namespace}/${name}`);
    expect(shown(" ")).toEqual(["ml/lost", "ab/held", "ml/held", "ml/done"]);
    expect(shown("ML/")).toEqual(["ml/lost", "ml/held", "ml/done"]);
    expect(shown("suspended ml")).toEqual(["ml/held"]);
    expect(shown("IS SUSPENDED")).toEqual(["ab/held", "ml/held"]);
    expect(shown("nowhere")).toEqual([]);
  });

  it("say nothing of any JobSet where Jobs or Pods were not read", () => {
    const snapshot = createSnapshot([aJobSet("lost", "Failed")], {
      kinds: ["JobSet", "Job"],
      readErrors: { Pod: { message: "no", code: 403 } },
    });
    const found = jobSetRows(snapshot, { now }, indexCluster(snapshot));
    expect(found.map(({ phase, why }) => [phase, why])).toEqual([
      ["Unknown", "that is unknown without Pods"],
    ]);
    expect(lackingLine(createSnapshot([]))).toBe("that is unknown without Jobs and Pods");
    expect(lackingLine(createSnapshot([], { kinds: "all" }))).toBeUndefined();
  });

  it("show a sentence of a cluster's on one line, with nothing in it that a page obeys", () => {
    const [row] = createRows({
      ...aJobSet("lost", "Failed"),
      status: {
        conditions: [{ type: "Failed", status: "True", reason: "R", message: "a\n\u202eb" }],
      },
    });
    expect(row?.why).toContain("a b");
  });
});
