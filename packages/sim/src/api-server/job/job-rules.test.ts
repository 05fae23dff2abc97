import { describe, expect, it } from "vitest";
import { JobCluster } from "../../testing/job-cluster.ts";
import { createError, indexed, invalid, updateError } from "../../testing/job-errors.ts";

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
});
