import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultJobSet, defaultJobSetRequest } from "./default-jobset.ts";
import { formatFieldError } from "./field-error.ts";
import { semanticEqual } from "./typed/equality.ts";
import { deepFrozen, typedValues, untypedJobSets } from "./typed/testdata/typed-values.ts";

// biome-ignore lint/suspicious/noExplicitAny: many of these values are not JobSets on purpose
type Unchecked = any;

const defaultSpec = (spec: Unchecked) => defaultJobSet<Unchecked>({ spec }).spec;

/** All defaults of an empty spec. */
const everywhere = {
  successPolicy: { operator: "All" },
  startupPolicy: { startupPolicyOrder: "AnyOrder" },
  network: { enableDNSHostnames: true, publishNotReadyAddresses: true },
};

const defaultedTemplate = {
  spec: { completionMode: "Indexed", template: { spec: { restartPolicy: "OnFailure" } } },
};

describe("defaultJobSet", () => {
  it("defaultJobSet fills in the policies and the network of an empty spec", () => {
    expect(defaultSpec({})).toEqual(everywhere);
  });

  it("defaultJobSet creates a missing or null spec", () => {
    expect(defaultJobSet<Unchecked>({})).toEqual({ spec: everywhere });
    expect(defaultJobSet<Unchecked>({ spec: null })).toEqual({ spec: everywhere });
  });

  it("defaultJobSet treats null as absent", () => {
    const spec = {
      successPolicy: null,
      startupPolicy: null,
      network: { enableDNSHostnames: null, publishNotReadyAddresses: null },
      failurePolicy: null,
    };
    expect(defaultSpec(spec)).toEqual({ ...everywhere, failurePolicy: null });
  });

  it("defaultJobSet keeps members that are present, even if they are empty", () => {
    const spec = {
      successPolicy: {},
      startupPolicy: {},
      network: { enableDNSHostnames: false, publishNotReadyAddresses: false, subdomain: "" },
      failurePolicy: {},
      volumeClaimPolicies: [{ retentionPolicy: {} }],
    };
    expect(defaultSpec(spec)).toBe(spec);
  });

  it.each([
    [{ spec: { completionMode: "NonIndexed" } }, "NonIndexed", "OnFailure"],
    [{ spec: { completionMode: "" } }, "", "OnFailure"],
    [{ spec: { completionMode: null } }, "Indexed", "OnFailure"],
    [{ spec: { template: { spec: { restartPolicy: "Always" } } } }, "Indexed", "Always"],
    [{ spec: { template: { spec: { restartPolicy: "" } } } }, "Indexed", "OnFailure"],
    [{ spec: { template: { spec: { restartPolicy: null } } } }, "Indexed", "OnFailure"],
    [{ spec: { template: { spec: null } } }, "Indexed", "OnFailure"],
    [{ spec: { template: null } }, "Indexed", "OnFailure"],
    [{ spec: null }, "Indexed", "OnFailure"],
    [null, "Indexed", "OnFailure"],
    [undefined, "Indexed", "OnFailure"],
  ])(
    "defaultJobSet defaults a template %j to completion mode %s and restart policy %s",
    (template, mode, policy) => {
      const [job] = defaultSpec({ replicatedJobs: [{ name: "w", template }] }).replicatedJobs;
      expect(job.template.spec.completionMode).toBe(mode);
      expect(job.template.spec.template.spec.restartPolicy).toBe(policy);
    },
  );

  it("defaultJobSet defaults a null ReplicatedJob as an empty one", () => {
    expect(defaultSpec({ replicatedJobs: [null] }).replicatedJobs).toEqual([
      { template: defaultedTemplate },
    ]);
  });

  it("defaultJobSet names a rule by its index among all rules, even if another rule has that name", () => {
    const rules = [
      { name: "failurePolicyRule1", action: "FailJobSet" },
      { action: "RestartJobSet" },
      { name: "", action: "FailJobSet" },
      { name: null },
      null,
    ];
    expect(defaultSpec({ failurePolicy: { rules } }).failurePolicy.rules).toEqual([
      { name: "failurePolicyRule1", action: "FailJobSet" },
      { name: "failurePolicyRule1", action: "RestartJobSet" },
      { name: "failurePolicyRule2", action: "FailJobSet" },
      { name: "failurePolicyRule3" },
      { name: "failurePolicyRule4" },
    ]);
  });

  it("defaultJobSet deletes PVCs with the JobSet by default", () => {
    const policies = [
      {},
      { retentionPolicy: null },
      { retentionPolicy: { whenDeleted: "Retain" } },
    ];
    expect(defaultSpec({ volumeClaimPolicies: policies }).volumeClaimPolicies).toEqual([
      { retentionPolicy: { whenDeleted: "Delete" } },
      { retentionPolicy: { whenDeleted: "Delete" } },
      { retentionPolicy: { whenDeleted: "Retain" } },
    ]);
  });

  it("defaultJobSet sets no other members", () => {
    const spec = { replicatedJobs: [{ name: "w" }], suspend: null, managedBy: null };
    expect(defaultSpec(spec)).toEqual({
      ...everywhere,
      replicatedJobs: [{ name: "w", template: defaultedTemplate }],
      suspend: null,
      managedBy: null,
    });
  });

  it("defaultJobSet shares unchanged parts with its input", () => {
    const first = { name: "a", template: defaultedTemplate };
    const jobSet: Unchecked = {
      metadata: { name: "train" },
      spec: { replicatedJobs: [first, { name: "b" }] },
    };
    const result = defaultJobSet(jobSet);
    expect(result.metadata).toBe(jobSet.metadata);
    expect(result.spec.replicatedJobs[0]).toBe(first);
  });

  it("defaultJobSet is idempotent and returns the same object for a JobSet with defaults", () => {
    fc.assert(
      fc.property(fc.oneof(typedValues("JobSet"), untypedJobSets()), (jobSet: Unchecked) => {
        const once = defaultJobSet(jobSet);
        expect(defaultJobSet(once)).toBe(once);
      }),
    );
  });

  it("defaultJobSet does not change or freeze its input, and accepts a frozen one", () => {
    fc.assert(
      fc.property(untypedJobSets(), (jobSet: Unchecked) => {
        const text = JSON.stringify(jobSet);
        const before = defaultJobSet(jobSet);
        expect(JSON.stringify(jobSet)).toBe(text);
        const isObject = typeof jobSet === "object" && jobSet !== null;
        expect(isObject && Object.isFrozen(jobSet)).toBe(false);
        expect(defaultJobSet(deepFrozen(jobSet))).toEqual(before);
      }),
    );
  });

  it("defaultJobSet leaves members of the wrong type as they are", () => {
    for (const jobSet of [undefined, null, 1, "x", true, [], { spec: 1 }, { spec: [] }]) {
      expect(defaultJobSet<Unchecked>(jobSet)).toBe(jobSet);
    }
    const spec = {
      ...everywhere,
      network: "net",
      replicatedJobs: [1, { template: "x" }, { template: { spec: [] } }],
      failurePolicy: { rules: [5, { name: 5 }] },
      volumeClaimPolicies: {},
    };
    expect(defaultSpec(spec)).toBe(spec);
  });
});

describe("defaultJobSetRequest", () => {
  it("defaultJobSetRequest returns the same object if nothing is missing, canonical or not", () => {
    const jobSet = {
      spec: {
        ...everywhere,
        replicatedJobs: [
          {
            template: {
              spec: {
                completionMode: "Indexed",
                template: {
                  spec: {
                    restartPolicy: "Never",
                    containers: [{ resources: { limits: { memory: "1024Mi" } } }],
                  },
                },
              },
            },
          },
        ],
      },
    };
    const result = defaultJobSetRequest(jobSet);
    expect(result).toEqual({ allowed: true, jobSet, changed: false });
    expect(result.allowed && result.jobSet).toBe(jobSet);
  });

  it("defaultJobSetRequest returns the whole object in canonical form if it sets a default", () => {
    const jobSet = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      unknown: null,
      spec: {
        failurePolicy: { rules: [null] },
        volumeClaimPolicies: [
          { templates: [{ spec: { resources: { requests: { storage: "1024Mi" } } } }] },
        ],
      },
    };
    expect(defaultJobSetRequest(jobSet)).toEqual({
      allowed: true,
      changed: true,
      jobSet: {
        apiVersion: "jobset.x-k8s.io/v1alpha2",
        kind: "JobSet",
        unknown: null,
        metadata: {},
        spec: {
          ...everywhere,
          failurePolicy: { rules: [{ name: "failurePolicyRule0", action: "" }] },
          volumeClaimPolicies: [
            {
              templates: [
                {
                  metadata: {},
                  spec: { resources: { requests: { storage: "1Gi" } } },
                  status: {},
                },
              ],
              retentionPolicy: { whenDeleted: "Delete" },
            },
          ],
        },
        status: { restarts: 0 },
      },
    });
  });

  it("defaultJobSetRequest rejects an object that cannot be decoded, and reports all errors", () => {
    const result = defaultJobSetRequest({ spec: { suspend: "yes", network: [] } });
    expect(result).toMatchObject({ allowed: false, code: 400 });
    expect(!result.allowed && result.errors.map(formatFieldError)).toEqual([
      'spec.suspend: Invalid value: "yes": must be true or false',
      'spec.network: Invalid value: "array": must be an object',
    ]);
  });

  it.each([undefined, null, 1, "JobSet", []])(
    "defaultJobSetRequest rejects %j, which is not an object",
    (object) => {
      const result = defaultJobSetRequest(object);
      expect(result).toMatchObject({ allowed: false, code: 400, errors: [{ field: "<nil>" }] });
    },
  );

  it("defaultJobSetRequest rejects an object of another kind or version", () => {
    const result = defaultJobSetRequest({ apiVersion: "batch/v1", kind: "Job" });
    expect(!result.allowed && result.errors.map(formatFieldError)).toEqual([
      'apiVersion: Invalid value: "batch/v1": must be jobset.x-k8s.io/v1alpha2',
      'kind: Invalid value: "Job": must be JobSet',
    ]);
    expect(defaultJobSetRequest({ apiVersion: null, kind: "" }).allowed).toBe(true);
  });

  it("defaultJobSetRequest changes an object if and only if its meaning changes, and never twice", () => {
    fc.assert(
      fc.property(typedValues("JobSet"), (value) => {
        const { apiVersion: _, kind: __, ...object } = value;
        const result = defaultJobSetRequest(deepFrozen(object));
        if (!result.allowed) throw new Error("it was made to decode");
        const withDefaults = defaultJobSet<Unchecked>(object);
        expect(result.changed).toBe(!semanticEqual(withDefaults, object, "JobSet"));
        const second = defaultJobSetRequest(result.jobSet);
        expect(second).toEqual({ allowed: true, jobSet: result.jobSet, changed: false });
      }),
    );
  });

  it("defaultJobSetRequest returns a result for every JSON value", () => {
    fc.assert(
      fc.property(untypedJobSets(), (object) => {
        const result = defaultJobSetRequest(deepFrozen(object));
        expect(defaultJobSetRequest(object)).toEqual(result);
        if (!result.allowed) expect(result.errors.length).toBeGreaterThan(0);
      }),
    );
  });
});
