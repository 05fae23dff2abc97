import { describe, expect, it } from "vitest";
import { JobCluster } from "../../testing/job-cluster.ts";
import { indexed, invalid, updateError } from "../../testing/job-errors.ts";

describe("the validation of Job updates", () => {
  it.each<[object, object, string]>([
    [
      indexed,
      { completions: 5 },
      "spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism",
    ],
    [{}, { completions: 2 }, "spec.completions: Invalid value: 2: field is immutable"],
    [
      indexed,
      { completionMode: "NonIndexed" },
      'spec.completionMode: Invalid value: "NonIndexed": field is immutable',
    ],
    [{}, { managedBy: "a.io/b" }, 'spec.managedBy: Invalid value: "a.io/b": field is immutable'],
  ])("the API server rejects an update of %j to %j", (spec, change, text) => {
    expect(updateError(spec, { spec: change })).toBe(invalid(text));
  });

  it.each([
    [indexed, { completions: 5, parallelism: 5 }],
    [{ ...indexed, parallelism: 2 }, { completions: 2 }],
    [{}, { parallelism: 3, backoffLimit: 1, activeDeadlineSeconds: 9, ttlSecondsAfterFinished: 1 }],
    [{}, { podReplacementPolicy: "Failed" }],
  ])("the API server accepts an update of %j to %j", (spec, change) => {
    expect(updateError(spec, { spec: change })).toBe(undefined);
  });

  it("an update can change some template fields while the Job is suspended", () => {
    const suspended = { suspend: true };
    const template = (spec: object, metadata?: object) => ({
      spec: { template: { spec, ...(metadata && { metadata }) } },
    });
    expect(updateError({}, template({ nodeSelector: { a: "b" } }))).toMatch(
      /^Job.batch "j" is invalid: spec.template: Invalid value: .*: field is immutable$/,
    );
    const containers = [{ name: "main", image: "app:1", resources: { limits: { cpu: "1" } } }];
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } };
    for (const spec of [
      { nodeSelector: { a: "b" } },
      { tolerations: [{ operator: "Exists" }] },
      { schedulingGates: [{ name: "x.io/g" }] },
      { affinity },
      { containers },
    ]) {
      expect(updateError(suspended, template(spec))).toBe(undefined);
    }
    const finalizers = { labels: { a: "b" }, annotations: { a: "b" }, finalizers: ["a.io/b"] };
    expect(updateError(suspended, template({}, finalizers))).toBe(undefined);
    expect(updateError(suspended, template({ hostNetwork: true }))).toMatch(
      /^Job.batch "j" is invalid: spec.template.spec: Invalid value: .*: field is immutable$/,
    );
    expect(updateError(suspended, template({}, { labels: { "job-name": "k" } }))).toMatch(
      /is invalid: spec.template.metadata.labels\[job-name\]: Invalid value: .*: must be 'j'$/,
    );
    const unnamed = { spec: { template: { metadata: { labels: { "job-name": null } } } } };
    expect(updateError({}, unnamed)).toMatch(
      /is invalid: \[spec.template.metadata.labels\[job-name\]: Required value: must be 'j', spec.template: Invalid value: .*: field is immutable\]$/,
    );
    const resumed = { spec: { suspend: false, template: { spec: { nodeSelector: { a: "b" } } } } };
    expect(updateError(suspended, resumed)).toBe(undefined);
  });

  it("an equivalent template of a running Job is not a change", () => {
    const spec = {
      nodeSelector: {},
      tolerations: [],
      schedulingGates: [],
      dnsPolicy: "ClusterFirst",
    };
    expect(updateError({}, { spec: { template: { spec } } })).toBe(undefined);
    expect(updateError({}, { spec: { template: { spec: { dnsPolicy: "Default" } } } })).toMatch(
      /spec.template: Invalid value: .*: field is immutable$/,
    );
  });

  it("a template can change while old Pods terminate, but only after the status has no active Pods", () => {
    const cluster = new JobCluster();
    cluster.create(indexed);
    cluster.run(3);
    cluster.patch({ spec: { suspend: true } });
    const change = { spec: { template: { metadata: { labels: { a: "b" } } } } };
    expect(cluster.patch(change)).toMatchObject({ ok: false, code: 422 });
    cluster.run(1);
    expect(cluster.patch(change)).toMatchObject({ ok: true });
  });
});
