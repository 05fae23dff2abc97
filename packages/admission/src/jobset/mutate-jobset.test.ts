import { createContext, createSnapshot, type Quirk } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { decodeBase64 } from "../review/base64.ts";
import { review } from "../review/review.ts";
import { admitJobSet } from "./admit-jobset.ts";
import { mutateJobSet } from "./mutate-jobset.ts";

const context = (...quirks: readonly Quirk[]) =>
  createContext({ now: 0, quirks: new Set<Quirk>(quirks) });

const mutateObject = (object: unknown) =>
  mutateJobSet({ operation: "CREATE", object }, createSnapshot([]), context());

/** A JobSet whose spec has this number of objects, including the spec. */
function jobSetOfObjects(count: number) {
  const replicatedJobs = Array.from({ length: count - 1 }, () => ({ name: "workers-of-a-train" }));
  const metadata = { name: "train", namespace: "ml" };
  const identity = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" };
  return deepFreeze({ ...identity, metadata, spec: { replicatedJobs } });
}

const message =
  'JobSet.jobset.x-k8s.io "train" is invalid: spec: Too many: 50001: must have at most 50000 items';

describe("the decisions of the mutating webhook", () => {
  const open = { metadata: { name: "train" }, spec: {} };

  it.each([
    ["CREATE", open, "Defaulted", "fields that the JobSet does not set get their defaults"],
    ["UPDATE", open, "NotCreated", "only a new JobSet gets defaults"],
    ["DELETE", open, "NotCreated", "only a new JobSet gets defaults"],
    ["CONNECT", open, "Connection", "the request does not store a JobSet"],
  ] as const)(
    "mutateJobSet explains its decision on %s of a JobSet with open members",
    (operation, object, rule, message) => {
      const result = mutateJobSet({ operation, object }, createSnapshot([]), context());
      const changed = operation === "CREATE";
      expect(result).toMatchObject({ allowed: true, changed, decisions: [{ rule, message }] });
    },
  );

  it("mutateJobSet explains its decision on a JobSet with all defaults", () => {
    const defaulted = mutateObject(open);
    expect(mutateObject(defaulted.allowed ? defaulted.object : {})).toMatchObject({
      changed: false,
      decisions: [
        { rule: "NothingMissing", message: "the JobSet sets every field that has a default" },
      ],
    });
  });
});

describe("a new JobSet with too many objects", () => {
  it("a JobSet with too many objects gets no defaults, one at the limit does", () => {
    expect(mutateObject(jobSetOfObjects(50_000))).toMatchObject({ changed: true });
    const result = mutateObject(jobSetOfObjects(50_001));
    const roots = [{ id: "objects-countable", fieldError: { field: "spec" } }];
    expect(result).toMatchObject({ denial: { status: { message, code: 422 }, roots } });
  });

  it("objects are counted at any depth, lists are not", () => {
    const [containers, replicas] = [Array.from({ length: 49_994 }, () => ({})), [[], [[]]]];
    const podSpec = { containers };
    const job = { replicas, template: { spec: { template: { spec: podSpec } } } };
    const jobSetWith = (...more: readonly object[]) => ({
      spec: { replicatedJobs: [job, ...more] },
    });
    const isUndecodable = { denial: { status: { code: 400 } } };
    expect(mutateObject(deepFreeze(jobSetWith()))).toMatchObject(isUndecodable);
    const result = mutateObject(deepFreeze(jobSetWith({})));
    expect(result).toMatchObject({ denial: { status: { code: 422 } } });
  });

  it("a JobSet with too many objects is denied, except with the quirk", () => {
    const object = jobSetOfObjects(50_001);
    const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
    const request = { uid: "u-1", kind, operation: "CREATE", object };
    const sent = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
    const reviewWithQuirks = (...quirks: readonly Quirk[]) =>
      review(sent, createSnapshot([]), context(...quirks), { stage: "mutate" }).response.response;
    expect(reviewWithQuirks()).toMatchObject({ allowed: false, status: { message } });
    expect(reviewWithQuirks("ObjectsUncounted")).toMatchObject({ allowed: true });
    const admitted = admitJobSet({ operation: "CREATE", object }, createSnapshot([]), context());
    expect(admitted).toMatchObject({ stage: "default", denial: { status: { message } } });
  });

  it("a JobSet that contains itself does not hang the webhook", () => {
    const spec: unknown[] = [];
    spec.push(spec);
    expect(mutateObject({ spec })).toMatchObject({
      denial: { status: { code: 400 } },
    });
  });
});

describe("a new JobSet that grows too much", () => {
  const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
  const createReview = (object: unknown) => ({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u-1", kind, operation: "CREATE", object },
  });
  const mutate = (object: unknown) =>
    review(createReview(object), createSnapshot([]), context(), { stage: "mutate" }).response;

  const job = (podSpec: object) => ({
    replicatedJobs: [{ name: "w", template: { spec: { template: { spec: podSpec } } } }],
  });
  const lists: Readonly<Record<string, (elements: readonly unknown[]) => object>> = {
    ownerReferences: (ownerReferences) => ({ metadata: { name: "a", ownerReferences }, spec: {} }),
    managedFields: (managedFields) => ({ metadata: { name: "a", managedFields }, spec: {} }),
    replicatedJobs: (replicatedJobs) => ({ metadata: { name: "a" }, spec: { replicatedJobs } }),
    replicatedJobsStatus: (replicatedJobsStatus) => ({
      metadata: { name: "a" },
      spec: {},
      status: { replicatedJobsStatus },
    }),
    claims: (templates) => ({
      metadata: { name: "a" },
      spec: { volumeClaimPolicies: [{ templates }] },
    }),
    containers: (containers) => ({ metadata: { name: "a" }, spec: job({ containers }) }),
    tolerations: (tolerations) => ({
      metadata: { name: "a" },
      spec: job({ containers: [], topologySpreadConstraints: tolerations }),
    }),
  };

  it.each(
    Object.keys(lists).flatMap((list) =>
      [null, {}].flatMap((element) =>
        [200, 2_000, 10_000].map((count) => ({ list, element, count })),
      ),
    ),
  )(
    "the response of mutateJobSet has less than 30 times the bytes of $count $element in $list",
    (row) => {
      const object = lists[row.list]?.(Array(row.count).fill(row.element));
      const sent = JSON.stringify(createReview(object)).length;
      expect(JSON.stringify(mutate(object)).length).toBeLessThan(Math.max(30 * sent, 30_000));
    },
  );

  it("mutateJobSet admits null owner references with a patch that replaces their list", () => {
    const { response } = mutate(lists.ownerReferences?.(Array(10_000).fill(null)));
    const patch = JSON.parse(decodeBase64(response.patch ?? "") ?? "");
    expect(patch.map(({ path }: { path: string }) => path)).toContain("/metadata/ownerReferences");
    expect(patch.length).toBeLessThan(10);
  });

  it("mutateJobSet denies ten thousand empty ReplicatedJobs and names their field", () => {
    const object = lists.replicatedJobs?.(Array(10_000).fill({}));
    expect(mutateObject(object)).toMatchObject({
      denial: {
        status: {
          code: 422,
          message: expect.stringContaining("spec: Forbidden: lists contain empty elements"),
        },
      },
    });
  });

  it("mutateJobSet gives a thousand ReplicatedJobs with names their defaults", () => {
    const replicatedJobs = Array.from({ length: 1_000 }, (_, at) => ({ name: `workers-${at}` }));
    expect(mutateObject(lists.replicatedJobs?.(replicatedJobs))).toMatchObject({ changed: true });
  });
});
