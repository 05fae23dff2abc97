import { createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { countPods } from "./census.ts";
import type { PodCensusOptions } from "./census-configuration.ts";
import type { ScheduleAttempts } from "./schedule-attempts.ts";

const NO_NODES = "0/1 nodes are available: 1 Insufficient cpu.";

const pod = (name: string, uid = `${name}-uid`) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "ml", uid },
  status: { phase: "Pending" },
});

/** Creates an Event of group `v1` about a Pod. */
function coreEvent(about: string, serial: number, members: object = {}) {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${about}.${serial}`, namespace: "ml" },
    involvedObject: { kind: "Pod", namespace: "ml", name: about, uid: `${about}-uid` },
    reason: "FailedScheduling",
    message: NO_NODES,
    lastTimestamp: "2026-02-07T06:56:19Z",
    ...members,
  };
}

/** Creates the same Event in group `events.k8s.io/v1`. */
function newEvent(about: string, serial: number, members: object = {}) {
  return {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: `${about}.${serial}`, namespace: "ml" },
    regarding: { kind: "Pod", namespace: "ml", name: about, uid: `${about}-uid` },
    reason: "FailedScheduling",
    note: NO_NODES,
    eventTime: "2026-02-07T06:56:19.000000Z",
    ...members,
  };
}

function countAttempts(
  objects: readonly unknown[],
  options: PodCensusOptions = {},
): ScheduleAttempts {
  const taken = countPods(createSnapshot(objects, { kinds: "all" }), options);
  if (!taken.ok) throw new Error(taken.message);
  return taken.census.attempts;
}

describe("scheduleAttempts", () => {
  it("scheduleAttempts reads both API groups with the same result", () => {
    const attempts = countAttempts([pod("a"), coreEvent("a", 1)]);
    expect(attempts).toEqual({
      outcome: "Failed",
      attempts: [
        { namespace: "ml", name: "a", message: NO_NODES, count: 1, lastAt: 1770447379000 },
      ],
      omittedCount: 0,
    });
    expect(countAttempts([pod("a"), newEvent("a", 1)])).toEqual(attempts);
  });

  it("scheduleAttempts counts an Event once if both API groups return it", () => {
    const both = [pod("a"), coreEvent("a", 1), newEvent("a", 1)];
    expect(countAttempts(both)).toEqual(countAttempts([pod("a"), coreEvent("a", 1)]));
  });

  it("scheduleAttempts merges entries per Pod and message with all counts and the latest time", () => {
    const attempts = countAttempts([
      pod("a"),
      coreEvent("a", 1, { count: 3, lastTimestamp: "2026-02-07T06:56:30Z" }),
      newEvent("a", 2, { series: { count: 4, lastObservedTime: "2026-02-07T06:56:20.000000Z" } }),
      newEvent("a", 3, { deprecatedCount: 5, deprecatedLastTimestamp: "2026-02-07T06:56:10Z" }),
      coreEvent("a", 4, { message: "another" }),
    ]);
    expect(attempts).toMatchObject({
      attempts: [{ message: "another" }, { count: 12, lastAt: 1770447390000 }],
    });
  });

  it("scheduleAttempts uses the time of the series, otherwise the last, first or creation time", () => {
    const [series, last, first, created] = [4, 3, 2, 1].map(
      (second) => `2026-02-07T06:56:0${second}Z`,
    );
    const times = [
      { series: { lastObservedTime: series }, lastTimestamp: last, eventTime: first },
      { lastTimestamp: last, eventTime: first },
      { lastTimestamp: null, eventTime: first },
      { lastTimestamp: null },
    ];
    const lastAt = times.map((members) => {
      const { metadata, ...event } = coreEvent("a", 1, members);
      const timed = { ...event, metadata: { ...metadata, creationTimestamp: created } };
      const attempts = countAttempts([pod("a"), timed]);
      return attempts.outcome === "Failed" && attempts.attempts[0]?.lastAt;
    });
    expect(lastAt).toEqual([4, 3, 2, 1].map((second) => 1770447360000 + second * 1000));
  });

  it("scheduleAttempts sorts by time, puts entries without a time first, and omits the oldest", () => {
    const untimed = { lastTimestamp: null };
    const events = [
      coreEvent("b", 1, untimed),
      coreEvent("a", 1, { lastTimestamp: "2026-02-07T06:56:21Z" }),
      coreEvent("c", 1, { lastTimestamp: null, eventTime: "2026-02-07T06:56:20.500000Z" }),
      coreEvent("d", 1),
    ];
    const objects = [pod("a"), pod("b"), pod("c"), pod("d"), ...events];
    const names = (options: PodCensusOptions) => {
      const attempts = countAttempts(objects, options);
      return attempts.outcome === "Failed" && attempts.attempts.map(({ name }) => name);
    };
    expect(names({})).toEqual(["b", "d", "c", "a"]);
    expect(names({ maxEvents: 2 })).toEqual(["c", "a"]);
    expect(countAttempts(objects, { maxEvents: 2 })).toMatchObject({ omittedCount: 2 });
    expect(names({ maxEvents: 0 })).toEqual([]);
  });

  it("scheduleAttempts ignores other reasons, other Pods, other kinds, and an earlier Pod of the same name", () => {
    const about = { kind: "Pod", namespace: "ml", name: "a" };
    const others = [
      coreEvent("a", 1, { reason: "FailedMount" }),
      coreEvent("b", 1),
      coreEvent("a", 2, { involvedObject: { ...about, kind: "Job" } }),
      coreEvent("a", 3, { involvedObject: { ...about, uid: "another" } }),
    ];
    expect(countAttempts([pod("a"), ...others])).toEqual({ outcome: "NotTried" });
    const byName = coreEvent("a", 4, { involvedObject: about });
    expect(countAttempts([pod("a"), byName]).outcome).toBe("Failed");
  });

  it("scheduleAttempts is Unknown without Events, and NothingToSchedule without unscheduled Pods", () => {
    const unread = countPods(createSnapshot([pod("a")]));
    expect(unread.ok && unread.census.attempts).toEqual({
      outcome: "Unknown",
      message: "objects of kind Event were not read",
    });
    const rejected = countPods(
      createSnapshot([pod("a")], { readErrors: { Event: "events is forbidden" } }),
    );
    expect(rejected.ok && rejected.census.attempts).toEqual({
      outcome: "Unknown",
      message: "events is forbidden",
    });
    const bound = { ...pod("a"), status: { phase: "Running" } };
    expect(countAttempts([bound, coreEvent("a", 1)])).toEqual({ outcome: "NothingToSchedule" });
  });

  it("scheduleAttempts accepts a snapshot with Events of one API group only", () => {
    const snapshot = createSnapshot([pod("a")], { kinds: ["Event.events.k8s.io"] });
    const taken = countPods(snapshot);
    expect(taken.ok && taken.census.attempts).toEqual({ outcome: "NotTried" });
  });
});
