import { MAX_INT32 } from "@jobset-ts/api/typed";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { aClaim, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { replicatedJob } from "./testing/created-jobsets.ts";
import { contextWithoutQuirk, updateErrors } from "./testing/denials.ts";
import {
  container,
  createJobSet,
  replicatedJobsAreImmutable,
  withPodTemplate,
} from "./testing/updated-jobsets.ts";

describe("creation rules on update", () => {
  const ours = contextWithoutQuirk("UpdateSkipsCreateChecks");
  const elastic = createContext({ now: 0, features: { ElasticJobSet: true } });
  const createSizedJobSet = (size: number, name = "js") =>
    aJobSet(name).withSpec({
      replicatedJobs: [replicatedJob("w", { parallelism: size, completions: size })],
    });
  const withCoordinator = (replicatedJob: string, podIndex = 0) =>
    createJobSet(aReplicatedJob("w")).withSpec({ coordinator: { replicatedJob, podIndex } });
  const nowhere = "<nil>: Internal error: coordinator replicatedJob x does not exist";

  it("an update is checked against creation rules by default, but not by upstream", () => {
    const old = createJobSet(aReplicatedJob("w"));
    expect(updateErrors(old, withCoordinator("x"))).toEqual([]);
    expect(updateErrors(old, withCoordinator("x"), ours)).toEqual([nowhere]);
    expect(updateErrors(old, withCoordinator("w"), ours)).toEqual([]);
  });

  it("old violations of creation rules are not reported", () => {
    const old = withCoordinator("x");
    expect(updateErrors(old, old.suspended().withLabels({ a: "1" }), ours)).toEqual([]);
    expect(updateErrors(old, withCoordinator("x", 1), ours)).toEqual([nowhere].slice(1));
    expect(updateErrors(old, withCoordinator("y"), ours)).toEqual([nowhere.replace(" x ", " y ")]);
  });

  it("an update must not introduce names that servers reject, and may keep them", () => {
    const key = "alpha.jobset.sigs.k8s.io/exclusive-topology";
    const byDefault = createContext({ now: 0 });
    const dashed = createJobSet(aReplicatedJob("-w"));
    const withPlacement = (topologyKey: string) => dashed.withAnnotations({ [key]: topologyKey });
    expect(updateErrors(dashed, dashed.suspended(), byDefault)).toEqual([]);
    expect(updateErrors(dashed, withPlacement("rack"), byDefault)).toEqual([]);
    expect(updateErrors(dashed, withPlacement("a b"), byDefault)).toEqual([
      expect.stringContaining("cannot be a topology key: name part must consist"),
    ]);
    expect(updateErrors(withPlacement("a b"), withPlacement("a b").suspended(), byDefault)).toEqual(
      [],
    );
  });

  it("Jobs must not grow until a Pod's name is too long, and may shrink", () => {
    const name = "a".repeat(50); // With the suffix -w-0-9-abcde, the name has 62 bytes.
    const pods =
      /JobSet name is too long, pod names generated for this JobSet will exceed 63 characters$/;
    const errors = (from: number, to: number) =>
      updateErrors(createSizedJobSet(from, name), createSizedJobSet(to, name), elastic);
    expect(errors(9, 100)).toEqual([]);
    expect(errors(9, 101)).toEqual([expect.stringMatching(pods)]);
    expect(errors(101, 999)).toEqual([]);
    expect(errors(5000, 200)).toEqual([]);
    expect(errors(200, 5000)).toEqual([expect.stringMatching(pods)]);
  });

  it("an update may scale Jobs whose Pods already had names that are not labels", () => {
    expect(updateErrors(createSizedJobSet(9, "1"), createSizedJobSet(100, "1"), elastic)).toEqual(
      [],
    );
  });

  it("the number of Pods must not become uncountable or grow further beyond", () => {
    const many = (size: number) =>
      createJobSet(replicatedJob("w", { parallelism: size, completions: size }, { replicas: 2 }));
    const half = 2 ** 30;
    expect(updateErrors(many(1), many(half), elastic)).toHaveLength(1);
    expect(updateErrors(many(half), many(half + 1), elastic)).toHaveLength(1);
    expect(updateErrors(many(half + 1), many(half), elastic)).toEqual([]);
    expect(updateErrors(many(1), many(MAX_INT32 - half - 1), elastic)).toEqual([]);
  });

  it("the coordinator's Pod must not be scaled away", () => {
    const coordinator = { replicatedJob: "w", podIndex: 3 };
    const errors = updateErrors(
      createSizedJobSet(4).withSpec({ coordinator }),
      createSizedJobSet(3).withSpec({ coordinator }),
      elastic,
    );
    expect(errors).toEqual([
      "spec.coordinator.podIndex: Invalid value: 3: coordinator pod index 3 is invalid for replicatedJob w job index 0",
    ]);
  });

  it("an update may not request exclusive placement for Jobs that cannot have it", () => {
    const old = createJobSet(replicatedJob("w", { completionMode: "NonIndexed" }));
    const next = old.withAnnotations({ "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" });
    const context = createContext({ now: 0 });
    expect(updateErrors(old, next, context)).toHaveLength(1);
    expect(updateErrors(next, next.suspended(), context)).toEqual([]);
  });

  it("existing claims are checked for a policy that an update adds", () => {
    const old = createJobSet(aReplicatedJob("w"));
    const rules = [{ name: "1", action: "FailJobSet" as const }];
    expect(updateErrors(old, old.withSpec({ failurePolicy: { rules } }), ours)).toHaveLength(1);
  });

  it("consequences of a denied change are not reported", () => {
    const old = createJobSet(aReplicatedJob("w"), aReplicatedJob("v")).withSpec({
      coordinator: { replicatedJob: "v" },
    });
    const next = old.withSpec({ replicatedJobs: [aReplicatedJob("w")] });
    expect(updateErrors(old, next, ours)).toEqual([replicatedJobsAreImmutable]);
  });

  it("violations beside a denied change are reported", () => {
    const old = createJobSet(aReplicatedJob("w"), aReplicatedJob("v"));
    const next = withCoordinator("x");
    expect(updateErrors(old, next, ours)).toEqual([replicatedJobsAreImmutable, nowhere]);
  });

  it("existing claims are checked only if their policies are added", () => {
    const mounts = [{ name: "data", mountPath: "/data" }];
    const pod = { spec: { containers: [{ ...container, volumeMounts: mounts }] } };
    const old = withPodTemplate(pod);
    const next = old.withSpec({
      volumeClaimPolicies: [
        {
          templates: [{ metadata: { name: "data" }, spec: {} }],
          retentionPolicy: { whenDeleted: "Delete" },
        },
      ],
    });
    const cluster = createSnapshot([aClaim("data-js")]);
    expect(updateErrors(old, next, ours, cluster)).toEqual([
      'spec.volumeClaimPolicies[0].retentionPolicy.whenDeleted: Invalid value: "Delete": retentionPolicy must be retain when PVC exists',
    ]);
    expect(updateErrors(next, next.suspended(), ours, cluster)).toEqual([]);
    expect(updateErrors(next, next.suspended(), ours, createSnapshot([]))).toEqual([]);
    expect(updateErrors(old, old.suspended(), ours, createSnapshot([]))).toEqual([]);
  });
});
