import { createContext, createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { aFollower, aLeader, createCluster, nodeA } from "../pod/testdata/zone-pods.ts";
import { review } from "./review.ts";

const context = createContext({ now: 0 });
const jobSetKind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
const podKind = { group: "", version: "v1", kind: "Pod" };

function respond(request: object, cluster = createSnapshot([]), options: object = {}) {
  const sent = {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u-1", ...request },
  };
  return review(sent, cluster, context, { stage: "validate", explainDenials: true, ...options })
    .response.response;
}

interface Container {
  readonly image: string;
  readonly token?: string;
}

function aJobSet({ image, token = "hunter2" }: Container, more: object = {}) {
  const env = [{ name: "TOKEN", value: token }];
  const containers = [{ name: "main", image, env }];
  const counts = { parallelism: 2, completions: 2, completionMode: "Indexed" };
  const template = { spec: { ...counts, template: { spec: { containers } } } };
  const workers = { name: "workers", replicas: 2, groupName: "default", template };
  const replicatedJobs = [{ ...workers, ...more }];
  return { metadata: { name: "train", namespace: "ml" }, spec: { replicatedJobs } };
}

function update(oldObject: object, object: object, options: object = {}) {
  return respond({ kind: jobSetKind, operation: "UPDATE", oldObject, object }, undefined, options);
}

const unschedulable = aLeader().withStatus({
  phase: "Pending",
  conditions: [
    {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message: "0/10 nodes are available: 10 Insufficient google.com/tpu.",
    },
  ],
});

describe("a denial with its root causes", () => {
  const follower = { kind: podKind, operation: "CREATE", object: aFollower() };
  const upstream =
    "leader pod not yet scheduled, not creating follower pod. this is an expected, transient error";
  const root = "no node can host leader js-rjob-0-0-aaaaa: insufficient google.com/tpu";

  it("the message, the causes and the audit annotations name the root cause", () => {
    const response = respond(follower, createCluster(unschedulable, nodeA));
    expect(response).toEqual({
      uid: "u-1",
      allowed: false,
      status: {
        metadata: {},
        message: `${upstream} (root cause: ${root})`,
        reason: "Forbidden",
        details: { causes: [{ reason: "insufficient-capacity", message: root, field: "" }] },
        code: 403,
      },
      auditAnnotations: {
        "root-causes": "insufficient-capacity",
        findings: "insufficient-capacity,leader-unscheduled",
      },
    });
  });

  it("a review returns upstream's exact text unless denials are explained", () => {
    const cluster = createCluster(unschedulable, nodeA);
    for (const options of [{ explainDenials: false }, { explainDenials: undefined }]) {
      expect(respond(follower, cluster, options)).toEqual({
        uid: "u-1",
        allowed: false,
        status: { metadata: {}, message: upstream, reason: "Forbidden", code: 403 },
      });
    }
  });

  it("an unknown root cause is not repeated in the message", () => {
    const unread = createSnapshot([], { readErrors: { Pod: "no route" } });
    const { status, auditAnnotations } = respond(follower, unread);
    expect(status.message).toBe("no route");
    expect(auditAnnotations).toMatchObject({ "root-causes": "one-active-leader-unknown" });
  });

  it("a denial of invalid fields keeps upstream's message and causes", () => {
    const object = aJobSet({ image: "a:1" });
    const spec = { ...object.spec, managedBy: "" };
    const request = { kind: jobSetKind, operation: "CREATE", object: { ...object, spec } };
    const explained = respond(request);
    const exact = respond(request, undefined, { explainDenials: false });
    expect(explained.status).toEqual(exact.status);
    expect(explained.auditAnnotations).toEqual({
      "root-causes": "managed-by-valid",
      findings: "managed-by-valid",
    });
  });

  it("an allowed request has no audit annotations", () => {
    const object = aJobSet({ image: "a:1" });
    const response = respond({ kind: jobSetKind, operation: "CREATE", object });
    expect(response).toMatchObject({ allowed: true });
    expect(response).not.toHaveProperty("auditAnnotations");
  });
});

describe("the denial of an update of immutable fields", () => {
  const path = "spec.replicatedJobs[0]";
  const image = `${path}.template.spec.template.spec.containers[0].image`;

  it("a changed scalar is reported with its field, its old and its new value", () => {
    const { status } = update(aJobSet({ image: "a:1" }), aJobSet({ image: "a:2" }));
    const error = 'Forbidden: field is immutable, and it was changed from "a:1" to "a:2"';
    expect(status).toMatchObject({
      message: `JobSet.jobset.x-k8s.io "train" is invalid: ${image}: ${error}`,
      reason: "Invalid",
      code: 422,
      details: { causes: [{ reason: "FieldValueForbidden", field: image, message: error }] },
    });
  });

  it("each changed field has its own error, and lists are not shown", () => {
    const old = aJobSet({ image: "a:1" }, { groupName: "g" });
    const next = aJobSet({ image: "a:2" }, { groupName: undefined, replicas: 3 });
    const { status } = update(old, next);
    expect(status.details?.causes?.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      `${path}.groupName: Forbidden: field is immutable, and "g" was removed`,
      `${image}: Forbidden: field is immutable, and it was changed from "a:1" to "a:2"`,
      `${path}.replicas: Forbidden: field is immutable, and it was changed from 2 to 3`,
    ]);
    expect(status.message).not.toMatch(/\[\{/);
    const added = { ...old, spec: { replicatedJobs: [...old.spec.replicatedJobs, { name: "x" }] } };
    expect(update(old, added).status.message).toContain(
      "spec.replicatedJobs[1]: Forbidden: field is immutable, and it was added",
    );
    expect(update(added, old).status.message).toContain("field is immutable, and it was removed");
  });

  it("a field that may change under a condition is reported with the condition", () => {
    const old = aJobSet({ image: "a:1" });
    const [job] = old.spec.replicatedJobs;
    const spec = { ...job?.template.spec, completions: 4, parallelism: 4 };
    const next = { ...old, spec: { replicatedJobs: [{ ...job, template: { spec } }] } };
    expect(update(old, next).status.message).toContain(
      "it was changed from 2 to 4; it may change only with the feature gate ElasticJobSet, which is off",
    );
  });

  it("the manager is reported with its old value", () => {
    const withManager = (managedBy: string) => {
      const object = aJobSet({ image: "a:1" });
      return { ...object, spec: { ...object.spec, managedBy } };
    };
    expect(update(withManager("a.example/x"), withManager("b.example/x")).status.message).toBe(
      'JobSet.jobset.x-k8s.io "train" is invalid: spec.managedBy: Forbidden: field is immutable, ' +
        'and it was changed from "a.example/x" to "b.example/x"',
    );
  });

  it.each([true, false])("values that may be secret are not shown: redact %s", (redact) => {
    const old = aJobSet({ image: "a:1", token: "hunter2" });
    const next = aJobSet({ image: "a:2", token: "hunter3" });
    const text = JSON.stringify(update(old, next, { redact }));
    expect(text).toContain("containers[0].env[0].value: Forbidden: field is immutable");
    expect(text).toContain('\\"a:1\\"');
    expect(text).not.toMatch(/hunter/);
  });
});
