import { describe, expect, it } from "vitest";
import { admitNew } from "./admission.ts";

const podTemplate = { spec: { containers: [{ name: "main", image: "example.com/main:1" }] } };

function aJobSet(spec: object, metadata: object = { name: "train" }) {
  return { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata, spec };
}

/** The JobSet as it is stored; fails when it was refused. */
function stored(jobSet: object) {
  const admission = admitNew(jobSet);
  if (!admission.ok) throw new Error(JSON.stringify(admission.errors));
  return admission.jobSet;
}

describe("admitNew", () => {
  it("fills in what the schema and the mutating webhook fill in", () => {
    const jobSet = stored(
      aJobSet({
        failurePolicy: { rules: [{ action: "FailJobSet" }] },
        replicatedJobs: [{ name: "w", template: { spec: { template: podTemplate } } }],
      }),
    );
    expect(jobSet.spec).toMatchObject({
      network: { enableDNSHostnames: true, publishNotReadyAddresses: true },
      successPolicy: { operator: "All" },
      startupPolicy: { startupPolicyOrder: "AnyOrder" },
      failurePolicy: { restartStrategy: "Recreate", rules: [{ name: "failurePolicyRule0" }] },
      replicatedJobs: [
        {
          groupName: "default",
          replicas: 1,
          template: {
            spec: { completionMode: "Indexed", template: { spec: { restartPolicy: "OnFailure" } } },
          },
        },
      ],
    });
  });

  it("applies the schema's defaults again to what the webhook filled in", () => {
    const jobSet = stored(
      aJobSet({ volumeClaimPolicies: [{ templates: [], retentionPolicy: {} }, { templates: [] }] }),
    );
    expect(jobSet.spec?.volumeClaimPolicies).toEqual([
      { templates: [], retentionPolicy: { whenDeleted: "Delete" } },
      { templates: [], retentionPolicy: { whenDeleted: "Delete" } },
    ]);
  });

  it("writes quantities as the webhook does", () => {
    const claim = {
      metadata: { name: "data" },
      spec: { resources: { requests: { storage: "1024Mi" } } },
    };
    const jobSet = stored(aJobSet({ volumeClaimPolicies: [{ templates: [claim] }] }));
    expect(
      jobSet.spec?.volumeClaimPolicies?.[0]?.templates?.[0]?.spec?.resources?.requests,
    ).toEqual({ storage: "1Gi" });
  });

  it("names the JobSet and drops its status", () => {
    const jobSet = stored({ ...aJobSet({}, { generateName: "train-" }), status: { restarts: 3 } });
    expect(jobSet.metadata?.name).toBe("train-xxxxx");
    expect(jobSet).not.toHaveProperty("status");
  });

  it("names the field of a value that cannot be decoded, and asks nothing further", () => {
    const admission = admitNew(
      aJobSet({ suspend: "yes", successPolicy: { operator: "Some" } }, { name: 5 }),
    );
    expect(admission).toEqual({
      ok: false,
      errors: [
        { field: "metadata.name", message: "Invalid value: 5: must be a string" },
        { field: "spec.suspend", message: 'Invalid value: "yes": must be true or false' },
      ],
      warnings: [],
    });
  });

  it("puts what belongs to no field behind what does", () => {
    const admission = admitNew(aJobSet({ successPolicy: { operator: "Some" } }));
    expect(admission).toMatchObject({
      ok: false,
      errors: [{ field: "spec.successPolicy.operator" }, { field: "" }],
    });
  });

  it("warns of unknown fields, whether or not the JobSet is refused", () => {
    const warnings = [{ field: "spec.suspended", message: "unknown field, dropped" }];
    expect(admitNew(aJobSet({ suspended: true }))).toMatchObject({ ok: true, warnings });
    expect(admitNew(aJobSet({ suspended: true, ttlSecondsAfterFinished: -1 }))).toMatchObject({
      ok: false,
      warnings,
    });
  });

  it("answers for every JSON value", () => {
    for (const value of [
      null,
      undefined,
      5,
      "text",
      [],
      {},
      [null],
      { spec: 5 },
      { metadata: [] },
    ]) {
      const admission = admitNew(value);
      expect(admission.ok).toBe(false);
    }
  });

  it("leaves what it is given as it is", () => {
    const jobSet = aJobSet({
      replicatedJobs: [{ name: "w", template: { spec: { template: podTemplate } } }],
    });
    const before = structuredClone(jobSet);
    stored(jobSet);
    expect(jobSet).toEqual(before);
  });
});
