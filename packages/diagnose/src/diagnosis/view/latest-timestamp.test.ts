import { createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { latestTimestamp } from "./latest-timestamp.ts";

const created = "2026-02-07T10:00:00Z";
const at = (time: string) => Date.parse(time);

describe("latestTimestamp", () => {
  it("latestTimestamp reads all objects, including lists and conditions", () => {
    const condition = { type: "Ready", lastHeartbeatTime: "2026-02-07T10:00:07Z" };
    const node = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n1", creationTimestamp: created },
      status: { conditions: [condition] },
    };
    expect(latestTimestamp(createSnapshot([node]))).toBe(at(condition.lastHeartbeatTime));
  });

  it("latestTimestamp subtracts the grace period of a deletion", () => {
    const metadata = {
      name: "p",
      namespace: "ml",
      creationTimestamp: created,
      deletionTimestamp: "2026-02-07T10:01:30Z",
      deletionGracePeriodSeconds: 30,
    };
    const pod = { apiVersion: "v1", kind: "Pod", metadata };
    expect(latestTimestamp(createSnapshot([pod]))).toBe(at("2026-02-07T10:01:00Z"));
  });

  it("latestTimestamp ignores times in the future unless all are", () => {
    const times = ["2026-02-07T10:00:07Z", "2026-02-07T10:00:08Z", "2027-01-01T00:00:00Z"];
    const conditions = times.map((lastHeartbeatTime, at) => ({ type: `${at}`, lastHeartbeatTime }));
    const metadata = { name: "n1", creationTimestamp: created };
    const snapshot = createSnapshot([
      { apiVersion: "v1", kind: "Node", metadata, status: { conditions } },
    ]);
    const newest = (notAfter: number) => latestTimestamp(snapshot, { notAfter });
    expect(newest(at("2026-02-07T10:00:08Z"))).toBe(at("2026-02-07T10:00:08Z"));
    expect(newest(at("2026-02-07T10:00:08Z") - 1)).toBe(at("2026-02-07T10:00:07Z"));
    expect(newest(at(created))).toBe(at(created));
    expect(newest(at(created) - 1)).toBe(at("2027-01-01T00:00:00Z"));
  });

  it("latestTimestamp is undefined without timestamps", () => {
    expect(latestTimestamp(createSnapshot([]))).toBeUndefined();
  });
});
