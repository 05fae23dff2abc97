import type { New } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { objectRequestOf } from "./object-request.ts";

const target = { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "train-w-0" };
const metadata = { namespace: "ml", name: "train-w-0" };

describe("objectRequestOf", () => {
  it("sends whole objects as they are to be, and says when only the status is meant", () => {
    const object = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata,
      spec: { suspend: true },
    } as Job & New<Job>;
    const changes = [{ path: ["spec", "suspend"], value: true }];
    expect(objectRequestOf({ verb: "create", target, object, whenExists: "Fail" })).toEqual({
      verb: "create",
      object,
    });
    expect(objectRequestOf({ verb: "update", target, object, changes })).toEqual({
      verb: "update",
      object,
    });
    expect(objectRequestOf({ verb: "updateStatus", target, object, changes })).toEqual({
      verb: "update",
      object,
      subresource: "status",
    });
  });

  it("says of a patch which object it is for, and keeps what it says of the metadata", () => {
    const patch = { metadata: { labels: { a: "b" } }, spec: { parallelism: 2 } };
    expect(objectRequestOf({ verb: "patch", target, patch })).toEqual({
      verb: "patch",
      object: {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { ...metadata, labels: { a: "b" } },
        spec: { parallelism: 2 },
      },
    });
  });

  it("asks to delete the object that was seen, where its UID is known", () => {
    const effect = { verb: "delete", target, propagationPolicy: "Foreground" } as const;
    const request = {
      verb: "delete",
      object: { apiVersion: "batch/v1", kind: "Job", metadata },
      propagationPolicy: "Foreground",
    };
    expect(objectRequestOf({ ...effect, whenGone: "Fail" })).toEqual(request);
    expect(objectRequestOf({ ...effect, whenGone: "Fail", uid: "u-1" })).toEqual({
      ...request,
      preconditions: { uid: "u-1" },
    });
  });
});
