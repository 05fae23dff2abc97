import { aJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { Effect, ObjectKey } from "../plan.ts";
import { apiRequestOf, collectionPath, objectPath, permissionsFor } from "./api-request.ts";

const job: ObjectKey = { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "train-0" };
const pod: ObjectKey = { apiVersion: "v1", kind: "Pod", namespace: "ml", name: "train-0-x" };
const object = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "train-0" } };

describe("the request of an effect", () => {
  it.each<[Effect, string, string]>([
    [
      { verb: "create", target: job, object, whenExists: "Fail" },
      "POST /apis/batch/v1/namespaces/ml/jobs",
      "batch jobs create",
    ],
    [
      { verb: "update", target: job, object, changes: [] },
      "PUT /apis/batch/v1/namespaces/ml/jobs/train-0",
      "batch jobs update",
    ],
    [
      { verb: "updateStatus", target: pod, object, changes: [] },
      "PUT /api/v1/namespaces/ml/pods/train-0-x/status",
      " pods/status update",
    ],
    [
      { verb: "patch", target: job, patch: { spec: { suspend: true } } },
      "PATCH /apis/batch/v1/namespaces/ml/jobs/train-0",
      "batch jobs patch",
    ],
    [
      { verb: "delete", target: pod, propagationPolicy: "Background", whenGone: "Fail" },
      "DELETE /api/v1/namespaces/ml/pods/train-0-x",
      " pods delete",
    ],
  ])("%j", (effect, line, permission) => {
    const { method, path } = apiRequestOf(effect);
    expect(`${method} ${path}`).toBe(line);
    const permissions = permissionsFor(effect).map(
      ({ apiGroup, resource, verb }) => `${apiGroup} ${resource} ${verb}`,
    );
    expect(permissions).toEqual([permission]);
  });

  it("carries the object, or the patch with its own content type", () => {
    expect(apiRequestOf({ verb: "create", target: job, object, whenExists: "Fail" })).toMatchObject(
      {
        contentType: "application/json",
        body: object,
      },
    );
    expect(apiRequestOf({ verb: "patch", target: job, patch: { spec: {} } })).toMatchObject({
      contentType: "application/merge-patch+json",
      body: { spec: {} },
    });
  });

  it("deletes only the object that was meant, when its UID is known", () => {
    const effect = {
      verb: "delete",
      target: job,
      propagationPolicy: "Foreground",
      whenGone: "Succeed",
    } as const;
    const options = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground" };
    expect(apiRequestOf(effect).body).toEqual(options);
    expect(apiRequestOf({ ...effect, uid: "u-1" }).body).toEqual({
      ...options,
      preconditions: { uid: "u-1" },
    });
  });
});

it("takes the right to the owner's finalizers to create what blocks its deletion", () => {
  const effect: Effect = {
    verb: "create",
    target: job,
    object: aJob("train-w-0"),
    whenExists: "Fail",
  };
  expect(permissionsFor(effect)).toContainEqual({
    apiGroup: "jobset.x-k8s.io",
    resource: "jobsets/finalizers",
    verb: "update",
  });
});

describe("a path", () => {
  it("spans all namespaces without one", () => {
    expect(collectionPath({ ...job, namespace: "" })).toBe("/apis/batch/v1/jobs");
  });

  it("cannot be left by a name", () => {
    expect(objectPath({ ...pod, namespace: "a/b", name: "../secrets?x" })).toBe(
      "/api/v1/namespaces/a%2Fb/pods/..%2Fsecrets%3Fx",
    );
  });
});
