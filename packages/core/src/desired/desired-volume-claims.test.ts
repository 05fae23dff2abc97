import type { VolumeClaimPolicy } from "@jobset-ts/api";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { desiredVolumeClaims } from "./desired-volume-claims.ts";

function createClaims(...volumeClaimPolicies: readonly unknown[]) {
  return desiredVolumeClaims(
    aJobSet("train").withSpec({ volumeClaimPolicies: volumeClaimPolicies as VolumeClaimPolicy[] }),
  );
}

const claim = (name: string) => ({ metadata: { name }, spec: {} });

describe("desiredVolumeClaims", () => {
  it("desiredVolumeClaims returns one claim per template, policy by policy", () => {
    const claims = createClaims(
      { templates: [claim("b"), claim("a")] },
      { templates: [claim("c")] },
    );
    expect(claims.map(({ metadata }) => metadata.name)).toEqual(["b-train", "a-train", "c-train"]);
  });

  it("desiredVolumeClaims copies only name, labels, annotations and spec of the template", () => {
    const template = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: {
        name: "data",
        namespace: "elsewhere",
        labels: { app: "train", "jobset.sigs.k8s.io/jobset-name": "own" },
        annotations: { note: "x" },
        finalizers: ["own"],
      },
      spec: { accessModes: ["ReadWriteMany"], newer: { a: [1] } },
      status: { phase: "Bound" },
    };
    expect(createClaims({ templates: [template] })).toStrictEqual([
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: {
          name: "data-train",
          namespace: "default",
          labels: { app: "train", "jobset.sigs.k8s.io/jobset-name": "train" },
          annotations: { note: "x" },
        },
        spec: { accessModes: ["ReadWriteMany"], newer: { a: [1] } },
      },
    ]);
  });

  it("desiredVolumeClaims accepts empty templates", () => {
    expect(createClaims({ templates: [{}] }).map(({ metadata }) => metadata)).toEqual([
      {
        name: "-train",
        namespace: "default",
        labels: { "jobset.sigs.k8s.io/jobset-name": "train" },
      },
    ]);
  });

  it("desiredVolumeClaims omits annotations if there are none", () => {
    const template = { metadata: { name: "data", annotations: {} }, spec: {} };
    expect(createClaims({ templates: [template] })[0]?.metadata).not.toHaveProperty("annotations");
  });

  it.each([
    ["is Delete", { whenDeleted: "Delete" }, true],
    ["is empty", {}, true],
    ["is Retain", { whenDeleted: "Retain" }, false],
    ["is unknown", { whenDeleted: "Snapshot" }, false],
    ["is absent", undefined, false],
    ["is null", null, false],
  ])(
    "the JobSet owns the claim depending on the retention policy, which %s",
    (_, retentionPolicy, owned) => {
      const [only] = createClaims({ templates: [claim("data")], retentionPolicy });
      const owner = {
        apiVersion: "jobset.x-k8s.io/v1alpha2",
        kind: "JobSet",
        name: "train",
        uid: "train-uid",
        controller: true,
        blockOwnerDeletion: true,
      };
      expect(only?.metadata.ownerReferences).toEqual(owned ? [owner] : undefined);
    },
  );

  it("desiredVolumeClaims does not change if the JobSet is modified later", () => {
    const template = { metadata: { name: "data", labels: { app: "before" } }, spec: { a: ["x"] } };
    const [only] = createClaims({ templates: [template] });
    template.metadata.labels.app = "after";
    template.spec.a[0] = "after";
    expect(JSON.stringify(only)).not.toContain("after");
  });

  it("desiredVolumeClaims skips policies and templates that are not objects", () => {
    expect(createClaims(null, "x", [], {}, { templates: null }, { templates: [null, 5] })).toEqual(
      [],
    );
    expect(desiredVolumeClaims({})).toEqual([]);
  });
});
