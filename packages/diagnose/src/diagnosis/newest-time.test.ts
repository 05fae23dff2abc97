import { snapshotOf } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { newestTime } from "./newest-time.ts";

const created = "2026-02-07T10:00:00Z";
const at = (time: string) => Date.parse(time);

describe("the newest time in a snapshot", () => {
  it("is that of any object, also in a list or a condition", () => {
    const condition = { type: "Ready", lastHeartbeatTime: "2026-02-07T10:00:07Z" };
    const node = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n1", creationTimestamp: created },
      status: { conditions: [condition] },
    };
    expect(newestTime(snapshotOf([node]))).toBe(at(condition.lastHeartbeatTime));
  });

  it("does not lie ahead by the grace period of a deletion", () => {
    const metadata = {
      name: "p",
      namespace: "ml",
      creationTimestamp: created,
      deletionTimestamp: "2026-02-07T10:01:30Z",
      deletionGracePeriodSeconds: 30,
    };
    const pod = { apiVersion: "v1", kind: "Pod", metadata };
    expect(newestTime(snapshotOf([pod]))).toBe(at("2026-02-07T10:01:00Z"));
  });

  it("is none where no object tells any", () => {
    expect(newestTime(snapshotOf([]))).toBeUndefined();
  });
});
