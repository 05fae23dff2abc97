import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { createReportedEvent } from "./jobset-event.ts";

const now = Date.UTC(2026, 10, 22, 10, 0, 0, 7);
const settings = { now, reportingInstance: "jobset-0", suffix: "1a" };
const planned = { type: "Warning", reason: "JobCreationFailed", message: "no" } as const;

describe("an Event about a JobSet", () => {
  it("an Event names the JobSet, its version, the controller, and the time with microseconds", () => {
    const train = aJobSet("train");
    const observed = { ...train, metadata: { ...train.metadata, resourceVersion: "7" } };
    expect(createReportedEvent(observed, planned, settings)).toEqual({
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "train.1a", namespace: "default" },
      eventTime: "2026-11-22T10:00:00.007000Z",
      reportingController: "jobset",
      reportingInstance: "jobset-0",
      action: "Reconciling",
      reason: "JobCreationFailed",
      regarding: {
        apiVersion: "jobset.x-k8s.io/v1alpha2",
        kind: "JobSet",
        namespace: "default",
        name: "train",
        uid: "train-uid",
        resourceVersion: "7",
      },
      note: "no",
      type: "Warning",
    });
  });

  it("an Event's note is truncated at 1024 bytes, between characters", () => {
    const { note } = createReportedEvent(
      aJobSet("train"),
      { ...planned, message: `${"a".repeat(1023)}é` },
      settings,
    );
    expect(note).toBe("a".repeat(1023));
  });
});
