import { resolveFeatureGates } from "@jobset-ts/api";
import { aClaim, aJob, aJobSet, aPod, aService } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { commonHostileValues } from "../../../testing/src/arbitraries/hostile-values.ts";
import { jobSetForObject } from "./jobset-for-object.ts";

const plain = { features: resolveFeatureGates({}) };
const inPlace = { features: resolveFeatureGates({ InPlaceRestart: true }) };
const train = { namespace: "default", name: "train" };

describe("triggers of a pass", () => {
  it("a JobSet triggers its own reconcile", () => {
    expect(jobSetForObject(aJobSet("train"), plain)).toEqual(train);
  });

  it("a child Job or Service triggers a reconcile", () => {
    expect(jobSetForObject(aJob("train-workers-0"), plain)).toEqual(train);
    const service = aService("net").controlledBy(aJobSet("train"));
    expect(jobSetForObject(service, plain)).toEqual(train);
  });

  it("a Job of another kind of owner does not trigger a reconcile, with any labels", () => {
    const cronJob = { apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "train" } };
    expect(jobSetForObject(aJob("train-workers-0").controlledBy(cronJob), plain)).toBeUndefined();
    expect(jobSetForObject(aJob("train-workers-0").withoutOwner(), plain)).toBeUndefined();
  });

  it("jobSetForObject maps a Pod only if its JobSet may use in-place restart", () => {
    const pod = aPod("train-workers-0-0-x7k2p");
    expect(jobSetForObject(pod, plain)).toBeUndefined();
    expect(jobSetForObject(pod, inPlace)).toEqual(train);
  });

  it("jobSetForObject does not map a PersistentVolumeClaim", () => {
    expect(
      jobSetForObject(aClaim("data-train").controlledBy(aJobSet("train")), inPlace),
    ).toBeUndefined();
  });

  it("jobSetForObject maps a value that is not an object to nothing", () => {
    // biome-ignore lint/suspicious/noExplicitAny: the value is unvalidated on purpose
    for (const value of commonHostileValues as any[])
      expect(jobSetForObject(value, inPlace)).toBeUndefined();
  });
});
