import { describe, expect, it } from "vitest";
import { resolveKueueFeatureGates } from "../features.ts";
import { prebuiltWorkloadName, workloadName } from "./workload-name.ts";

const features = resolveKueueFeatureGates();
const short = resolveKueueFeatureGates({ ShortWorkloadNames: true });
const uid = "11111111-2222-3333-4444-555555555555";

describe("workloadName", () => {
  it.each([
    ["demo", uid, features, "jobset-demo-3163b"],
    ["name", "uid", features, "jobset-name-c91ae"],
    ["a".repeat(60), uid, short, `jobset-${"a".repeat(50)}-5da9c`],
    ["a".repeat(300), "uid", features, `jobset-${"a".repeat(240)}-1b188`],
  ])("workloadName of %s matches Kueue's name", (name, uid, gates, expected) => {
    expect(workloadName({ name, uid }, gates)).toBe(expected);
  });
});

describe("prebuiltWorkloadName", () => {
  const key = "kueue.x-k8s.io/prebuilt-workload-name";
  const labels = { [key]: "label" };
  const off = resolveKueueFeatureGates({ WorkloadIdentifierAnnotations: false });
  const long = "a".repeat(64);

  it("prebuiltWorkloadName prefers the annotation to the label", () => {
    const annotations = { [key]: "annotation" };
    expect(prebuiltWorkloadName({ metadata: { labels, annotations } }, features)).toBe(
      "annotation",
    );
    expect(prebuiltWorkloadName({ metadata: { labels } }, features)).toBe("label");
    expect(prebuiltWorkloadName({}, features)).toBeUndefined();
  });

  it("prebuiltWorkloadName uses the label if the feature gate is off, unless no label can hold the annotation", () => {
    expect(prebuiltWorkloadName({ metadata: { labels, annotations: { [key]: long } } }, off)).toBe(
      "label",
    );
    expect(prebuiltWorkloadName({ metadata: { annotations: { [key]: long } } }, off)).toBe(long);
    expect(
      prebuiltWorkloadName({ metadata: { annotations: { [key]: "short" } } }, off),
    ).toBeUndefined();
  });
});
