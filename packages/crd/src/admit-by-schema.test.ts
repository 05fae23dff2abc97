import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepClone, deepFreeze } from "../../testing/src/testing/freezing.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import { admitBySchema, formatSchemaError } from "./admit-by-schema.ts";

describe("admitBySchema, on creation", () => {
  it("admitBySchema accepts a new JobSet and sets the defaults of the schema", () => {
    const admission = admitBySchema(
      aJobSet({ replicatedJobs: [{ name: "workers", template: {} }] }),
    );
    expect(admission).toMatchObject({ ok: true, errors: [], warnings: [] });
    expect(admission.object?.spec).toEqual({
      replicatedJobs: [{ name: "workers", template: {}, groupName: "default", replicas: 1 }],
    });
  });

  it("admitBySchema drops unknown fields and nulls of a new object", () => {
    const spec = { unknown: 1, suspend: null, replicatedJobs: [aReplicatedJob({ replica: 3 })] };
    const { object } = admitBySchema(aJobSet(spec));
    expect(object?.spec).toEqual({ replicatedJobs: [aReplicatedJob()] });
  });

  it("admitBySchema returns the same object if nothing changes", () => {
    const jobSet = aJobSet({ replicatedJobs: [aReplicatedJob()] });
    expect(admitBySchema(jobSet).object).toBe(jobSet);
  });

  it("admitBySchema shares unchanged parts with the new object", () => {
    const jobSet = aJobSet({ network: { subdomain: "a" }, unknown: 1 });
    const object: Unchecked = admitBySchema(jobSet).object;
    expect(object).not.toBe(jobSet);
    expect(object.metadata).toBe(jobSet.metadata);
    expect(object.spec.network).toBe(jobSet.spec.network);
  });

  it("admitBySchema drops the status of a new object", () => {
    const admission = admitBySchema({ ...aJobSet({}), status: { restarts: 1 } });
    expect(admission.object).toHaveProperty("status");
    expect(admission.ok && admission.stored).not.toHaveProperty("status");
  });

  it("admitBySchema completes generateName with the characters of its options", () => {
    const jobSet = { ...aJobSet({}), metadata: { generateName: "train-" } };
    const admission = admitBySchema(jobSet, { generatedNameSuffix: "b2c3d" });
    expect(admission.ok && admission.stored.metadata).toEqual({
      generateName: "train-",
      name: "train-b2c3d",
    });
    expect(admission.object).toBe(jobSet);
  });

  it("admitBySchema truncates a long generateName to make room for the suffix", () => {
    const admission = admitBySchema({ ...aJobSet({}), metadata: { generateName: "g".repeat(70) } });
    expect(admission.ok && admission.stored.metadata).toMatchObject({
      name: `${"g".repeat(58)}xxxxx`,
    });
  });

  it("admitBySchema sorts the errors by field and then by text", () => {
    const admission = admitBySchema(
      aJobSet({ ttlSecondsAfterFinished: -1, successPolicy: { operator: 5 } }, "Train"),
    );
    expect(admission.errors.map(({ field }) => field)).toEqual([
      "<nil>",
      "metadata.name",
      "spec.successPolicy.operator",
      "spec.successPolicy.operator",
      "spec.ttlSecondsAfterFinished",
    ]);
  });

  it("admitBySchema does not evaluate the rules for an object of the wrong shape, and reports that", () => {
    const texts = listTexts(
      admitBySchema(aJobSet({ startupPolicy: { startupPolicyOrder: "Any" } })),
    );
    expect(texts).toEqual([
      "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
      'spec.startupPolicy.startupPolicyOrder: Unsupported value: "Any": supported values: "AnyOrder", "InOrder"',
    ]);
  });

  it("admitBySchema evaluates all rules if only a number is too small or a key is duplicate", () => {
    const admission = admitBySchema(
      aJobSet({ replicatedJobs: [aReplicatedJob({ replicas: -1 }), aReplicatedJob()] }),
    );
    expect(listTexts(admission)).toEqual([
      "spec.replicatedJobs[0].replicas: Invalid value: -1: spec.replicatedJobs[0].replicas in body should be greater than or equal to 0",
      'spec.replicatedJobs[1]: Duplicate value: {"name":"workers"}',
    ]);
  });

  it("admitBySchema reports another kind or version together with errors of lists and rules only", () => {
    const jobSet = { ...aJobSet({ suspend: "yes" }, "Train"), apiVersion: "v1", kind: "Pod" };
    expect(listTexts(admitBySchema(jobSet))).toEqual([
      'apiVersion: Invalid value: "v1": must be jobset.x-k8s.io/v1alpha2',
      'kind: Invalid value: "Pod": must be JobSet',
    ]);
  });

  it.each([
    ["a list", [], "json: cannot unmarshal array into Go value of type map[string]interface {}"],
    ["null", null, "json: cannot unmarshal null into Go value of type map[string]interface {}"],
    [
      "a kind that is not text",
      { kind: { b: [1, "x", null], a: 1.5 } },
      ".kind accessor error: map[a:1.5 b:[1 x <nil>]] is of the type map[string]interface {}, expected string",
    ],
    [
      "metadata that is not an object",
      { ...aJobSet({}), metadata: "train" },
      "json: cannot unmarshal string into Go value of type v1.ObjectMeta",
    ],
  ])("admitBySchema rejects %s as a bad request without a field", (_, object, body) => {
    expect(admitBySchema(object)).toEqual({
      ok: false,
      errors: [{ type: "BadRequest", field: "", body }],
      warnings: [],
    });
  });

  it("admitBySchema uses the schema of its options", () => {
    const schema = {
      type: "object",
      properties: {
        spec: { type: "object", properties: { size: { type: "integer", minimum: 3 } } },
      },
    } as const;
    expect(listTexts(admitBySchema(aJobSet({ size: 2, replicas: 1 }), { schema }))).toEqual([
      "spec.size: Invalid value: 2: spec.size in body should be greater than or equal to 3",
    ]);
  });
});

describe("admitBySchema, on update", () => {
  it("admitBySchema treats a null old object as absent, as in an AdmissionReview", () => {
    expect(admitBySchema({ ...aJobSet({}), metadata: {} }, { old: null }).errors).toContainEqual(
      expect.objectContaining({ field: "metadata.name", type: "FieldValueRequired" }),
    );
  });

  it("an update may keep existing errors", () => {
    const spec = { successPolicy: { operator: "Some" }, ttlSecondsAfterFinished: -5 };
    const old = aJobSet(spec);
    expect(admitBySchema(aJobSet({ ...spec, suspend: true }), { old }).ok).toBe(true);
  });

  it("an update may not keep an error if the value changes", () => {
    const old = aJobSet({ ttlSecondsAfterFinished: -5 });
    expect(listTexts(admitBySchema(aJobSet({ ttlSecondsAfterFinished: -6 }), { old }))).toEqual([
      "spec.ttlSecondsAfterFinished: Invalid value: -6: spec.ttlSecondsAfterFinished in body should be greater than or equal to 0",
    ]);
  });

  it("an update matches list elements by their keys, at any position", () => {
    const wrong = aReplicatedJob({ name: "a", replicas: -1 });
    const fine = aReplicatedJob({ name: "b" });
    const old = aJobSet({ replicatedJobs: [wrong, fine] });
    const moved = aJobSet({ replicatedJobs: [fine, deepClone(wrong)] });
    expect(admitBySchema(moved, { old }).ok).toBe(true);
  });

  it("an update may not keep an element without its keys", () => {
    const { name: _, ...nameless } = aReplicatedJob();
    const jobSet = aJobSet({ replicatedJobs: [nameless] });
    expect(listTexts(admitBySchema(jobSet, { old: jobSet }))).toContain(
      "spec.replicatedJobs[0].name: Required value",
    );
  });

  it("an update may keep duplicate keys if the old object has some", () => {
    const old = aJobSet({ replicatedJobs: [aReplicatedJob(), aReplicatedJob()] });
    const other = { name: "other", template: {} };
    const now = aJobSet({ replicatedJobs: [other, other, other] });
    expect(admitBySchema(now, { old }).ok).toBe(true);
  });

  it("an update may not change the name, namespace or deletion time", () => {
    const old = { ...aJobSet({}), metadata: { name: "a", namespace: "ml" } };
    const metadata = { name: "b", namespace: "web", deletionTimestamp: "2026-01-02T03:04:05Z" };
    expect(listTexts(admitBySchema({ ...old, metadata }, { old }))).toEqual([
      'metadata.deletionTimestamp: Invalid value: "2026-01-02T03:04:05Z": field is immutable',
      'metadata.name: Invalid value: "b": field is immutable',
      'metadata.namespace: Invalid value: "web": field is immutable',
    ]);
  });

  it("an update keeps the stored status", () => {
    const old = { ...aJobSet({}), status: { restarts: 2 } };
    const admission = admitBySchema(
      { ...aJobSet({ suspend: true }), status: { restarts: 7 } },
      { old },
    );
    expect(admission.ok && admission.stored.status).toEqual({ restarts: 2 });
  });

  it("an update shares the changes in a part that both objects share", () => {
    const replicatedJobs = [{ name: "a", template: {} }];
    const old = aJobSet({ replicatedJobs });
    const subresource = "status";
    const asOld = admitBySchema(
      { ...aJobSet({ replicatedJobs }), status: {} },
      { old, subresource },
    );
    const { spec } = (asOld.ok ? asOld.stored : {}) as Unchecked;
    expect((asOld.object as Unchecked).spec.replicatedJobs).toBe(spec.replicatedJobs);
  });
});

describe("admitBySchema, through the status subresource", () => {
  const old = aJobSet({ suspend: true });

  it("a status update stores the old object with the new status", () => {
    const status = { restarts: 1 };
    const sent = { ...aJobSet({ suspend: false }, "other"), status };
    const admission = admitBySchema(sent, { old, subresource: "status" });
    expect(admission.ok && admission.stored).toEqual({ ...old, status });
  });

  it("a status update names the status in fields, but not in texts", () => {
    const sent = { ...old, status: { restarts: "1", conditions: 1.5, terminalState: 2 } };
    expect(listTexts(admitBySchema(sent, { old, subresource: "status" }))).toContain(
      'status.restarts: Invalid value: "string": restarts in body must be of type integer: "string"',
    );
  });

  it("a status update names the status if an integer out of range has no path", () => {
    const sent = { ...old, status: { restarts: 2 ** 31 } };
    expect(listTexts(admitBySchema(sent, { old, subresource: "status" }))).toEqual([
      'status: Invalid value: "": Checked value must be of type integer with format int32 in restarts',
    ]);
  });

  it("a status update warns about existing errors in the spec", () => {
    const inOrder = aJobSet({
      startupPolicy: { startupPolicyOrder: "InOrder" },
      replicatedJobs: [aReplicatedJob({ dependsOn: [] })],
    });
    const sent = { ...inOrder, status: {} };
    expect(admitBySchema(sent, { old: inOrder, subresource: "status" })).toMatchObject({
      ok: true,
      warnings: ["spec: Invalid value: StartupPolicy and DependsOn APIs are mutually exclusive"],
    });
  });
});

describe("admitBySchema, for any object,", () => {
  it("admitBySchema changes nothing in an object that it has returned", () => {
    fc.assert(
      fc.property(jobSets(), (jobSet) => {
        const first = admitBySchema(jobSet);
        if (first.object === undefined) return;
        const second = admitBySchema(first.object);
        expect(second.object).toBe(first.object);
        expect(second.errors).toEqual(first.errors);
      }),
      { numRuns: runs(150) },
    );
  });

  it("admitBySchema accepts the update of a stored object to itself", () => {
    fc.assert(
      fc.property(jobSets(), (jobSet) => {
        const created = admitBySchema(jobSet);
        fc.pre(created.ok);
        expect(admitBySchema(created.stored, { old: created.stored })).toMatchObject({ ok: true });
      }),
      { numRuns: runs(50) },
    );
  });

  it("admitBySchema returns a result for every JSON value, also deep-frozen ones, and does not modify it", () => {
    fc.assert(
      fc.property(jobSets(), jobSets(), fc.boolean(), (object, old, isStatus) => {
        const text = JSON.stringify([object, old]);
        const options = { old, ...(isStatus && { subresource: "status" as const }) };
        const thawed = admitBySchema(object, options);
        expect(admitBySchema(deepFreeze(object), { ...options, old: deepFreeze(old) })).toEqual(
          thawed,
        );
        expect(JSON.stringify([object, old])).toBe(text);
      }),
      { numRuns: runs(500) },
    );
  });

  it("admitBySchema does not freeze its input", () => {
    const jobSet = aJobSet({ replicatedJobs: [{ name: "a", template: {} }] });
    admitBySchema(jobSet, { old: deepClone(jobSet) });
    expect(Object.isFrozen(jobSet) || Object.isFrozen(jobSet.spec)).toBe(false);
  });

  it("admitBySchema treats parts shared with the old object like equal copies", () => {
    fc.assert(
      fc.property(jobSets(), fc.boolean(), (jobSet, suspend) => {
        fc.pre(typeof jobSet === "object" && jobSet !== null && !Array.isArray(jobSet));
        const spec = (jobSet as Unchecked).spec;
        const now = { ...(jobSet as object), spec: { ...Object(spec), suspend } };
        expect(admitBySchema(now, { old: jobSet })).toEqual(
          admitBySchema(deepClone(now), { old: jobSet }),
        );
      }),
      { numRuns: runs(150) },
    );
  });

  it("admitBySchema keeps the map key __proto__ and drops the field __proto__", () => {
    const labels = JSON.parse('{"__proto__": "x"}');
    const template = { metadata: { labels } };
    const spec = JSON.parse('{"__proto__": {"suspend": true}}');
    spec.replicatedJobs = [aReplicatedJob({ template, unknown: 1 })];
    const { object } = admitBySchema(aJobSet(spec));
    expect(JSON.stringify(object?.spec)).toBe(
      '{"replicatedJobs":[{"name":"workers","groupName":"default","replicas":1,"template":{"metadata":{"labels":{"__proto__":"x"}}}}]}',
    );
  });

  it.each(["kind", "metadata", "spec", "status"])(
    "admitBySchema handles the field %s with 20,000 levels of nesting",
    (name) => {
      for (const [open, close] of [
        ["[", "]"],
        ['{"a":', "}"],
        ['{"containers":', "}"],
        ['[{"name":', "}]"],
      ] as const) {
        const deep = JSON.parse(`${open.repeat(20_000)}1${close.repeat(20_000)}`);
        const object = { ...aJobSet({}), [name]: deep };
        expect(admitBySchema(object).errors).toBeDefined();
        expect(admitBySchema(object, { old: object, subresource: "status" }).errors).toBeDefined();
        expect(admitBySchema(object, { old: object }).errors).toBeDefined();
      }
    },
  );

  it("admitBySchema handles a list nested 20,000 levels deep in every field", () => {
    const deep = JSON.parse(`${"[".repeat(20_000)}{"a":1}${"]".repeat(20_000)}`);
    const spec = {
      network: { subdomain: deep },
      successPolicy: { operator: deep, targetReplicatedJobs: deep },
      replicatedJobs: [aReplicatedJob({ dependsOn: deep }), deep, { name: deep, template: deep }],
      volumeClaimPolicies: [{ templates: deep }, deep],
    };
    expect(admitBySchema(aJobSet(spec)).ok).toBe(false);
    expect(admitBySchema(aJobSet(spec), { old: aJobSet(structuredCopy(spec)) }).ok).toBe(false);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the tests read members of unvalidated values
type Unchecked = any;

function aJobSet(spec: object, name = "train"): Record<string, Unchecked> {
  return { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name }, spec };
}

function aReplicatedJob(members: object = {}): Record<string, unknown> {
  return { name: "workers", groupName: "default", replicas: 1, template: {}, ...members };
}

function listTexts(admission: ReturnType<typeof admitBySchema>): readonly string[] {
  return admission.errors.map(formatSchemaError);
}

/** A copy that includes the lists inside lists, which may be nested too deeply for recursion. */
function structuredCopy(spec: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(spec).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]),
  );
}

/** JobSets in which most members have the right type, and others any type. */
function jobSets(): fc.Arbitrary<unknown> {
  const or = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
  const members = (model: Record<string, fc.Arbitrary<unknown>>) =>
    or(fc.record({ ...model, unknown: fc.constant(1) }, { requiredKeys: [] }));
  const list = (element: fc.Arbitrary<unknown>) => or(fc.array(or(element), { maxLength: 3 }));
  const map = (value: fc.Arbitrary<unknown>) =>
    or(fc.dictionary(fc.constantFrom("app", "__proto__", "a b"), or(value)));
  const name = or(fc.constantFrom("a", "b", "workers", "", "A"));
  const count = or(fc.constantFrom(0, 1, -1, 2 ** 31, 1.5, 1e20));
  const metadata = members({ name, namespace: name, labels: map(name), finalizers: list(name) });
  const dependsOn = list(
    members({ name, status: or(fc.constantFrom("Ready", "Complete", "Never")) }),
  );
  const container = members({
    name,
    image: name,
    env: list(members({ name, value: name })),
    ports: list(members({ containerPort: count, protocol: name })),
    resources: members({ limits: map(or(fc.constantFrom(1, "1Gi", "x"))) }),
  });
  const jobSpec = members({
    parallelism: count,
    podFailurePolicy: members({ rules: list(members({ action: name })) }),
    template: members({ metadata, spec: members({ containers: list(container) }) }),
  });
  const replicatedJob = members({
    name,
    replicas: count,
    dependsOn,
    template: members({ metadata, spec: jobSpec }),
  });
  const condition = members({
    type: name,
    status: or(fc.constantFrom("True", "False")),
    reason: name,
    message: name,
    lastTransitionTime: or(fc.constantFrom("2026-01-02T03:04:05Z", "yesterday")),
  });
  return or(
    fc.record({
      apiVersion: or(fc.constant("jobset.x-k8s.io/v1alpha2")),
      kind: or(fc.constant("JobSet")),
      metadata: or(fc.constant({ name: "train" })),
      spec: members({
        replicatedJobs: list(replicatedJob),
        network: members({ subdomain: name, enableDNSHostnames: or(fc.boolean()) }),
        startupPolicy: members({ startupPolicyOrder: or(fc.constantFrom("AnyOrder", "InOrder")) }),
        failurePolicy: members({ maxRestarts: count, rules: list(members({ name })) }),
        volumeClaimPolicies: list(
          members({ templates: list(members({ metadata, spec: members({}) })) }),
        ),
      }),
      status: members({ restarts: count, conditions: list(condition) }),
    }),
  );
}
