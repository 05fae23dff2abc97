import type { JobSpec } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { JobCluster } from "../../testing/job-cluster.ts";

const indexed = { completionMode: "Indexed", completions: 3, parallelism: 3 } as const;

/** Returns the error for a new Job. */
function createError(spec: object, name = "j", podSpec: object = {}): string | undefined {
  const reply = new JobCluster().create(spec as Partial<JobSpec>, name, podSpec);
  return reply.ok ? undefined : reply.message;
}

/** Returns the error for an update of an existing Job. */
function updateError(spec: object, members: object, subresource?: "status"): string | undefined {
  const cluster = new JobCluster();
  expect(cluster.create(spec as Partial<JobSpec>)).toMatchObject({ ok: true });
  cluster.run(3);
  const reply = cluster.patch(members, "j", subresource);
  return reply.ok ? undefined : reply.message;
}

const invalid = (text: string) => `Job.batch "j" is invalid: ${text}`;

describe("Job validation", () => {
  it("the API server sets the defaults of a new Job", () => {
    const cluster = new JobCluster();
    cluster.create({});
    expect(cluster.job.spec).toMatchObject({
      completions: 1,
      parallelism: 1,
      completionMode: "NonIndexed",
      backoffLimit: 6,
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: "TerminatingOrFailed",
    });
    const { uid } = cluster.job.metadata;
    const labels = {
      "batch.kubernetes.io/controller-uid": uid,
      "batch.kubernetes.io/job-name": "j",
      "controller-uid": uid,
      "job-name": "j",
    };
    const selector = { matchLabels: { "batch.kubernetes.io/controller-uid": uid } };
    expect(cluster.job.spec.selector).toEqual(selector);
    expect(cluster.job.spec.template.metadata).toEqual({ labels });
    expect(cluster.job.metadata.labels).toEqual(labels);
  });

  it("the API server counts the indexes of a success policy without listing them", () => {
    const all = { succeededIndexes: "0-2147483645", succeededCount: 2_147_483_647 };
    const spec = {
      completionMode: "Indexed",
      completions: 2_147_483_647,
      parallelism: 1,
      successPolicy: { rules: [all] },
    };
    expect(createError(spec)).toContain("must be less than or equal to 2147483646");
  });

  it("the API server generates no labels for a Job with its own selector", () => {
    const cluster = new JobCluster();
    const metadata = { labels: { a: "b" } };
    const container = { name: "main", image: "app" };
    const template = { metadata, spec: { restartPolicy: "Never", containers: [container] } };
    const selector = { matchLabels: metadata.labels };
    const reply = cluster.request({
      verb: "create",
      object: {
        kind: "Job",
        metadata: { name: "j", namespace: "ns" },
        spec: { manualSelector: true, selector, template },
      },
    });
    expect(reply).toMatchObject({ ok: true });
    expect(cluster.job.metadata.labels).toEqual(metadata.labels);
    expect(cluster.job.spec).toMatchObject({ selector, template: { metadata } });
  });

  it("the API server does not default completions if only parallelism is set, and takes policies into account", () => {
    const cluster = new JobCluster();
    cluster.create({ parallelism: 2 }, "a");
    expect(cluster.get("a")?.spec.completions).toBeUndefined();
    cluster.create({ completions: 2 }, "b");
    expect(cluster.get("b")?.spec.parallelism).toBe(1);
    cluster.create({ ...indexed, backoffLimitPerIndex: 1 }, "c");
    expect(cluster.get("c")?.spec.backoffLimit).toBe(2147483647);
    const rules = [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }];
    cluster.create({ podFailurePolicy: { rules } }, "d");
    expect(cluster.get("d")?.spec).toMatchObject({
      podReplacementPolicy: "Failed",
      podFailurePolicy: { rules: [{ onPodConditions: [{ status: "True" }] }] },
    });
  });

  it("a patch that sets both counts to null resets each to one", () => {
    expect(
      updateError({ completions: 1 }, { spec: { completions: null, parallelism: null } }),
    ).toBe(undefined);
    expect(updateError(indexed, { spec: { completions: null } })).toBe(
      invalid("spec.completions: Required value: when completion mode is Indexed"),
    );
  });

  const createPolicy = (rule: object) => ({ podFailurePolicy: { rules: [rule] } });
  const createSuccessPolicy = (rule: object) => ({ ...indexed, successPolicy: { rules: [rule] } });
  const rule = "spec.podFailurePolicy.rules[0]";
  const success = "spec.successPolicy.rules[0]";

  it.each<[object, string]>([
    [
      { completionMode: "Indexed", parallelism: 2 },
      "spec.completions: Required value: when completion mode is Indexed",
    ],
    [
      { completionMode: "Indexed", completions: 1, parallelism: 100_001 },
      "spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed",
    ],
    [
      { parallelism: -1 },
      "spec.parallelism: Invalid value: -1: must be greater than or equal to 0",
    ],
    [
      { completionMode: "Some" },
      'spec.completionMode: Unsupported value: "Some": supported values: "NonIndexed", "Indexed"',
    ],
    [
      { backoffLimitPerIndex: 1 },
      "spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode",
    ],
    [
      { ...indexed, maxFailedIndexes: 1 },
      "spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified",
    ],
    [
      { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 4 },
      "spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions",
    ],
    [
      { managedBy: "me" },
      'spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [{ managedBy: "" }, "spec.managedBy: Required value"],
    [
      { manualSelector: true },
      "[spec.selector: Required value, spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`]",
    ],
    [
      { managedBy: `acme.io/${"x".repeat(60)}` },
      "spec.managedBy: Too long: may not be more than 63 bytes",
    ],
    [
      createPolicy({ action: "FailIndex", onExitCodes: { operator: "In", values: [1] } }),
      `${rule}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`,
    ],
    [
      createPolicy({ action: "Count", onExitCodes: { operator: "In", values: [0] } }),
      `${rule}.onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator`,
    ],
    [
      createPolicy({ action: "Count", onExitCodes: { operator: "NotIn", values: [2, 1] } }),
      `${rule}.onExitCodes.values: Invalid value: [2,1]: must be ordered`,
    ],
    [
      createPolicy({ action: "Count", onExitCodes: { operator: "NotIn", values: [] } }),
      `${rule}.onExitCodes.values: Invalid value: []: at least one value is required`,
    ],
    [
      createPolicy({
        action: "Count",
        onExitCodes: { operator: "In", values: [1], containerName: "other" },
      }),
      `${rule}.onExitCodes.containerName: Invalid value: "other": must be one of the container or initContainer names in the pod template`,
    ],
    [
      createPolicy({ action: "Count" }),
      `${rule}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
    ],
    [
      {
        ...createPolicy({ action: "Count", onExitCodes: { operator: "In", values: [1] } }),
        podReplacementPolicy: "TerminatingOrFailed",
      },
      'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
    ],
    [
      createSuccessPolicy({}),
      `${success}: Required value: at least one of succeededCount or succeededIndexes must be specified`,
    ],
    [
      createSuccessPolicy({ succeededCount: 4 }),
      `${success}.succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of specified completions)`,
    ],
    [
      createSuccessPolicy({ succeededCount: 2, succeededIndexes: "1" }),
      `${success}.succeededCount: Invalid value: 2: must be less than or equal to 1 (the number of indexes in the specified succeededIndexes field)`,
    ],
    [
      createSuccessPolicy({ succeededIndexes: "0-3" }),
      `${success}.succeededIndexes: Invalid value: "0-3": error parsing succeededIndexes: too large index: "3"`,
    ],
  ])("the API server rejects %j", (spec, text) => {
    expect(createError(spec)).toBe(invalid(text));
  });

  it("the API server rejects Pods with restartPolicy Always and containers without a name", () => {
    const field = "spec.template.spec.restartPolicy";
    expect(createError({}, "j", { restartPolicy: "Always" })).toBe(
      invalid(`${field}: Required value: valid values: "OnFailure", "Never"`),
    );
    const rules = [{ action: "Count", onExitCodes: { operator: "In", values: [1] } }];
    expect(createError({ podFailurePolicy: { rules } }, "j", { restartPolicy: "OnFailure" })).toBe(
      invalid(
        `${field}: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified`,
      ),
    );
    expect(createError({}, "j", { containers: [] })).toBe(
      invalid("spec.template.spec.containers: Required value"),
    );
  });

  const name =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

  it("a Job with invalid label or annotation keys is rejected, once if it copies them from its template", () => {
    const createRejectedJob = (metadata: object, template: object) => {
      const container = { name: "main", image: "app" };
      const podSpec = { restartPolicy: "Never", containers: [container] };
      const object = {
        kind: "Job",
        metadata: { name: "j", namespace: "ns", ...metadata },
        spec: { template: { metadata: template, spec: podSpec } },
      };
      const reply = new JobCluster().request({ verb: "create", object });
      return reply.ok ? undefined : reply.message;
    };
    const labels = { "a b": "c" };
    expect(createRejectedJob({ labels: { x: "y" } }, { labels })).toBe(
      invalid(`spec.template.labels: Invalid value: "a b": ${name}`),
    );
    expect(createRejectedJob({}, { labels })).toBe(
      invalid(
        `[metadata.labels: Invalid value: "a b": ${name}, spec.template.labels: Invalid value: "a b": ${name}]`,
      ),
    );
    // Both labels have the same error, so it appears once.
    const twice = createRejectedJob({ labels: { x: "a b", y: "a b" } }, {});
    expect(twice?.split('metadata.labels: Invalid value: "a b"')).toHaveLength(2);
    expect(createRejectedJob({ annotations: labels }, { annotations: { "A.io/b": "c" } })).toBe(
      invalid(`metadata.annotations: Invalid value: "a b": ${name}`),
    );
  });

  it("the API server validates changed labels of a Job", () => {
    const cluster = new JobCluster();
    cluster.create({});
    const metadata = { name: "j", namespace: "ns", labels: { a: "-" } };
    const reply = cluster.request({ verb: "patch", object: { kind: "Job", metadata } });
    expect(reply).toMatchObject({
      code: 422,
      message: expect.stringContaining('metadata.labels: Invalid value: "-": a valid label'),
    });
  });

  it("the API server reports node selector errors before restart policy errors", () => {
    const field = "spec.template.spec";
    expect(createError({}, "j", { nodeSelector: { "a b": "c" }, restartPolicy: "Always" })).toBe(
      invalid(
        `[${field}.nodeSelector: Invalid value: "a b": ${name}, ${field}.restartPolicy: Required value: valid values: "OnFailure", "Never"]`,
      ),
    );
  });

  it("the API server rejects a Job with an empty spec", () => {
    const metadata = { name: "j", namespace: "ns" };
    const reply = new JobCluster().request({ verb: "create", object: { kind: "Job", metadata } });
    expect(reply).toEqual({
      ok: false,
      code: 422,
      reason: "Invalid",
      message: invalid(
        '[spec.template.spec.containers: Required value, spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"]',
      ),
    });
  });

  it("an Indexed Job whose Pods would have no valid hostname is rejected", () => {
    const name = `j${"x".repeat(60)}`;
    expect(createError({ ...indexed, completions: 10 }, name)).toBe(undefined);
    expect(createError({ ...indexed, completions: 11 }, name)).toBe(
      `Job.batch "${name}" is invalid: metadata.name: Invalid value: "${name}": will not able to create pod with invalid DNS label: ${name}-10`,
    );
  });

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

  const condition = (type: string) => ({ type, status: "True" });

  it.each<[object, string]>([
    [
      { terminating: -1 },
      "status.terminating: Invalid value: -1: must be greater than or equal to 0",
    ],
    [{ ready: 2 }, "status.ready: Invalid value: 2: cannot set more ready pods than active"],
    [
      { conditions: [condition("Failed")], active: 0, terminating: 0 },
      "status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition",
    ],
    [
      { conditions: [condition("FailureTarget"), condition("SuccessCriteriaMet")] },
      "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
    ],
    [
      { conditions: [condition("FailureTarget"), condition("Failed")] },
      "status.active: Invalid value: 1: active>0 is invalid for finished job",
    ],
    [
      { conditions: [condition("SuccessCriteriaMet"), condition("Complete")], active: 0 },
      "status.completionTime: Required value: completionTime is required for Complete jobs",
    ],
    [
      { completionTime: "2026-01-01T00:00:09Z" },
      'status.completionTime: Invalid value: "2026-01-01T00:00:09Z": cannot set completionTime when there is no Complete=True condition',
    ],
    [
      {
        conditions: [condition("SuccessCriteriaMet"), condition("Complete")],
        completionTime: "2025-12-31T23:59:59Z",
        active: 0,
      },
      'status.completionTime: Invalid value: "2025-12-31T23:59:59Z": must be equal to or after `startTime`',
    ],
    [
      {
        conditions: [condition("FailureTarget"), condition("Failed")],
        active: 0,
        uncountedTerminatedPods: { failed: ["a"] },
      },
      'status.uncountedTerminatedPods: Invalid value: {"failed":["a"]}: must be empty for finished job',
    ],
    [
      {
        conditions: [{ type: "Failed", status: "False" }, condition("Failed")],
        active: 0,
      },
      "status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition",
    ],
    [
      { startTime: null },
      "status.startTime: Invalid value: null: field is immutable for unsuspended job once set",
    ],
    [
      { uncountedTerminatedPods: { failed: ["a", "a"] } },
      'status.uncountedTerminatedPods.failed[1]: Duplicate value: "a"',
    ],
    [
      { completedIndexes: "0" },
      'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
    ],
    [
      { failedIndexes: "0" },
      'status.failedIndexes: Invalid value: "0": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    ],
  ])("the API server rejects the status %j", (status, text) => {
    expect(updateError({}, { status }, "status")).toBe(invalid(text));
  });

  it("a finished status needs a startTime, unless the Job is suspended without Pods", () => {
    const status = { conditions: [condition("FailureTarget"), condition("Failed")] };
    const suspended = { ...indexed, suspend: true };
    expect(updateError(suspended, { status }, "status")).toBe(
      invalid("status.startTime: Required value: startTime is required for finished job"),
    );
    expect(updateError({ completions: 1, suspend: true }, { status }, "status")).toBe(
      invalid("status.startTime: Required value: startTime is required for finished job"),
    );
    const cluster = new JobCluster();
    cluster.create({ ...suspended, completions: 0 });
    cluster.run(3);
    expect(cluster.job.status?.conditions).toContainEqual(
      expect.objectContaining({ type: "Complete", status: "True" }),
    );
    expect(cluster.job.status?.startTime).toBeUndefined();
  });

  it("a Job with a success policy needs the condition SuccessCriteriaMet before it completes", () => {
    const status = {
      conditions: [condition("Complete")],
      completionTime: "2026-01-01T00:00:09Z",
      active: 0,
    };
    const spec = { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } };
    expect(updateError(spec, { status }, "status")).toBe(
      invalid(
        "[status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition, status.conditions: Invalid value: cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True]",
      ),
    );
  });

  it("an invalid old value does not reject an update of another field", () => {
    const cluster = new JobCluster();
    cluster.create(indexed);
    cluster.run(3);
    const write = (members: object) => cluster.patch({ status: members }, "j", "status");
    expect(write({ completedIndexes: "2" })).toMatchObject({ ok: true });
    cluster.patch({ spec: { completions: 2, parallelism: 2 } });
    expect(write({ failed: 1 })).toMatchObject({ ok: true });
    expect(write({ completedIndexes: "1-2" })).toMatchObject({
      ok: false,
      message: invalid(
        'status.completedIndexes: Invalid value: "1-2": error parsing completedIndexes: too large index: "2"',
      ),
    });
  });

  it("a status update can neither lower the counters nor reopen a finished Job", () => {
    const failed = {
      status: {
        active: 0,
        failed: 2,
        succeeded: 1,
        conditions: [condition("FailureTarget"), condition("Failed")],
      },
    };
    const cluster = new JobCluster();
    cluster.create({});
    cluster.run(3);
    expect(cluster.patch(failed, "j", "status")).toMatchObject({ ok: true });
    const messages = (status: object) => {
      const reply = cluster.patch({ status }, "j", "status");
      return reply.ok ? undefined : reply.message;
    };
    expect(messages({ failed: 1 })).toBe(
      invalid("status.failed: Invalid value: 1: cannot decrease the failed counter"),
    );
    expect(messages({ succeeded: 0 })).toBe(
      invalid("status.succeeded: Invalid value: 0: cannot decrease the succeeded counter"),
    );
    expect(messages({ conditions: [condition("FailureTarget")] })).toBe(
      invalid(
        "status.conditions: Invalid value: cannot disable the terminal Failed=True condition",
      ),
    );
  });

  it("a status update can clear the startTime of a suspended Job", () => {
    const cluster = new JobCluster();
    cluster.create(indexed);
    cluster.run(3);
    cluster.patch({ spec: { suspend: true } });
    expect(cluster.patch({ status: { startTime: null } }, "j", "status")).toMatchObject({
      ok: true,
    });
  });
});
