import type { ToCreate } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { createObjectRequest } from "./object-request.ts";

const target = { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "train-w-0" };
const metadata = { namespace: "ml", name: "train-w-0" };

describe("createObjectRequest", () => {
  it("createObjectRequest sends whole objects, and marks status updates", () => {
    const object = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata,
      spec: { suspend: true },
    } as Job & ToCreate<Job>;
    const changes = [{ path: ["spec", "suspend"], value: true }];
    expect(createObjectRequest({ verb: "create", target, object, onExists: "Fail" })).toEqual({
      verb: "create",
      object,
    });
    expect(createObjectRequest({ verb: "update", target, object, changes })).toEqual({
      verb: "update",
      object,
    });
    expect(createObjectRequest({ verb: "updateStatus", target, object, changes })).toEqual({
      verb: "update",
      object,
      subresource: "status",
    });
  });

  it("createObjectRequest adds the identity to a patch and keeps its metadata", () => {
    const patch = { metadata: { labels: { a: "b" } }, spec: { parallelism: 2 } };
    expect(createObjectRequest({ verb: "patch", target, patch })).toEqual({
      verb: "patch",
      object: {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { ...metadata, labels: { a: "b" } },
        spec: { parallelism: 2 },
      },
    });
  });

  it("createObjectRequest deletes the observed object if its UID is known", () => {
    const effect = { verb: "delete", target, propagationPolicy: "Foreground" } as const;
    const request = {
      verb: "delete",
      object: { apiVersion: "batch/v1", kind: "Job", metadata },
      propagationPolicy: "Foreground",
    };
    expect(createObjectRequest({ ...effect, onNotFound: "Fail" })).toEqual(request);
    expect(createObjectRequest({ ...effect, onNotFound: "Fail", uid: "u-1" })).toEqual({
      ...request,
      preconditions: { uid: "u-1" },
    });
  });
});
