import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFieldError } from "../field-error.ts";
import { decodeErrors } from "./decode.ts";
import type { ShapeName } from "./shapes.ts";
import { typedValues, untypedJobSets } from "./testdata/typed-values.ts";

const texts = (value: unknown, type: ShapeName = "JobSet") =>
  decodeErrors(value, type).errors.map(formatFieldError);

const podSpec = (spec: unknown) => ({
  spec: { replicatedJobs: [{ template: { spec: { template: { spec } } } }] },
});
const atPodSpec = "spec.replicatedJobs[0].template.spec.template.spec";

describe("decodeErrors", () => {
  it("decodeErrors accepts fields of the right types, even with meaningless values", () => {
    expect(texts({})).toEqual([]);
    expect(
      texts({
        apiVersion: "jobset.x-k8s.io/v1alpha2",
        kind: "JobSet",
        metadata: { generateName: "train-", creationTimestamp: "2026-02-07T06:56:19Z" },
        spec: { replicatedJobs: [{ name: "", replicas: -5 }], ttlSecondsAfterFinished: -1 },
        status: { restarts: 0 },
      }),
    ).toEqual([]);
  });

  it.each([
    [{ metadata: 1.5 }, "metadata: Invalid value: 1.5: must be an object"],
    [
      { metadata: { labels: { app: 1 } } },
      "metadata.labels[app]: Invalid value: 1: must be a string",
    ],
    [{ metadata: { labels: "x" } }, 'metadata.labels: Invalid value: "x": must be an object'],
    [{ metadata: { finalizers: "x" } }, 'metadata.finalizers: Invalid value: "x": must be a list'],
    [{ spec: [] }, 'spec: Invalid value: "array": must be an object'],
    [{ spec: { suspend: "yes" } }, 'spec.suspend: Invalid value: "yes": must be true or false'],
    [
      { spec: { failurePolicy: { maxRestarts: "1" } } },
      'spec.failurePolicy.maxRestarts: Invalid value: "1": must be an integer',
    ],
    [
      { spec: { ttlSecondsAfterFinished: 1.5 } },
      "spec.ttlSecondsAfterFinished: Invalid value: 1.5: must be an integer",
    ],
    [
      { spec: { ttlSecondsAfterFinished: 2_147_483_648 } },
      "spec.ttlSecondsAfterFinished: Invalid value: 2147483648: must be between -2147483648 and 2147483647",
    ],
    [
      { spec: { coordinator: { jobIndex: 1e300 } } },
      "spec.coordinator.jobIndex: Invalid value: 1e+300: must fit into 64 bits",
    ],
    [
      podSpec({ containers: [{}, { resources: { requests: { cpu: "one" } } }] }),
      `${atPodSpec}.containers[1].resources.requests[cpu]: Invalid value: "one": must be a quantity such as 500m, 2 or 1.5Gi`,
    ],
    [
      podSpec({ containers: [{ livenessProbe: { httpGet: { port: true } } }] }),
      `${atPodSpec}.containers[0].livenessProbe.httpGet.port: Invalid value: true: must be an integer or a string`,
    ],
    [
      { status: { conditions: [{ lastTransitionTime: "today" }] } },
      'status.conditions[0].lastTransitionTime: Invalid value: "today": must be an RFC 3339 time such as 2026-02-07T06:56:19Z',
    ],
  ])("decodeErrors rejects %j", (value, text) => {
    expect(texts(value)).toEqual([text]);
  });

  it("decodeErrors rejects a value that is not an object", () => {
    expect(texts([])).toEqual(['<nil>: Invalid value: "array": must be an object']);
    expect(texts("JobSet")).toEqual(['<nil>: Invalid value: "JobSet": must be an object']);
  });

  it("decodeErrors reports all errors, in the order of the value", () => {
    const value = { spec: { suspend: 1, replicatedJobs: [null, 2, { name: 3 }] }, metadata: false };
    expect(decodeErrors(value, "JobSet").errors.map(({ field }) => field)).toEqual([
      "spec.suspend",
      "spec.replicatedJobs[1]",
      "spec.replicatedJobs[2].name",
      "metadata",
    ]);
  });

  it("decodeErrors lists as many errors as fit in a response, and counts the others", () => {
    const { errors, omitted } = decodeErrors(
      { spec: { replicatedJobs: Array(5_000).fill(1) } },
      "JobSet",
    );
    expect([errors.length, omitted]).toEqual([200, 4_800]);
  });

  it("decodeErrors distinguishes a wrong type from a value out of range", () => {
    const spec = { suspend: 1, ttlSecondsAfterFinished: 1.5 };
    expect(decodeErrors({ spec }, "JobSet").errors.map(({ type }) => type)).toEqual([
      "FieldValueTypeInvalid",
      "FieldValueInvalid",
    ]);
  });

  it("decodeErrors treats null as absent everywhere", () => {
    const spec = { suspend: null, replicatedJobs: [null, { name: null, dependsOn: null }] };
    const metadata = { labels: { app: null }, creationTimestamp: null };
    expect(texts({ metadata, spec, status: null })).toEqual([]);
  });

  it("decodeErrors ignores unknown members, also known names in another case", () => {
    expect(texts({ Spec: 1, unknown: { deep: [NaN] }, spec: { Suspend: "yes" } })).toEqual([]);
  });

  it("decodeErrors checks all metadata, also in templates", () => {
    const template = { metadata: { generation: "1" } };
    expect(
      texts({ metadata: { generation: "1" }, spec: { replicatedJobs: [{ template }] } }),
    ).toEqual([
      'metadata.generation: Invalid value: "1": must be an integer',
      'spec.replicatedJobs[0].template.metadata.generation: Invalid value: "1": must be an integer',
    ]);
  });

  it("decodeErrors accepts the largest and the smallest integers", () => {
    const spec = { activeDeadlineSeconds: 2 ** 63, terminationGracePeriodSeconds: -(2 ** 63) };
    expect(texts(podSpec(spec))).toEqual([]);
    expect(texts(podSpec({ priority: -2_147_483_648 }))).toEqual([]);
  });

  it("decodeErrors checks Pods", () => {
    const status = { startTime: "now", containerStatuses: [{ state: { running: [] } }] };
    expect(texts({ spec: { containers: {} }, status }, "Pod")).toEqual([
      'spec.containers: Invalid value: "object": must be a list',
      'status.startTime: Invalid value: "now": must be an RFC 3339 time such as 2026-02-07T06:56:19Z',
      'status.containerStatuses[0].state.running: Invalid value: "array": must be an object',
    ]);
  });

  it("decodeErrors accepts every generated value of a type", () => {
    fc.assert(
      fc.property(typedValues("JobSet"), (value) => {
        expect(texts(value)).toEqual([]);
      }),
    );
  });

  it("decodeErrors returns a result for every JSON value", () => {
    fc.assert(
      fc.property(untypedJobSets(), (value) => {
        expect(decodeErrors(value, "JobSet").errors).toEqual(decodeErrors(value, "JobSet").errors);
      }),
    );
  });

  it("decodeErrors does not check unknown members, however deep", () => {
    let deep: unknown = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { spec: deep };
    expect(texts({ unknown: deep, metadata: { labels: { app: deep } } })).toEqual([
      'metadata.labels[app]: Invalid value: "object": must be a string',
    ]);
  });
});
