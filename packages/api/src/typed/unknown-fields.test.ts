import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findUnknownFields } from "./unknown-fields.ts";

const aTemplate = (metadata: object, spec: object = {}) => ({
  spec: { replicatedJobs: [{ name: "w", template: { metadata, spec: { template: spec } } }] },
});
/** Returns only the paths. */
const listPaths = (value: unknown, type: "JobSet" | "Pod") =>
  findUnknownFields(value, type).map(({ field }) => field);

const template = "spec.replicatedJobs[0].template";

describe("findUnknownFields", () => {
  // As a kube-apiserver 1.36 lists them in `strict decoding error: unknown field "…", …`.
  it("findUnknownFields returns fields of the metadata first, with the server's names", () => {
    const jobSet = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name: "a", lables: { a: "b" } },
      spec: { foo: 1, bogus: null, replicatedJobs: [{ name: "w", replica: 3, template: {} }] },
      sepc: {},
    };
    expect(listPaths(jobSet, "JobSet")).toEqual([
      "metadata.lables",
      "sepc",
      "spec.bogus",
      "spec.foo",
      "spec.replicatedJobs[0].replica",
    ]);
  });

  it("findUnknownFields returns empty unknown fields, too", () => {
    const metadata = { foo: "", bar: {}, baz: null, managedFields: [], clusterName: "" };
    expect(listPaths({ metadata, status: { foo: 1 } }, "JobSet")).toEqual([
      "metadata.bar",
      "metadata.baz",
      "metadata.clusterName",
      "metadata.foo",
      "status.foo",
    ]);
  });

  it("findUnknownFields ignores keys of maps and the raw JSON of managed fields", () => {
    const labels = { "a.b/c": "1", anything: "2" };
    const managedFields = [{ manager: "kubectl", fieldsV1: { "f:spec": {} }, other: 1 }];
    const jobSet = { metadata: { labels, managedFields }, ...aTemplate({ labels }) };
    expect(listPaths(jobSet, "JobSet")).toEqual(["metadata.managedFields[0].other"]);
  });

  it("findUnknownFields returns most metadata of a JobSet's templates, and no valid field of Pod templates", () => {
    const metadata = { labels: {}, generateName: "x", foo: 1 };
    expect(listPaths(aTemplate(metadata, { metadata }), "JobSet")).toEqual(
      [template, `${template}.spec.template`].flatMap((at) => [
        `${at}.metadata.foo`,
        `${at}.metadata.generateName`,
      ]),
    );
    const claim = { name: "v", ephemeral: { volumeClaimTemplate: { metadata, spec: {} } } };
    expect(
      listPaths({ metadata, spec: { volumes: [claim], bogus: 1 }, status: {} }, "Pod"),
    ).toEqual([
      "metadata.foo",
      "spec.bogus",
      "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.foo",
    ]);
  });

  it("findUnknownFields returns all members of an object in place of a scalar, and no other field of a wrong type", () => {
    const spec = { suspend: { a: 1 }, network: 5, coordinator: { x: { y: 1 } }, replicatedJobs: 5 };
    expect(listPaths({ spec }, "JobSet")).toEqual(["spec.coordinator.x", "spec.suspend.a"]);
  });

  it("findUnknownFields accepts every JSON value, however deep, and returns nothing for an absent member", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("JobSet", "Pod"), (value, type) => {
        listPaths({ spec: value, metadata: value, status: value, x: undefined }, type);
        listPaths(value, type);
      }),
    );
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(listPaths({ spec: { suspend: deep, deep, metadata: undefined } }, "JobSet")).toEqual([
      "spec.deep",
    ]);
  });
});
