import { formatFieldError } from "@jobset-ts/api/errors";
import { describe, expect, it } from "vitest";
import { deepClone } from "../../testing/src/testing/freezing.ts";
import { openAPIV3Schema } from "./openapi-v3-schema.ts";
import { startRatchet } from "./ratchet.ts";
import { ruleFindings } from "./rules.ts";
import type { StructuralSchema } from "./structural-schema.ts";

type Spec = unknown;

/** The results of the rules for a spec and its update. */
function evaluateSpec(spec: Spec, oldSpec?: Spec) {
  const before = { old: { spec: oldSpec }, ratchet: startRatchet() };
  const findings = ruleFindings(
    { spec },
    openAPIV3Schema(),
    oldSpec === undefined ? undefined : before,
  );
  return {
    errors: findings.errors.errors.map(formatFieldError),
    warnings: findings.warnings.errors.map(formatFieldError),
  };
}

const inOrder = { startupPolicyOrder: "InOrder" };
const bothOrders = "spec: Invalid value: StartupPolicy and DependsOn APIs are mutually exclusive";

describe("the rule on startup orders", () => {
  it("the rule on startup orders rejects dependencies together with an order, even an empty list", () => {
    const spec = { startupPolicy: inOrder, replicatedJobs: [{ name: "a", dependsOn: [] }] };
    expect(evaluateSpec(spec).errors).toEqual([bothOrders]);
  });

  it("the rule on startup orders passes if either is absent", () => {
    const replicatedJobs = [{ name: "a" }, { name: "b", dependsOn: [{}] }];
    expect(evaluateSpec({ replicatedJobs }).errors).toEqual([]);
    expect(
      evaluateSpec({ replicatedJobs, startupPolicy: { startupPolicyOrder: "AnyOrder" } }).errors,
    ).toEqual([]);
    expect(
      evaluateSpec({ replicatedJobs: [{ name: "a" }], startupPolicy: inOrder }).errors,
    ).toEqual([]);
  });

  it("the rule on startup orders cannot be evaluated without replicatedJobs", () => {
    expect(evaluateSpec({ startupPolicy: inOrder }).errors).toEqual([
      'spec: Invalid value: "object": no such key: replicatedJobs evaluating rule: StartupPolicy and DependsOn APIs are mutually exclusive',
    ]);
  });

  it("the rule on startup orders ignores an error if another condition decides", () => {
    const spec = { startupPolicy: {}, replicatedJobs: [{ name: "a" }] };
    expect(evaluateSpec(spec).errors).toEqual([]);
  });

  it("the rule on startup orders is a warning if nothing in the spec changes", () => {
    const spec = { startupPolicy: inOrder, replicatedJobs: [{ name: "a", dependsOn: [] }] };
    expect(evaluateSpec(deepClone(spec), spec)).toEqual({ errors: [], warnings: [bothOrders] });
    expect(evaluateSpec({ ...spec, suspend: true }, spec).errors).toEqual([bothOrders]);
  });

  it("the rule on startup orders and all others are skipped if upstream's cost limit is exceeded", () => {
    const replicatedJobs = Array.from({ length: 199_999 }, (_, index) => ({ name: `${index}` }));
    const volumeClaimPolicies = [{}];
    const spec = { startupPolicy: inOrder, replicatedJobs, volumeClaimPolicies };
    expect(evaluateSpec(spec).errors).toEqual([
      `spec: Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: StartupPolicy and DependsOn APIs are mutually exclusive`,
    ]);
    expect(evaluateSpec({ ...spec, replicatedJobs: replicatedJobs.slice(1) }).errors).toHaveLength(
      1,
    );
    expect(evaluateSpec({ ...spec, replicatedJobs: replicatedJobs.slice(1) }).errors[0]).toContain(
      "no such key: templates",
    );
  });
});

describe("the rule of immutable members", () => {
  const createImmutableErrors = (field: string) => [`${field}: Invalid value: Value is immutable`];

  it("the rule of immutable members compares members that are present before and after", () => {
    const network = { subdomain: "a" };
    expect(evaluateSpec({ network }, { network: { subdomain: "b" } }).errors).toEqual(
      createImmutableErrors("spec.network"),
    );
    expect(evaluateSpec({ network }, { network: { ...network } }).errors).toEqual([]);
  });

  it("the rule of immutable members ignores added and removed members", () => {
    expect(evaluateSpec({ network: {} }, {}).errors).toEqual([]);
    expect(evaluateSpec({}, { network: {} }).errors).toEqual([]);
  });

  it("the rule of immutable members distinguishes an absent member from an explicit default", () => {
    const before = { successPolicy: { operator: "All" } };
    const after = { successPolicy: { operator: "All", targetReplicatedJobs: [] } };
    expect(evaluateSpec(after, before).errors).toEqual(createImmutableErrors("spec.successPolicy"));
  });

  it("the rule of immutable members matches dependencies by the name of their ReplicatedJob, in any order", () => {
    const a = { name: "a", status: "Ready" };
    const b = { name: "b", status: "Complete" };
    const before = { replicatedJobs: [{ name: "x" }, { name: "w", dependsOn: [a, b] }] };
    const moved = { replicatedJobs: [{ name: "w", dependsOn: [{ ...b }, { ...a }] }] };
    const other = { replicatedJobs: [{ name: "w", dependsOn: [a, a] }] };
    expect(evaluateSpec(moved, before).errors).toEqual([]);
    expect(evaluateSpec(other, before).errors).toEqual(
      createImmutableErrors("spec.replicatedJobs[0].dependsOn"),
    );
  });

  it("the rule of immutable members compares the order of other lists", () => {
    const policy = (...targetReplicatedJobs: string[]) => ({
      successPolicy: { operator: "All", targetReplicatedJobs },
    });
    expect(evaluateSpec(policy("a", "b"), policy("b", "a")).errors).toEqual(
      createImmutableErrors("spec.successPolicy"),
    );
  });

  it("the rule of immutable members compares times as instants", () => {
    const policies = (lastProbeTime: string) => ({
      volumeClaimPolicies: [
        {
          templates: [
            { metadata: {}, status: { conditions: [{ type: "a", status: "b", lastProbeTime }] } },
          ],
        },
      ],
    });
    const before = policies("2026-01-01T00:00:00Z");
    expect(evaluateSpec(policies("2026-01-01T01:00:00+01:00"), before).errors).toEqual([]);
    expect(evaluateSpec(policies("2026-01-01T00:00:00.5Z"), before).errors).toEqual(
      createImmutableErrors("spec.volumeClaimPolicies"),
    );
    expect(evaluateSpec(policies("today"), before).errors).toEqual([
      'spec.volumeClaimPolicies: Invalid value: "array": Invalid date-time formatted string today: parsing time "today" as "2006-01-02T15:04:05": cannot parse "today" as "2006" evaluating rule: Value is immutable',
    ]);
  });

  it("the rule of immutable members cannot be evaluated if a value has the wrong type, even one that may be kept", () => {
    const spec = { failurePolicy: { restartStrategy: 1 } };
    expect(evaluateSpec(spec, spec).errors).toEqual([
      'spec.failurePolicy: Invalid value: "object": invalid data, expected string, got int64 evaluating rule: Value is immutable',
    ]);
    const keyed = { replicatedJobs: [{ name: "w", dependsOn: [{ name: {} }] }] };
    expect(evaluateSpec(keyed, keyed).errors).toEqual([
      'spec.replicatedJobs[0].dependsOn: Invalid value: "array": internal error: runtime error: hash of unhashable type map[string]interface {} evaluating rule: Value is immutable',
    ]);
  });

  it("the rule of immutable members has no exception for existing errors", () => {
    expect(evaluateSpec({ network: { subdomain: "a" } }, { network: {} }).warnings).toEqual([]);
  });
});

describe("the rule on the namespace of claims", () => {
  const policy = (...templates: unknown[]) => ({ volumeClaimPolicies: [{ templates }] });
  const rejected =
    "spec.volumeClaimPolicies[0]: Invalid value: namespace cannot be set for VolumeClaimPolicies templates";

  it("the rule on the namespace of claims rejects a namespace, but not an empty one", () => {
    expect(evaluateSpec(policy({ metadata: { namespace: "ml" } })).errors).toEqual([rejected]);
    expect(evaluateSpec(policy({ metadata: { namespace: "" } }, { metadata: {} })).errors).toEqual(
      [],
    );
  });

  it("the rule on the namespace of claims cannot be evaluated without templates or metadata, unless another template decides", () => {
    const cannot = (key: string) => [
      `spec.volumeClaimPolicies[0]: Invalid value: "object": no such key: ${key} evaluating rule: namespace cannot be set for VolumeClaimPolicies templates`,
    ];
    expect(evaluateSpec({ volumeClaimPolicies: [{}] }).errors).toEqual(cannot("templates"));
    expect(evaluateSpec(policy({})).errors).toEqual(cannot("metadata"));
    expect(evaluateSpec(policy({}, { metadata: { namespace: "ml" } })).errors).toEqual([rejected]);
  });

  it("the rule on the namespace of claims is a warning if no policy changes", () => {
    const before = policy({ metadata: { namespace: "ml" } });
    expect(evaluateSpec({ ...before, suspend: true }, before)).toEqual({
      errors: [],
      warnings: [rejected],
    });
  });
});

describe("the rules of another schema", () => {
  const size = (rule: object): StructuralSchema => ({
    type: "object",
    properties: {
      size: { type: "integer", "x-kubernetes-validations": [{ rule: "", ...rule }] },
    },
  });
  const listErrorTexts = (schema: StructuralSchema, value: unknown, old?: unknown) =>
    ruleFindings(
      value,
      schema,
      old === undefined ? undefined : { old, ratchet: startRatchet() },
    ).errors.errors.map(formatFieldError);

  it("rules with an unknown text are reported", () => {
    expect(listErrorTexts(size({ rule: "self > 1" }), { size: 5 })).toEqual([
      "size: Internal error: no implementation of the rule: self > 1",
    ]);
    expect(listErrorTexts(size({ rule: "self > 1" }), {})).toEqual([]);
  });

  it("the rules of another schema show the rejected scalar, and the rule itself if it has no message", () => {
    expect(listErrorTexts(size({ rule: "self == oldSelf" }), { size: 5 }, { size: 4 })).toEqual([
      "size: Invalid value: 5: failed rule: self == oldSelf",
    ]);
  });
});
