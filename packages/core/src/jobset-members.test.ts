import { aJob, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import {
  asArray,
  asInteger,
  asRecord,
  asString,
  getAnnotation,
  getLabel,
  getName,
  getNamespace,
  getReplicas,
  getReplicatedJobs,
  getRestarts,
  getUid,
  isSuspended,
} from "./jobset-members.ts";

// biome-ignore lint/suspicious/noExplicitAny: the value is unvalidated on purpose
type Unchecked = any;

const invalidValues = [undefined, null, true, Number.NaN, []];

describe("members that are absent or have the wrong type", () => {
  it("an absent or wrongly typed member reads as the empty value of its type", () => {
    for (const value of invalidValues as Unchecked[]) {
      expect(asArray(value)).toEqual([]);
      expect(Object.keys(asRecord(value))).toEqual([]);
      expect(asString(value)).toBe("");
      expect(asInteger(value, 7)).toBe(7);
    }
  });

  it.each<[string, (object: Unchecked) => unknown, unknown]>([
    ["name", getName, ""],
    ["namespace", getNamespace, ""],
    ["UID", getUid, ""],
    ["label", (object) => getLabel(object, "app"), undefined],
    ["annotation", (object) => getAnnotation(object, "app"), undefined],
    ["ReplicatedJobs", getReplicatedJobs, []],
    ["suspension", isSuspended, false],
    ["restarts", getRestarts, 0],
  ])("a wrongly typed parent at any level reads as an object without %s", (_, read, empty) => {
    for (const value of invalidValues) {
      expect(read(value)).toEqual(empty);
      expect(read({ metadata: value, spec: value, status: value })).toEqual(empty);
      const metadata = { name: value, namespace: value, uid: value, labels: value };
      const spec = { replicatedJobs: [value], suspend: value === true ? "true" : value };
      expect(
        read({
          metadata: { ...metadata, annotations: value },
          spec,
          status: { restarts: value },
        }),
      ).toEqual(empty);
    }
  });

  it("inherited members count as absent", () => {
    expect(getLabel({ metadata: { labels: {} } }, "toString")).toBeUndefined();
    expect(getLabel({ metadata: { labels: {} } }, "__proto__")).toBeUndefined();
    const labels = JSON.parse('{ "__proto__": "x" }');
    expect(getLabel({ metadata: { labels } }, "__proto__")).toBe("x");
  });
});

describe("existing objects", () => {
  it("a member of the right type reads unchanged", () => {
    const job = aJob("train-w-0").withLabels({ app: "" }).suspended();
    expect([getName(job), getNamespace(job), getUid(job)]).toEqual([
      "train-w-0",
      "default",
      "train-w-0-uid",
    ]);
    expect(getLabel(job, "app")).toBe("");
    expect(getAnnotation(aJob("train-w-0").withAnnotations({ note: "x" }), "note")).toBe("x");
    expect(isSuspended(job)).toBe(true);
    expect(getRestarts(aJobSet("train").restarted(2))).toBe(2);
  });

  it("an object has members, and a list has none", () => {
    expect(asRecord({ a: 1 })).toEqual({ a: 1 });
    expect(asRecord(["a"] as Unchecked)).toEqual({});
  });

  it("a member counts as an integer only if it is one", () => {
    const values = [0, -1, 2 ** 53 - 1, 2 ** 53, 1.5, Number.NaN, Number.POSITIVE_INFINITY];
    expect(values.map((value) => asInteger(value, 7))).toEqual([0, -1, 2 ** 53 - 1, 7, 7, 7, 7]);
  });
});

describe("getReplicas", () => {
  it("getReplicas returns 1 if replicas is absent, and 0 if it is 0", () => {
    const replicas = [undefined, 0, 3, "3"] as (number | undefined)[];
    expect(replicas.map((one) => getReplicas(aReplicatedJob("w", { replicas: one })))).toEqual([
      1, 0, 3, 1,
    ]);
  });
});
