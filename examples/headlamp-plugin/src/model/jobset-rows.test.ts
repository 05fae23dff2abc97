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

describe("the rows of the list", () => {
  it("jobSetRows puts JobSets with problems first, then sorts by name", () => {
    expect(rows.map(({ namespace, name, phase }) => `${namespace}/${name} ${phase}`)).toEqual([
      "ml/lost Failed",
      "ab/held Suspended",
      "ml/held Suspended",
      "ml/done Completed",
    ]);
  });

  it("a row shows the reason without repeating the phase", () => {
    expect(rows[1]?.why).toBe("JobSet is suspended");
  });

  it("a row shows the counted restarts and their limit", () => {
    expect(rows[0]?.restarts).toBe("1 of 3");
  });

  it("phaseCounts counts rows by phase", () => {
    expect(phaseCounts(rows)).toEqual([
      ["Failed", 1],
      ["Suspended", 2],
      ["Completed", 1],
    ]);
  });

  it("filteredRows removes rows that lack a word of the filter in every column", () => {
    const shown = (filter: string) =>
      filteredRows(rows, filter).map(({ namespace, name }) => `${namespace}/${name}`);
    expect(shown(" ")).toEqual(["ml/lost", "ab/held", "ml/held", "ml/done"]);
    expect(shown("ML/")).toEqual(["ml/lost", "ml/held", "ml/done"]);
    expect(shown("suspended ml")).toEqual(["ml/held"]);
    expect(shown("IS SUSPENDED")).toEqual(["ab/held", "ml/held"]);
    expect(shown("nowhere")).toEqual([]);
  });

  it("all rows are unknown if Jobs or Pods were not read", () => {
    const snapshot = createSnapshot([aJobSet("lost", "Failed")], {
      kinds: ["JobSet", "Job"],
      readErrors: { Pod: { message: "no", code: 403 } },
    });
    const found = jobSetRows(snapshot, { now }, indexCluster(snapshot));
    expect(found.map(({ phase, why }) => [phase, why])).toEqual([
      ["Unknown", "the phase is unknown without Pods"],
    ]);
    expect(lackingLine(createSnapshot([]))).toBe("the phase is unknown without Jobs and Pods");
    expect(lackingLine(createSnapshot([], { kinds: "all" }))).toBeUndefined();
  });

  it("a row shows text from the cluster on one line without control characters", () => {
    const [row] = createRows({
      ...aJobSet("lost", "Failed"),
      status: {
        conditions: [{ type: "Failed", status: "True", reason: "R", message: "a\n\u202eb" }],
      },
    });
    expect(row?.why).toContain("a b");
  });
});
