import type { ToCreate } from "@jobset-ts/api";
import type { Job, Pod } from "@jobset-ts/api/kubernetes";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { desiredJobs } from "../desired/desired-jobs.ts";
import type { Effect, ObjectKey } from "../plan/effects.ts";

import { createApiRequest, permissionsFor } from "./api-request.ts";

const job: ObjectKey = { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "train-0" };
const pod: ObjectKey = { apiVersion: "v1", kind: "Pod", namespace: "ml", name: "train-0-x" };
const jobSet: ObjectKey = { ...job, apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" };

const metadata = { name: "train-0", uid: "u-1", resourceVersion: "7" };
const object: ToCreate<Job> = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata,
  spec: { suspend: true, template: {} },
};
const podObject: Pod = { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [] } };
const changes = [{ path: ["spec", "suspend"], value: true }];

/** The request, which must exist. */
function createRequest(effect: Effect) {
  const result = createApiRequest(effect);
  if (!result.ok) throw new Error(result.error.message);
  return result.request;
}

describe("the request of an effect", () => {
  it.each<[Effect, string, string]>([
    [
      { verb: "create", target: job, object, onExists: "Fail" },
      "POST /apis/batch/v1/namespaces/ml/jobs",
      "batch jobs create",
    ],
    [
      { verb: "update", target: job, object, changes },
      "PATCH /apis/batch/v1/namespaces/ml/jobs/train-0",
      "batch jobs patch",
    ],
    [
      { verb: "updateStatus", target: pod, object: podObject, changes: [] },
      "PATCH /api/v1/namespaces/ml/pods/train-0-x/status",
      " pods/status patch",
    ],
    [
      {
        verb: "updateStatus",
        target: jobSet,
        object: {
          apiVersion: "jobset.x-k8s.io/v1alpha2",
          kind: "JobSet",
          metadata,
          status: { restarts: 1 },
        },
        changes: [{ path: ["status"], value: { restarts: 1 } }],
      },
      "PUT /apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets/train-0/status",
      "jobset.x-k8s.io jobsets/status update",
    ],
    [
      { verb: "patch", target: job, patch: { spec: { suspend: true } } },
      "PATCH /apis/batch/v1/namespaces/ml/jobs/train-0",
      "batch jobs patch",
    ],
    [
      { verb: "delete", target: pod, propagationPolicy: "Background", onNotFound: "Fail" },
      "DELETE /api/v1/namespaces/ml/pods/train-0-x",
      " pods delete",
    ],
  ])("%j", (effect, line, permission) => {
    const { method, path } = createRequest(effect);
    expect(`${method} ${path}`).toBe(line);
    const permissions = permissionsFor(effect).map(
      ({ apiGroup, resource, verb }) => `${apiGroup} ${resource} ${verb}`,
    );
    expect(permissions).toEqual([permission]);
  });

  it("createApiRequest sends the object, or a patch with its content type", () => {
    expect(createRequest({ verb: "create", target: job, object, onExists: "Fail" })).toMatchObject({
      contentType: "application/json",
      body: object,
    });
    expect(createRequest({ verb: "patch", target: job, patch: { spec: {} } })).toMatchObject({
      contentType: "application/merge-patch+json",
      body: { spec: {} },
    });
  });

  it("createApiRequest patches only changed members of a Job or Pod, with a precondition", () => {
    const about = { uid: "u-1", resourceVersion: "7" };
    expect(createRequest({ verb: "update", target: job, object, changes })).toMatchObject({
      contentType: "application/strategic-merge-patch+json",
      body: { metadata: about, spec: { suspend: true } },
    });
    const lastTransitionTime = new Date("2026-02-07T06:56:19Z");
    const condition = [
      { path: ["status", "conditions", { type: "A" }], value: { lastTransitionTime } },
    ];
    const marks = {
      verb: "updateStatus",
      target: pod,
      object: podObject,
      changes: condition,
    } as const;
    expect(createRequest(marks).body).toEqual({
      metadata: about,
      status: { conditions: [{ type: "A", lastTransitionTime: "2026-02-07T06:56:19Z" }] },
    });
  });

  it.each(["", ".", "..", "a/b"])(
    "createApiRequest returns no request for an object named %j",
    (name) => {
      const target = { ...job, name };
      const effects: readonly Effect[] = [
        { verb: "update", target, object, changes },
        { verb: "updateStatus", target, object, changes },
        {
          verb: "updateStatus",
          target: { ...pod, namespace: name },
          object: podObject,
          changes: [],
        },
        { verb: "patch", target, patch: {} },
        { verb: "delete", target, propagationPolicy: "Background", onNotFound: "Succeed" },
        { verb: "create", target: { ...job, namespace: name }, object, onExists: "Fail" },
      ];
      for (const effect of effects) {
        expect(createApiRequest(effect)).toMatchObject({ ok: false, error: { reason: "Invalid" } });
      }
    },
  );

  it("createApiRequest rejects a key that the server would treat as a directive", () => {
    const path = ["spec", "template", "metadata", "labels", "$patch"];
    const effect: Effect = { verb: "update", target: job, object, changes: [{ path, value: "x" }] };
    expect(createApiRequest(effect)).toEqual({
      ok: false,
      error: { reason: "Invalid", message: 'Job "train-0": a key cannot start with "$"' },
    });
  });

  it("createApiRequest deletes only the intended object if its UID is known", () => {
    const effect = {
      verb: "delete",
      target: job,
      propagationPolicy: "Foreground",
      onNotFound: "Succeed",
    } as const;
    const options = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground" };
    expect(createRequest(effect).body).toEqual(options);
    expect(createRequest({ ...effect, uid: "u-1" }).body).toEqual({
      ...options,
      preconditions: { uid: "u-1" },
    });
  });
});

it("permissionsFor includes the owner's finalizers for an object that blocks its deletion", () => {
  const [created] = desiredJobs(aJobSet("train").withReplicatedJob("w"), { features: new Set() });
  const effect: Effect = {
    verb: "create",
    target: job,
    object: created ?? object,
    onExists: "Fail",
  };
  expect(permissionsFor(effect)).toContainEqual({
    apiGroup: "jobset.x-k8s.io",
    resource: "jobsets/finalizers",
    verb: "update",
  });
});
