import { aJob, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import {
  annotationOf,
  integerOf,
  isSuspended,
  labelOf,
  listOf,
  membersOf,
  nameOf,
  namespaceOf,
  replicasOf,
  replicatedJobsOf,
  restartsOf,
  textOf,
  uidOf,
} from "./jobset-members.ts";

// biome-ignore lint/suspicious/noExplicitAny: the point is that nobody has checked the value
type Unchecked = any;

const odd = [undefined, null, true, Number.NaN, []];

describe("what is absent or of the wrong type", () => {
  it("is read as the empty value of the right type", () => {
    for (const value of odd as Unchecked[]) {
      expect(listOf(value)).toEqual([]);
      expect(Object.keys(membersOf(value))).toEqual([]);
      expect(textOf(value)).toBe("");
      expect(integerOf(value, 7)).toBe(7);
    }
  });

  it.each<[string, (object: Unchecked) => unknown, unknown]>([
    ["name", nameOf, ""],
    ["namespace", namespaceOf, ""],
    ["UID", uidOf, ""],
    ["label", (object) => labelOf(object, "app"), undefined],
    ["annotation", (object) => annotationOf(object, "app"), undefined],
    ["ReplicatedJobs", replicatedJobsOf, []],
    ["suspension", isSuspended, false],
    ["restarts", restartsOf, 0],
  ])("is read so at every level above an object's %s", (_, read, empty) => {
    for (const value of odd) {
      expect(read(value)).toEqual(empty);
      expect(read({ metadata: value, spec: value, status: value })).toEqual(empty);
      const metadata = { name: value, namespace: value, uid: value, labels: value };
      const spec = { replicatedJobs: [value], suspend: value === true ? "true" : value };
      expect(
        read({ metadata: { ...metadata, annotations: value }, spec, status: { restarts: value } }),
      ).toEqual(empty);
    }
  });

  it("is not looked for on the prototype", () => {
    expect(labelOf({ metadata: { labels: {} } }, "toString")).toBeUndefined();
    expect(labelOf({ metadata: { labels: {} } }, "__proto__")).toBeUndefined();
    const labels = JSON.parse('{ "__proto__": "x" }');
    expect(labelOf({ metadata: { labels } }, "__proto__")).toBe("x");
  });
});

describe("what is there", () => {
  it("is read as it is", () => {
    const job = aJob("train-w-0").withLabels({ app: "" }).suspended();
    expect([nameOf(job), namespaceOf(job), uidOf(job)]).toEqual([
      "train-w-0",
      "default",
      "train-w-0-uid",
    ]);
    expect(labelOf(job, "app")).toBe("");
    expect(annotationOf(aJob("train-w-0").withAnnotations({ note: "x" }), "note")).toBe("x");
    expect(isSuspended(job)).toBe(true);
    expect(restartsOf(aJobSet("train").restarted(2))).toBe(2);
  });

  it("has members, unless it is a list", () => {
    expect(membersOf({ a: 1 })).toEqual({ a: 1 });
    expect(membersOf(["a"] as Unchecked)).toEqual({});
  });

  it("counts as an integer when it is one, exactly", () => {
    const values = [0, -1, 2 ** 53 - 1, 2 ** 53, 1.5, Number.NaN, Number.POSITIVE_INFINITY];
    expect(values.map((value) => integerOf(value, 7))).toEqual([0, -1, 2 ** 53 - 1, 7, 7, 7, 7]);
  });
});

describe("replicasOf", () => {
  it("is 1 when absent, and 0 when that is what it says", () => {
    const replicas = [undefined, 0, 3, "3"] as (number | undefined)[];
    expect(replicas.map((one) => replicasOf(aReplicatedJob("w", { replicas: one })))).toEqual([
      1, 0, 3, 1,
    ]);
  });
});
