import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../testing/src/testing/freezing.ts";
import type { Condition } from "./condition.ts";
import { formatFieldError } from "./field-error.ts";
import type { JobSpec } from "./job.ts";
import {
  type DependsOn,
  type FailurePolicy,
  type FailurePolicyRule,
  JOBSET_API_VERSION,
  JOBSET_KIND,
  type JobSet,
  type JobSetStatus,
  type StartupPolicy,
  type SuccessPolicy,
  type VolumeClaimPolicy,
} from "./jobset.ts";
import type { Parsed } from "./parsed.ts";
import { jobSetSchema, parseJobSet } from "./schema.ts";
import { everyMember } from "./testdata/every-member.ts";

const texts = (parsed: Parsed<unknown>) => (parsed.ok ? [] : parsed.errors.map(formatFieldError));

/** The compiler reports a missing entry. */
const enumerations = {
  "spec.replicatedJobs[0].dependsOn[0].status": { Ready: 0, Complete: 0 } satisfies Values<
    DependsOn["status"]
  >,
  "spec.replicatedJobs[0].template.spec.completionMode": {
    NonIndexed: 0,
    Indexed: 0,
  } satisfies Values<JobSpec["completionMode"]>,
  "spec.replicatedJobs[0].template.spec.podReplacementPolicy": {
    TerminatingOrFailed: 0,
    Failed: 0,
  } satisfies Values<JobSpec["podReplacementPolicy"]>,
  "spec.successPolicy.operator": { All: 0, Any: 0 } satisfies Values<SuccessPolicy["operator"]>,
  "spec.failurePolicy.restartStrategy": {
    Recreate: 0,
    BlockingRecreate: 0,
    InPlaceRestart: 0,
  } satisfies Values<FailurePolicy["restartStrategy"]>,
  "spec.failurePolicy.rules[0].action": {
    FailJobSet: 0,
    RestartJobSet: 0,
    RestartJobSetAndIgnoreMaxRestarts: 0,
    RestartJob: 0,
    RestartJobAndIgnoreMaxRestarts: 0,
  } satisfies Values<FailurePolicyRule["action"]>,
  "spec.startupPolicy.startupPolicyOrder": { AnyOrder: 0, InOrder: 0 } satisfies Values<
    StartupPolicy["startupPolicyOrder"]
  >,
  "spec.volumeClaimPolicies[0].retentionPolicy.whenDeleted": {
    Delete: 0,
    Retain: 0,
  } satisfies Values<NonNullable<VolumeClaimPolicy["retentionPolicy"]>["whenDeleted"]>,
  "status.terminalState": { Completed: 0, Failed: 0 } satisfies Values<
    JobSetStatus["terminalState"]
  >,
  "status.conditions[0].status": { True: 0, False: 0, Unknown: 0 } satisfies Values<
    Condition["status"]
  >,
};

type Values<T extends string | undefined> = Record<NonNullable<T>, 0>;

describe("parseJobSet", () => {
  it("parseJobSet returns the same object", () => {
    const value = aJobSet();
    const parsed = parseJobSet(value);
    expect(parsed.ok && parsed.value).toBe(value);
  });

  it("parseJobSet accepts a minimal JobSet, and one with every member", () => {
    expect(texts(parseJobSet({ ...identity, metadata: {}, spec: {} }))).toEqual([]);
    expect(texts(parseJobSet(everyMember))).toEqual([]);
  });

  it("parseJobSet accepts unknown members, and missing members with a default", () => {
    const jobSet = aJobSet();
    const spec = { ...jobSet.spec, failurePolicy: { rules: [{ action: "FailJobSet" }] }, newer: 1 };
    expect(texts(parseJobSet({ ...jobSet, spec, newer: [] }))).toEqual([]);
  });

  it("parseJobSet treats null as absent", () => {
    const metadata = { name: "train", creationTimestamp: null, labels: null };
    expect(texts(parseJobSet({ ...identity, metadata, spec: { network: null } }))).toEqual([]);
    expect(texts(parseJobSet({ ...identity, metadata: null, spec: {} }))).toEqual([
      "metadata: Required value",
    ]);
  });

  it("parseJobSet does not check Pod templates", () => {
    let deep: unknown = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
    const template = { spec: { template: { spec: deep } } };
    const spec = { replicatedJobs: [{ name: "workers", template }] };
    expect(texts(parseJobSet({ ...identity, metadata: {}, spec }))).toEqual([]);
  });

  it("parseJobSet reports all errors at once, in the order of the API's fields", () => {
    const spec = {
      replicatedJobs: [
        null,
        { name: 5, template: {}, replicas: 1.5, dependsOn: [{ name: "a", status: "Failed" }] },
        { template: { spec: { template: [] } }, replicas: 2_147_483_648 },
      ],
      successPolicy: {},
      failurePolicy: { maxRestarts: "3", rules: [{ action: 7 }, { action: null }] },
      coordinator: { replicatedJob: "a", jobIndex: Number.NaN },
    };
    const metadata = { labels: { app: 5, "example.org/tier": null } };
    expect(texts(parseJobSet({ apiVersion: "v1", kind: "JobSet", metadata, spec }))).toEqual([
      'apiVersion: Unsupported value: "v1": supported values: "jobset.x-k8s.io/v1alpha2"',
      'metadata.labels.app: Invalid value: "integer": metadata.labels.app in body must be of type string: "integer"',
      "metadata.labels[example.org/tier]: Required value",
      'spec.replicatedJobs[0]: Invalid value: "null": spec.replicatedJobs[0] in body must be of type object: "null"',
      'spec.replicatedJobs[1].name: Invalid value: "integer": spec.replicatedJobs[1].name in body must be of type string: "integer"',
      "spec.replicatedJobs[1].template.spec: Required value",
      'spec.replicatedJobs[1].replicas: Invalid value: "number": spec.replicatedJobs[1].replicas in body must be of type integer: "number"',
      'spec.replicatedJobs[1].dependsOn[0].status: Unsupported value: "Failed": supported values: "Ready", "Complete"',
      "spec.replicatedJobs[2].name: Required value",
      'spec.replicatedJobs[2].template.spec.template: Invalid value: "array": spec.replicatedJobs[2].template.spec.template in body must be of type object: "array"',
      "spec.replicatedJobs[2].replicas: Invalid value: 2147483648: must be no more than 2147483647",
      "spec.successPolicy.operator: Required value",
      'spec.failurePolicy.maxRestarts: Invalid value: "string": spec.failurePolicy.maxRestarts in body must be of type integer: "string"',
      'spec.failurePolicy.rules[0].action: Invalid value: "integer": spec.failurePolicy.rules[0].action in body must be of type string: "integer"',
      "spec.failurePolicy.rules[1].action: Required value",
      'spec.coordinator.jobIndex: Invalid value: "number": spec.coordinator.jobIndex in body must be of type integer: "number"',
    ]);
  });

  it("parseJobSet reports how many errors it omits", () => {
    const replicatedJobs = new Array(200_000).fill(null);
    expect(texts(parseJobSet({ ...aJobSet(), spec: { replicatedJobs } }))).toEqual([
      '<nil>: Invalid value: "object": has more errors than can be listed',
    ]);
  });

  it("the errors of parseJobSet contain the invalid value as the object has it", () => {
    const replicas = { not: "a number" };
    const replicatedJob = { name: "a", template: { spec: { template: {} } }, replicas };
    const parsed = parseJobSet({ ...aJobSet(), spec: { replicatedJobs: [replicatedJob] } });
    expect(!parsed.ok && parsed.errors[0].badValue).toBe(replicas);
  });

  it.each([
    [null, '<nil>: Invalid value: "null": must be of type object: "null"'],
    [[], '<nil>: Invalid value: "array": must be of type object: "array"'],
    ["JobSet", '<nil>: Invalid value: "string": must be of type object: "string"'],
    [undefined, "<nil>: Required value"],
  ])("parseJobSet rejects %j", (value, text) => {
    expect(texts(parseJobSet(value))).toEqual([text]);
  });

  it("parseJobSet checks every member of the type JobSet", () => {
    const unnoticed = listMembers(everyMember).filter((path) => {
      const errors = texts(parseJobSet(withWrongType(everyMember, path)));
      return !errors.some((text) => text.startsWith(`${path}: `));
    });
    expect(unnoticed).toEqual([]);
  });

  it.each(Object.entries(enumerations))(
    "parseJobSet accepts exactly the values of %s",
    (path, values) => {
      for (const value of Object.keys(values)) {
        expect(texts(parseJobSet(changedAt(everyMember, path, () => value)))).toEqual([]);
      }
      const list = Object.keys(values).map((value) => `"${value}"`);
      expect(texts(parseJobSet(changedAt(everyMember, path, () => "")))).toEqual([
        `${path}: Unsupported value: "": supported values: ${list.join(", ")}`,
      ]);
    },
  );

  it("parseJobSet returns a result for every JSON value, and does not change or freeze it", () => {
    fc.assert(
      fc.property(damagedJobSets(), (text) => {
        const value = JSON.parse(text);
        const parsed = parseJobSet(value);
        expect(parseJobSet(deepFreeze(JSON.parse(text)))).toEqual(parsed);
        expect(JSON.stringify(value)).toBe(text);
        expect(Object.isFrozen(value)).toBe(typeof value !== "object" || value === null);
      }),
    );
  });
});

it("jobSetSchema creates the schema once", () => {
  expect(jobSetSchema()).toBe(jobSetSchema());
});

const identity = { apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND } as const;

function aJobSet(): JobSet {
  const template = { spec: { template: { spec: { containers: [{ name: "main" }] } } } };
  const spec = { replicatedJobs: [{ name: "workers", template }] };
  return { ...identity, metadata: { name: "train" }, spec };
}

/** The paths of all members and elements that parseJobSet must read. */
function listMembers(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, member]) => {
    if (Array.isArray(value)) return listMembers(member, `${path}[${key}]`);
    return listMembers(member, path === "" ? key : `${path}.${key}`);
  });
  return path === "" ? inside : [path, ...inside];
}

/** A copy with a value of a wrong type at a path. */
function withWrongType(value: unknown, path: string): unknown {
  return changedAt(value, path, (member) => (typeof member === "number" ? "text" : 5.5));
}

/** Returns a copy in which the value at a path is changed, if the path still exists. */
function changedAt(value: unknown, path: string, change: (member: unknown) => unknown): unknown {
  const copy = JSON.parse(JSON.stringify(value));
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  const last = keys.pop() ?? "";
  const parent = keys.reduce((members, key) => members?.[key], copy);
  if (typeof parent === "object" && parent !== null) parent[last] = change(parent[last]);
  return copy;
}

/** JobSets with any JSON value in any position, as text. */
function damagedJobSets(): fc.Arbitrary<string> {
  const paths = listMembers(everyMember);
  return fc
    .array(fc.tuple(fc.constantFrom(...paths), fc.jsonValue()), { maxLength: 3 })
    .map((damages) =>
      JSON.stringify(
        damages.reduce<unknown>(
          (jobSet, [path, value]) => changedAt(jobSet, path, () => value),
          everyMember,
        ),
      ),
    );
}
