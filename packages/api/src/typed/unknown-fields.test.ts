import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listUnknownFields } from "./unknown-fields.ts";

const aTemplate = (metadata: object, spec: object = {}) => ({
  spec: { replicatedJobs: [{ name: "w", template: { metadata, spec: { template: spec } } }] },
});
const template = "spec.replicatedJobs[0].template";

describe("listUnknownFields", () => {
  // As a kube-apiserver 1.36 names them in `strict decoding error: unknown field "…", …`.
  it("listUnknownFields are those of the metadata, then the others, as the server names them", () => {
    const jobSet = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name: "a", lables: { a: "b" } },
      spec: { foo: 1, bogus: null, replicatedJobs: [{ name: "w", replica: 3, template: {} }] },
      sepc: {},
    };
    expect(listUnknownFields(jobSet, "JobSet")).toEqual([
      "metadata.lables",
      "sepc",
      "spec.bogus",
      "spec.foo",
      "spec.replicatedJobs[0].replica",
    ]);
  });

  it("listUnknownFields count when they are empty", () => {
    const metadata = { foo: "", bar: {}, baz: null, managedFields: [], clusterName: "" };
    expect(listUnknownFields({ metadata, status: { foo: 1 } }, "JobSet")).toEqual([
      "metadata.bar",
      "metadata.baz",
      "metadata.clusterName",
      "metadata.foo",
      "status.foo",
    ]);
  });

  it("listUnknownFields are not what users name themselves, nor the raw JSON of managed fields", () => {
    const labels = { "a.b/c": "1", anything: "2" };
    const managedFields = [{ manager: "kubectl", fieldsV1: { "f:spec": {} }, other: 1 }];
    const jobSet = { metadata: { labels, managedFields }, ...aTemplate({ labels }) };
    expect(listUnknownFields(jobSet, "JobSet")).toEqual(["metadata.managedFields[0].other"]);
  });

  it("listUnknownFields are most of the metadata of a JobSet's templates, and none of what a Pod's templates may have", () => {
    const metadata = { labels: {}, generateName: "x", foo: 1 };
    expect(listUnknownFields(aTemplate(metadata, { metadata }), "JobSet")).toEqual(
      [template, `${template}.spec.template`].flatMap((at) => [
        `${at}.metadata.foo`,
        `${at}.metadata.generateName`,
      ]),
    );
    const claim = { name: "v", ephemeral: { volumeClaimTemplate: { metadata, spec: {} } } };
    expect(
      listUnknownFields({ metadata, spec: { volumes: [claim], bogus: 1 }, status: {} }, "Pod"),
    ).toEqual([
      "metadata.foo",
      "spec.bogus",
      "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.foo",
    ]);
  });

  it("listUnknownFields are all members of an object that stands for a scalar, and nothing else of a wrong type", () => {
    const spec = { suspend: { a: 1 }, network: 5, coordinator: { x: { y: 1 } }, replicatedJobs: 5 };
    expect(listUnknownFields({ spec }, "JobSet")).toEqual(["spec.coordinator.x", "spec.suspend.a"]);
  });

  it("listUnknownFields accepts every JSON value, however deep, and returns nothing for an absent member", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("JobSet", "Pod"), (value, type) => {
        listUnknownFields({ spec: value, metadata: value, status: value, x: undefined }, type);
        listUnknownFields(value, type);
      }),
    );
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(
      listUnknownFields({ spec: { suspend: deep, deep, metadata: undefined } }, "JobSet"),
    ).toEqual(["spec.deep"]);
  });
});
