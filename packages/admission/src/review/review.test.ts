import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { createSnapshot } from "@jobset-ts/core";
import { aJobSet, aNode, aPod } from "@jobset-ts/testing";
import { applyPatch } from "rfc6902";
import { describe, expect, it } from "vitest";
import type { AdmissionReview } from "./admission-response.ts";
import { decodeBase64 } from "./base64.ts";
import type { PatchOperation } from "./json-patch.ts";
import { reviewJson } from "./review.ts";
import {
  context,
  createReview,
  empty,
  jobSetKind,
  podKind,
  reviewRequest,
} from "./testing/reviewed-requests.ts";

const jobSet = aJobSet("js").withReplicatedJob("workers");

describe("a new JobSet", () => {
  it("review of a new JobSet returns a patch with its defaults", () => {
    const sent = { metadata: { name: "js" }, spec: { replicatedJobs: [] } };
    const { response, reviewed } = reviewRequest({ kind: jobSetKind, object: sent }, "mutate");
    expect(response).toMatchObject({ uid: "u-1", allowed: true, patchType: "JSONPatch" });
    const patch = createPatch(response);
    expect(reviewed).toMatchObject({
      outcome: "Allowed",
      patch,
      decisions: [{ rule: "Defaulted" }],
    });
    expect(new Set(patch.map(({ op }) => op))).toEqual(new Set(["add"]));
    expect(applyPatchCopy(sent, patch)).toEqual({
      metadata: { name: "js" },
      spec: {
        replicatedJobs: [],
        successPolicy: { operator: "All" },
        startupPolicy: { startupPolicyOrder: "AnyOrder" },
        network: { enableDNSHostnames: true, publishNotReadyAddresses: true },
      },
      status: { restarts: 0 },
    });
  });

  it("the patch of a new JobSet removes no members that its types would not write", () => {
    const sent = {
      metadata: { name: "js", labels: null },
      spec: { replicatedJobs: [null, { name: "w", replicas: 0, later: [] }], groupName: "" },
      later: { "a/b": null },
    };
    const patch = createPatch(reviewRequest({ kind: jobSetKind, object: sent }, "mutate").response);
    expect(patch.filter(({ op }) => op !== "add" && op !== "replace")).toEqual([]);
    expect(applyPatchCopy(sent, patch)).toMatchObject({
      ...sent,
      spec: { replicatedJobs: [{}, {}] },
    });
  });

  it("a new JobSet with all defaults gets no patch, even in another notation", () => {
    const object = {
      spec: {
        ...jobSet.spec,
        startupPolicy: { startupPolicyOrder: "AnyOrder" },
        volumeClaimPolicies: [],
      },
    };
    const { response } = reviewRequest({ kind: jobSetKind, object }, "mutate");
    expect(JSON.stringify(response)).toBe(
      '{"uid":"u-1","allowed":true,"status":{"metadata":{},"code":200}}',
    );
  });

  it("a rejected new JobSet gets exactly upstream's message", () => {
    const object = {
      ...jobSet,
      spec: {
        ...jobSet.spec,
        successPolicy: {
          operator: "All",
          targetReplicatedJobs: ["nope"],
        },
      },
    };
    const { response, reviewed } = reviewRequest({ kind: jobSetKind, object }, "validate", {
      upstream: true,
    });
    expect(JSON.stringify(response)).toBe(
      '{"uid":"u-1","allowed":false,"status":{"metadata":{},"status":"Failure","message":"JobSet.jobset.x-k8s.io \\"js\\" is invalid: <nil>: Internal error: invalid replicatedJob name \'nope\' does not appear in .spec.ReplicatedJobs","reason":"Invalid","details":{"name":"js","group":"jobset.x-k8s.io","kind":"JobSet","causes":[{"reason":"InternalError","message":"Internal error: invalid replicatedJob name \'nope\' does not appear in .spec.ReplicatedJobs","field":"<nil>"}]},"code":422}}',
    );
    expect(reviewed).toMatchObject({
      outcome: "Denied",
      denial: { roots: [{}], transient: false },
    });
  });

  it("the details of a denial omit the name of a JobSet without one", () => {
    const object = { spec: { managedBy: "" } };
    const { response } = reviewRequest({ kind: jobSetKind, object }, "validate");
    expect(response.status.details).not.toHaveProperty("name");
    expect(response.status.message).toContain('JobSet.jobset.x-k8s.io "" is invalid: ');
  });

  it.each(["mutate", "validate"] as const)(
    "a new object that is not a JobSet is denied with 400 (%s)",
    (stage) => {
      const { response } = reviewRequest(
        { kind: jobSetKind, object: { spec: { suspend: "no" } } },
        stage,
      );
      expect(response.allowed).toBe(false);
      expect(response.status).toMatchObject({
        message: 'spec.suspend: Invalid value: "no": must be true or false',
        code: 400,
      });
      expect(response.status).not.toHaveProperty("reason");
    },
  );
});

describe("a JobSet that is updated or deleted", () => {
  it("an updated or deleted JobSet gets no defaults", () => {
    const update = { kind: jobSetKind, operation: "UPDATE", object: {}, oldObject: {} };
    expect(reviewRequest(update, "mutate").response).not.toHaveProperty("patch");
  });

  it("an updated JobSet is compared with the old one", () => {
    const object = { ...jobSet, spec: { ...jobSet.spec, managedBy: "acme.io/other" } };
    const update = { kind: jobSetKind, operation: "UPDATE", object, oldObject: jobSet };
    const { status } = reviewRequest(update, "validate").response;
    expect(status.details?.causes).toMatchObject([{ field: "spec.managedBy" }]);
    expect(reviewRequest({ ...update, oldObject: object }, "validate").response.allowed).toBe(true);
  });

  it.each(["mutate", "validate"] as const)("a JobSet can be deleted (%s)", (stage) => {
    const deletion = { kind: jobSetKind, operation: "DELETE", object: null, oldObject: jobSet };
    expect(reviewRequest(deletion, stage).response).toEqual({
      uid: "u-1",
      allowed: true,
      status: { metadata: {}, code: 200 },
    });
  });
});

it("review of a deletion needs no objects, because no mutating webhook handles it", () => {
  const deletion = { kind: jobSetKind, operation: "DELETE", object: null, oldObject: null };
  expect(reviewRequest(deletion, "mutate").response.allowed).toBe(true);
});

describe("a follower under exclusive placement", () => {
  const ofJobSet = { [JOBSET_NAME_KEY]: "train" };
  const leader = aPod("train-w-0-0-abcde").exclusive("rack");
  const follower = aPod("train-w-0-1-fghij").withAnnotations(ofJobSet).exclusive("rack");
  const node = { ...aNode("n1"), metadata: { name: "n1", labels: { rack: "r-7" } } };
  const kinds = ["Pod", "Node", "Event"];

  it("a follower under exclusive placement gets the domain of its leader", () => {
    const snapshot = createSnapshot([leader.onNode("n1"), node], { kinds });
    const { response, reviewed } = reviewRequest({ kind: podKind, object: follower }, "mutate", {
      snapshot,
    });
    expect(createPatch(response)).toEqual([
      { op: "add", path: "/spec/nodeSelector", value: { rack: "r-7" } },
    ]);
    expect(reviewed).toMatchObject({ decisions: [{ rule: "DomainSelected" }] });
  });

  it("a follower under exclusive placement is denied with one sentence while its leader has no node", () => {
    const snapshot = createSnapshot([leader], { kinds });
    const { response, reviewed } = reviewRequest({ kind: podKind, object: follower }, "validate", {
      snapshot,
    });
    expect(JSON.stringify(response)).toBe(
      '{"uid":"u-1","allowed":false,"status":{"metadata":{},"message":"leader pod not yet scheduled, not creating follower pod. this is an expected, transient error","reason":"Forbidden","code":403}}',
    );
    expect(reviewed).toMatchObject({ outcome: "Denied", denial: { transient: true } });
  });

  it("a follower under exclusive placement is denied with the API server's status if the leader's node is missing", () => {
    const snapshot = createSnapshot([leader.onNode("n1")], { kinds });
    const { response } = reviewRequest({ kind: podKind, object: follower }, "mutate", { snapshot });
    expect(JSON.stringify(response.status)).toBe(
      '{"metadata":{},"status":"Failure","message":"nodes \\"n1\\" not found","reason":"NotFound","details":{"name":"n1","kind":"nodes"},"code":404}',
    );
    const cached = reviewRequest({ kind: podKind, object: follower }, "mutate", {
      snapshot,
      notFoundStyle: "cache",
    });
    expect(cached.response.status.message).toBe('Node "n1" not found');
  });

  it.each([
    ["has none", undefined],
    ["has no metadata", ""],
    ["has another one", "kube-system"],
  ])("review uses the namespace of the request if the object %s itself", (_, namespace) => {
    const snapshot = createSnapshot([leader.onNode("n1"), node], { kinds });
    const object = { ...follower, metadata: { ...follower.metadata, namespace } };
    const request = { kind: podKind, namespace: "default", object };
    const { response } = reviewRequest(request, "mutate", { snapshot });
    // The API server fills in the namespace.
    expect(createPatch(response)).toEqual([
      { op: "add", path: "/spec/nodeSelector", value: { rack: "r-7" } },
    ]);
    const placed = { ...object, spec: { ...follower.spec, nodeSelector: { rack: "r-7" } } };
    const { reviewed } = reviewRequest({ ...request, object: placed }, "validate", { snapshot });
    expect(reviewed.outcome).toBe("Allowed");
  });

  it("a follower under exclusive placement can be updated and deleted", () => {
    const update = { kind: podKind, operation: "UPDATE", object: follower, oldObject: follower };
    expect(reviewRequest(update, "validate").response.allowed).toBe(true);
    const deletion = { kind: podKind, operation: "DELETE", object: null, oldObject: follower };
    expect(reviewRequest(deletion, "validate").response.allowed).toBe(true);
    expect(reviewRequest(deletion, "mutate").response.allowed).toBe(true);
  });

  it("review rejects an object that is not a Pod with 400", () => {
    const { response } = reviewRequest(
      { kind: podKind, object: { spec: { nodeName: 5 } } },
      "mutate",
    );
    expect(response.status).toMatchObject({
      message: "spec.nodeName: Invalid value: 5: must be a string",
      code: 400,
    });
  });
});

describe("a Pod that is updated", () => {
  it("the mutating webhook accepts a Pod update whose old object is not a Pod", () => {
    const object = aPod("train-w-0-0-abcde");
    const oldObject = { spec: { nodeName: 5 } };
    const update = { kind: podKind, operation: "UPDATE", object, oldObject };
    expect(reviewRequest(update, "mutate").response.allowed).toBe(true);
    expect(reviewRequest(update, "validate").response.status).toMatchObject({
      message: "spec.nodeName: Invalid value: 5: must be a string",
      code: 400,
    });
  });
});

describe("reviewJson", () => {
  it("reviewJson reads and returns text", () => {
    const text = JSON.stringify(createReview({ kind: jobSetKind, object: jobSet }));
    expect(reviewJson(text, empty, context, { stage: "validate" })).toBe(
      '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u-1","allowed":true,"status":{"metadata":{},"code":200}}}',
    );
  });

  it.each([
    ["hunter2", "expected an AdmissionReview in JSON, but the text is not JSON"],
    ["", "expected an AdmissionReview in JSON, but the text is empty"],
    ["null", "expected an AdmissionReview in JSON, but found null"],
  ])("reviewJson reports the error in %j without quoting it", (text, message) => {
    const { response } = JSON.parse(reviewJson(text, empty, context, { stage: "mutate" }));
    expect(response).toMatchObject({ uid: "", allowed: false, status: { code: 400, message } });
  });

  it("reviewJson rejects values that are nested too deeply", () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const object = JSON.stringify({ spec: { replicatedJobs: [] } }).replace(
      "{",
      `{"later":${deep},`,
    );
    const text = JSON.stringify(createReview({ kind: jobSetKind, object: {} })).replace(
      '"object":{}',
      `"object":${object}`,
    );
    for (const stage of ["mutate", "validate"] as const) {
      expect(JSON.parse(reviewJson(text, empty, context, { stage })).response.allowed).toBe(true);
    }
  });
});

function createPatch({ patch = "" }: AdmissionReview["response"]): readonly PatchOperation[] {
  return JSON.parse(decodeBase64(patch) ?? "");
}

function applyPatchCopy(object: object, patch: readonly PatchOperation[]): unknown {
  const copy = JSON.parse(JSON.stringify(object));
  expect(applyPatch(copy, JSON.parse(JSON.stringify(patch))).filter(Boolean)).toEqual([]);
  return copy;
}
