import { createContext, createSnapshot, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { openAPIV3Schema, type StructuralSchema } from "@jobset-ts/crd";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { explainDenial } from "../denial/explain-denial.ts";
import type { WebhookOptions } from "../webhook-shape.ts";
import { admitJobSet } from "./admit-jobset.ts";

// biome-ignore lint/suspicious/noExplicitAny: the test needs members of the wrong type
type AnyObject = any;

const context = createContext({ now: 0, quirks: UPSTREAM_QUIRKS });
const cluster = createSnapshot([]);
const podTemplate = { spec: { containers: [{ name: "main", image: "img" }] } };
const replicatedJob = { name: "w", template: { spec: { template: podTemplate } } };

function manifest(spec: AnyObject = {}, metadata: AnyObject = { name: "train" }) {
  return { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata, spec };
}

function create(object: unknown, options?: WebhookOptions) {
  return admitJobSet({ operation: "CREATE", object }, cluster, context, options);
}

function update(oldObject: unknown, object: unknown) {
  return admitJobSet({ operation: "UPDATE", oldObject, object }, cluster, context);
}

/** The schema of a version of JobSet without `spec.suspend`. */
function withoutSuspend(): StructuralSchema {
  const schema: AnyObject = structuredClone(openAPIV3Schema());
  delete schema.properties.spec.properties.suspend;
  return schema;
}

/** Returns the stored JobSet. Fails if it was denied. */
function getStoredObject(object: unknown): AnyObject {
  const admitted = create(object);
  if (!admitted.allowed) throw new Error(admitted.denial.status.message);
  return admitted.stored;
}

/** Returns the denial. Fails if the JobSet is admitted. */
function getDenial(admitted: ReturnType<typeof admitJobSet>) {
  if (admitted.allowed) throw new Error("it was admitted");
  return admitted;
}

describe("the creation of a JobSet", () => {
  it("admitJobSet fills in the defaults of schema and webhook, and reports both", () => {
    const admitted = create(
      manifest({
        replicatedJobs: [replicatedJob],
        failurePolicy: { rules: [{ action: "FailJobSet" }] },
      }),
    );
    expect(admitted).toMatchObject({
      allowed: true,
      stored: {
        spec: {
          network: { enableDNSHostnames: true, publishNotReadyAddresses: true },
          successPolicy: { operator: "All" },
          startupPolicy: { startupPolicyOrder: "AnyOrder" },
          failurePolicy: { restartStrategy: "Recreate", rules: [{ name: "failurePolicyRule0" }] },
          replicatedJobs: [
            {
              groupName: "default",
              replicas: 1,
              template: {
                spec: {
                  completionMode: "Indexed",
                  template: { spec: { restartPolicy: "OnFailure" } },
                },
              },
            },
          ],
        },
      },
      warnings: [],
    });
    expect(admitted.decisions.map(({ rule, message }) => `${rule}: ${message}`)).toEqual(
      expect.arrayContaining([
        'SchemaDefault: spec.replicatedJobs[0].groupName is absent and becomes "default"',
        "SchemaDefault: spec.replicatedJobs[0].replicas is absent and becomes 1",
        'SchemaDefault: spec.failurePolicy.restartStrategy is absent and becomes "Recreate"',
        'WebhookDefault: spec.successPolicy is absent and becomes {"operator":"All"}',
        'WebhookDefault: spec.replicatedJobs[0].template.spec.completionMode is absent and becomes "Indexed"',
        'WebhookDefault: spec.failurePolicy.rules[0].name is absent and becomes "failurePolicyRule0"',
      ]),
    );
  });

  it("admitJobSet reports a default that replaces empty text", () => {
    const pod = { spec: { ...podTemplate.spec, restartPolicy: "" } };
    const { decisions } = create(
      manifest({ replicatedJobs: [{ ...replicatedJob, template: { spec: { template: pod } } }] }),
    );
    expect(decisions.map(({ message }) => message)).toContain(
      'spec.replicatedJobs[0].template.spec.template.spec.restartPolicy is empty and becomes "OnFailure"',
    );
  });

  it("admitJobSet makes no decisions for a JobSet with all defaults", () => {
    const whole = getStoredObject(manifest({ replicatedJobs: [replicatedJob] }));
    expect(create(whole)).toEqual({
      allowed: true,
      stored: whole,
      warnings: [],
      decisions: [],
    });
  });

  it("admitJobSet applies the schema's defaults again after the webhook", () => {
    const { volumeClaimPolicies } = getStoredObject(
      manifest({
        volumeClaimPolicies: [{ templates: [], retentionPolicy: {} }, { templates: [] }],
      }),
    ).spec;
    expect(volumeClaimPolicies).toEqual([
      { templates: [], retentionPolicy: { whenDeleted: "Delete" } },
      { templates: [], retentionPolicy: { whenDeleted: "Delete" } },
    ]);
  });

  it("admitJobSet writes quantities as the webhook does", () => {
    const container = {
      ...podTemplate.spec.containers[0],
      resources: { requests: { memory: "1024Mi" } },
    };
    const template = { spec: { template: { spec: { containers: [container] } } } };
    const { replicatedJobs } = getStoredObject(
      manifest({ replicatedJobs: [{ name: "w", template }] }),
    ).spec;
    expect(replicatedJobs[0].template.spec.template.spec.containers[0].resources).toEqual({
      requests: { memory: "1Gi" },
    });
  });

  it("admitJobSet generates the name and drops the status", () => {
    const jobSet = { ...manifest({}, { generateName: "train-" }), status: { restarts: 3 } };
    expect(getStoredObject(jobSet).metadata.name).toBe("train-xxxxx");
    expect(getStoredObject(jobSet)).not.toHaveProperty("status");
    const named = create(jobSet, { generatedNameSuffix: "bcdfg" });
    expect(named).toMatchObject({ stored: { metadata: { name: "train-bcdfg" } } });
  });

  it("admitJobSet warns about unknown fields, whether or not it denies the JobSet", () => {
    const warnings = [{ field: "spec.suspended", message: "unknown field, dropped" }];
    expect(create(manifest({ suspended: true }))).toMatchObject({ allowed: true, warnings });
    expect(create(manifest({ suspended: true, ttlSecondsAfterFinished: -1 }))).toMatchObject({
      allowed: false,
      warnings,
    });
    const undecodable = create(manifest({ suspended: null, suspend: "yes" }));
    expect(undecodable).toMatchObject({ stage: "default", warnings });
  });

  it("admitJobSet prunes and warns by the schema of the context, for creations and updates", () => {
    const older = { ...context, schema: withoutSuspend() };
    const object = manifest({ suspend: true, replicatedJobs: [replicatedJob] });
    const created = admitJobSet({ operation: "CREATE", object }, cluster, older);
    const pruned = { field: "spec.suspend", message: "unknown field, dropped" };
    expect(created).toMatchObject({ allowed: true, warnings: [pruned] });
    const oldObject = created.allowed ? created.stored : {};
    expect(oldObject?.spec).not.toHaveProperty("suspend");
    const sent = { ...oldObject, spec: { ...oldObject?.spec, suspend: true } };
    const updated = admitJobSet({ operation: "UPDATE", oldObject, object: sent }, cluster, older);
    expect(updated).toMatchObject({
      allowed: true,
      stored: oldObject,
      warnings: [pruned],
    });
  });

  it("admitJobSet denies by the schema with the server's message, also with a generated name", () => {
    const { stage, denial } = getDenial(
      create(manifest({ ttlSecondsAfterFinished: -1 }, { generateName: "train-" })),
    );
    expect(stage).toBe("schema");
    const body =
      "Invalid value: -1: spec.ttlSecondsAfterFinished in body should be greater than or equal to 0";
    expect(denial.status).toEqual({
      status: "Failure",
      message: `JobSet.jobset.x-k8s.io "train-xxxxx" is invalid: spec.ttlSecondsAfterFinished: ${body}`,
      reason: "Invalid",
      details: {
        name: "train-xxxxx",
        group: "jobset.x-k8s.io",
        kind: "JobSet",
        causes: [
          { reason: "FieldValueInvalid", message: body, field: "spec.ttlSecondsAfterFinished" },
        ],
      },
      code: 422,
    });
    expect(denial.roots.map(({ id }) => id)).toEqual(["schema-valid"]);
  });

  it("admitJobSet denies by the rules of the schema before it calls the webhook", () => {
    const dependent = { ...replicatedJob, dependsOn: [{ name: "x", status: "Ready" }] };
    const { stage, denial } = getDenial(
      create(
        manifest({
          startupPolicy: { startupPolicyOrder: "InOrder" },
          replicatedJobs: [dependent],
        }),
      ),
    );
    expect(stage).toBe("schema");
    expect(denial.status.message).toContain(
      "StartupPolicy and DependsOn APIs are mutually exclusive",
    );
  });

  it("the mutating webhook denies a JobSet that cannot be decoded, with its fields", () => {
    const { stage, denial } = getDenial(create(manifest({ suspend: "yes", replicatedJobs: {} })));
    expect(stage).toBe("default");
    expect(denial.status).toEqual({
      message: 'spec.suspend: Invalid value: "yes": must be true or false',
      code: 400,
    });
    expect(denial.roots.map(({ fieldError }) => fieldError?.field)).toEqual([
      "spec.suspend",
      "spec.replicatedJobs",
    ]);
  });

  it("the API server rejects a JobSet with unreadable metadata", () => {
    const { stage, denial } = getDenial(create(manifest({ suspend: "yes" }, { name: 5 })));
    expect(stage).toBe("schema");
    expect(denial.status.code).toBe(400);
    expect(denial.roots.map(({ fieldError }) => fieldError?.field)).toEqual([
      "metadata.name",
      "spec.suspend",
    ]);
  });

  it("the validating webhook denies a JobSet with its own message", () => {
    const bad = manifest({ managedBy: "" });
    const { stage, denial } = getDenial(create(bad));
    expect(stage).toBe("validate");
    const text = 'JobSet.jobset.x-k8s.io "train" is invalid: spec.managedBy: Required value';
    expect(denial.status).toMatchObject({
      message: text,
      reason: "Invalid",
      code: 422,
    });
  });

  it.each([null, undefined, 5, "text", [], {}, [null], { spec: 5 }, { metadata: [] }])(
    "admitJobSet decides about %j",
    (value) => {
      expect(create(value).allowed).toBe(false);
    },
  );

  it.each([
    [null, "null"],
    [undefined, "null"],
    [[], '"array"'],
  ])("admitJobSet rejects %j, which is not an object", (value, shown) => {
    const { roots } = getDenial(create(value)).denial;
    expect(roots).toMatchObject([
      {
        id: "jobset-decodable",
        message: expect.stringContaining(`Invalid value: ${shown}: must be an object`),
      },
    ]);
  });

  it("admitJobSet does not change a frozen object", () => {
    const object = deepFreeze(manifest({ replicatedJobs: [replicatedJob] }));
    expect(create(object)).toEqual(create(JSON.parse(JSON.stringify(object))));
  });
});

describe("the update of a JobSet", () => {
  const old = {
    ...getStoredObject(manifest({ replicatedJobs: [replicatedJob] })),
    status: { restarts: 2 },
  };
  const changeSpec = (spec: AnyObject) => ({ ...old, spec: { ...old.spec, ...spec } });

  it("an update keeps the old status and gets no webhook defaults", () => {
    const bare = aJobSet("train").withSpec({ successPolicy: undefined, network: undefined });
    const admitted = update(
      { ...bare, status: { restarts: 2 } },
      { ...bare, status: { restarts: 5 } },
    );
    expect(admitted).toMatchObject({ allowed: true, stored: { status: { restarts: 2 } } });
    expect(admitted.allowed && admitted.stored?.spec).not.toHaveProperty("successPolicy");
  });

  it("the schema denies a changed policy, the webhook a changed Job", () => {
    const policy = getDenial(update(old, changeSpec({ successPolicy: { operator: "Any" } })));
    expect(policy.stage).toBe("schema");
    expect(policy.denial.status.message).toBe(
      'JobSet.jobset.x-k8s.io "train" is invalid: spec.successPolicy: Invalid value: Value is immutable',
    );
    const job = { ...old.spec.replicatedJobs[0], replicas: 2 };
    const { stage, denial } = getDenial(update(old, changeSpec({ replicatedJobs: [job] })));
    expect(stage).toBe("validate");
    expect(denial.roots.map(({ id }) => id)).toEqual(["replicated-jobs-immutable"]);
  });

  it("an update is compared with the decoded old JobSet, which may lack defaults", () => {
    const template = { spec: { template: podTemplate } };
    const undefaulted = changeSpec({ replicatedJobs: [{ name: "w", template }] });
    const spelled = [{ name: "w", groupName: "default", replicas: 1, template }];
    expect(update(undefaulted, changeSpec({ replicatedJobs: spelled })).allowed).toBe(true);
  });

  it("an update with the original manifest is denied, because webhook defaults are missing", () => {
    const { denial } = getDenial(update(old, manifest({ replicatedJobs: [replicatedJob] })));
    expect(denial.roots.map(({ id }) => id)).toEqual(["replicated-jobs-immutable"]);
  });

  it("an update warns about old errors and is not denied for them", () => {
    const bad = changeSpec({
      volumeClaimPolicies: [{ templates: [{ metadata: { name: "d", namespace: "n" }, spec: {} }] }],
    });
    const admitted = update(bad, { ...bad, spec: { ...bad.spec, suspend: true } });
    expect(admitted).toMatchObject({
      allowed: true,
      warnings: [
        {
          field: "",
          message: expect.stringContaining("namespace cannot be set for VolumeClaimPolicies"),
        },
      ],
    });
  });

  it("an update with the UID of another JobSet is denied with 409 first", () => {
    const inMl = { ...old, metadata: { ...old.metadata, namespace: "ml" } };
    const withUid = (uid: string, metadata = {}) => ({
      ...inMl,
      metadata: { ...inMl.metadata, uid, ...metadata },
    });
    const { stage, denial } = getDenial(
      update(withUid("u-1"), withUid("u-2", { labels: { "-": "-" } })),
    );
    expect(stage).toBe("schema");
    // The message of kube-apiserver 1.36.
    expect(denial.status).toEqual({
      status: "Failure",
      message:
        'Operation cannot be fulfilled on jobsets.jobset.x-k8s.io "train": StorageError: invalid object, Code: 4, Key: /registry/jobset.x-k8s.io/jobsets/ml/train, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u-2, UID in object meta: u-1',
      reason: "Conflict",
      details: { name: "train", group: "jobset.x-k8s.io", kind: "jobsets" },
      code: 409,
    });
    expect(denial.roots.map(({ id, fieldError }) => [id, fieldError?.field])).toEqual([
      ["uid-kept", "metadata.uid"],
    ]);
    expect(explainDenial(denial)).toMatchObject({
      root: { id: "uid-kept" },
      advice: ["omit the UID, or edit the current JobSet"],
    });
    expect(update(withUid("u-1"), withUid("u-1")).allowed).toBe(true);
    expect(update(withUid("u-1"), inMl).allowed).toBe(true);
    expect(update(inMl, withUid("u-1")).allowed).toBe(true);
    const unreadable = getDenial(update(withUid("u-1"), withUid("u-2", { labels: 5 })));
    expect(unreadable.denial.status.code).toBe(400);
  });

  it("admitJobSet decides about every pair of values", () => {
    for (const one of [null, 5, [], {}, old]) {
      for (const other of [null, 5, [], {}]) expect(update(one, other).allowed).toBe(false);
    }
    expect(update(null, old).allowed).toBe(false);
  });

  it("an update that cannot be decoded is denied with 400", () => {
    const { stage, denial } = getDenial(update(old, { ...old, metadata: 5 }));
    expect([stage, denial.status.code]).toEqual(["schema", 400]);
  });
});

describe("the deletion of a JobSet", () => {
  it("a deletion of a JobSet is admitted", () => {
    const result = admitJobSet({ operation: "DELETE", oldObject: null }, cluster, context);
    expect(result).toEqual({ allowed: true, warnings: [], decisions: [] });
  });
});
