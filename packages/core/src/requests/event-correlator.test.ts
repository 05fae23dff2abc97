import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { Effect } from "../plan/effects.ts";

import { type ApiRequest, createApiRequest } from "./api-request.ts";
import { EventCorrelator, type EventReport } from "./event-correlator.ts";

const MINUTE = 60_000;
const start = Date.UTC(2026, 10, 22, 10, 0, 0, 7);
const failed = { type: "Warning", reason: "JobCreationFailed", message: "no" } as const;

function anEventCorrelator(maxSeries?: number): EventCorrelator {
  return new EventCorrelator({ reportingInstance: "jobset-0", maxSeries });
}

/** One version of a JobSet. */
function version(resourceVersion: string, name = "train") {
  const jobSet = aJobSet(name);
  return { ...jobSet, metadata: { ...jobSet.metadata, resourceVersion } };
}

const train = version("7");

/** Returns the Events as `<JobSet> <note>`, with the count of a series. */
function summarizeReports(reports: readonly EventReport[]): readonly string[] {
  return reports.map(({ event: { regarding, note, series } }) => {
    const count = series === undefined ? "" : ` ${series.count}`;
    return `${regarding.name} ${note}${count}`;
  });
}

function createRequest(effect: Effect | undefined): ApiRequest | undefined {
  const result = effect && createApiRequest(effect);
  return result?.ok ? result.request : undefined;
}

/** An occurrence that repeats at this interval in minutes: all requests, each with its minute. */
function listRequestMinutes(
  events: EventCorrelator,
  { everyMinutes, times }: { readonly everyMinutes: number; readonly times: number },
): readonly string[] {
  return Array.from({ length: times }, (_, index) => index * everyMinutes).flatMap((minute) =>
    summarizeReports(events.report(train, failed, start + minute * MINUTE)).map(
      (report) => `${minute}: ${report}`,
    ),
  );
}

describe("first Events", () => {
  it("a first occurrence creates an Event about the current version of the object", () => {
    const [report, ...others] = anEventCorrelator().report(train, failed, start);
    expect(others).toEqual([]);
    expect(report?.event).toMatchObject({
      metadata: { namespace: "default", name: expect.stringMatching(/^train\.[0-9a-f]+$/) },
      eventTime: "2026-11-22T10:00:00.007000Z",
      reportingInstance: "jobset-0",
      regarding: { name: "train", resourceVersion: "7" },
    });
    expect(report?.onNotFound).toBeUndefined();
    expect(createRequest(report?.effect)).toEqual({
      method: "POST",
      path: "/apis/events.k8s.io/v1/namespaces/default/events",
      contentType: "application/json",
      body: report?.event,
    });
  });

  it("each Event has its own name, however many are created at once", () => {
    const events = anEventCorrelator();
    const names = Array.from({ length: 100 }, (_, index) => {
      const [report] = events.report(version(`${index}`), failed, start);
      return report?.event.metadata.name;
    });
    expect(new Set(names).size).toBe(100);
  });
});

describe("repeated Events", () => {
  it("a repeated Event is counted at once, in the existing Event or in a new one if that is gone", () => {
    const events = anEventCorrelator();
    const [first] = events.report(train, failed, start);
    const [second, ...others] = events.report(train, failed, start + 500);
    expect(others).toEqual([]);
    const series = { count: 2, lastObservedTime: "2026-11-22T10:00:00.507000Z" };
    expect(second?.event).toEqual({ ...first?.event, series });
    const path = `/apis/events.k8s.io/v1/namespaces/default/events/${first?.event.metadata.name}`;
    expect(createRequest(second?.effect)).toMatchObject({
      method: "PATCH",
      path,
      body: { series },
    });
    const recreated = { method: "POST", body: { ...first?.event, series } };
    expect(createRequest(second?.onNotFound)).toMatchObject(recreated);
  });

  it("occurrences with changing messages form one series with the first message", () => {
    const events = anEventCorrelator();
    const reports = ["used: 1", "used: 2", "used: 3"].flatMap((message) =>
      events.report(train, { ...failed, message }, start),
    );
    expect(summarizeReports(reports)).toEqual(["train used: 1", "train used: 1 2"]);
  });

  it("an occurrence about another version of the object is another Event", () => {
    const events = anEventCorrelator();
    const reports = ["7", "8", "9"].flatMap((one) => events.report(version(one), failed, start));
    expect(summarizeReports(reports)).toEqual(["train no", "train no", "train no"]);
  });

  it.each([
    ["another object", version("7", "other"), failed],
    ["another object with the same name", aJobSet("train").withUid("other"), failed],
    ["another reason", train, { ...failed, reason: "PVCCreationFailed" }],
    ["another type", train, { ...failed, type: "Normal" } as const],
  ])("an occurrence about %s is another Event", (_, regarding, planned) => {
    const events = anEventCorrelator();
    events.report(train, failed, start);
    const [report] = events.report(regarding, planned, start);
    expect(report?.event).not.toHaveProperty("series");
  });
});

describe("a series that continues", () => {
  it("a continuing series is updated every half hour", () => {
    expect(listRequestMinutes(anEventCorrelator(), { everyMinutes: 5, times: 20 })).toEqual([
      "0: train no",
      "5: train no 2",
      "35: train no 8",
      "65: train no 14",
      "95: train no 20",
    ]);
  });

  it("a continuing series is updated to the millisecond", () => {
    const events = anEventCorrelator();
    listRequestMinutes(events, { everyMinutes: 5, times: 7 });
    const due = start + 35 * MINUTE;
    expect(events.nextDue).toBe(due);
    expect(events.due(due - 1)).toEqual([]);
    const reports = events.due(due);
    expect(summarizeReports(reports)).toEqual(["train no 7"]);
    expect(reports[0]?.event.series?.lastObservedTime).toBe("2026-11-22T10:30:00.007000Z");
    expect(events.due(due)).toEqual([]);
    // From here on, the next Event is due six minutes after the last counted occurrence.
    expect(events.nextDue).toBe(start + 36 * MINUTE);
  });
});

describe("six minutes without a repeat", () => {
  it("the end of a series reports its count", () => {
    const events = anEventCorrelator();
    listRequestMinutes(events, { everyMinutes: 1, times: 4 });
    const end = start + 9 * MINUTE;
    expect(events.nextDue).toBe(end);
    expect(events.due(end - 1)).toEqual([]);
    expect(summarizeReports(events.due(end))).toEqual(["train no 4"]);
    expect(events.nextDue).toBeUndefined();
    expect(summarizeReports(events.report(train, failed, end))).toEqual(["train no"]);
  });

  it.each([1, 2])("an Event that happened %i times is not sent again at the end", (times) => {
    const events = anEventCorrelator();
    listRequestMinutes(events, { everyMinutes: 0, times });
    expect(events.nextDue).toBe(start + 6 * MINUTE);
    expect(events.due(start + 6 * MINUTE)).toEqual([]);
    expect(events.nextDue).toBeUndefined();
  });

  it("a repeat after the series has expired is a new Event", () => {
    const events = anEventCorrelator();
    listRequestMinutes(events, { everyMinutes: 0, times: 3 });
    expect(summarizeReports(events.report(train, failed, start + 6 * MINUTE - 1))).toEqual([]);
    const later = start + 12 * MINUTE - 1;
    expect(summarizeReports(events.report(train, failed, later))).toEqual([
      "train no 4",
      "train no",
    ]);
  });
});

describe("too many series", () => {
  it("a full correlator drops the least recent series and reports its count", () => {
    const events = anEventCorrelator(2);
    for (const name of ["a", "a", "a", "b", "a"]) events.report(version("7", name), failed, start);
    expect(summarizeReports(events.report(version("7", "c"), failed, start))).toEqual(["c no"]);
    expect(summarizeReports(events.report(version("7", "d"), failed, start))).toEqual([
      "d no",
      "a no 4",
    ]);
  });
});

it("an empty correlator has no next due time", () => {
  expect(anEventCorrelator().nextDue).toBeUndefined();
  expect(anEventCorrelator().due(start)).toEqual([]);
});
