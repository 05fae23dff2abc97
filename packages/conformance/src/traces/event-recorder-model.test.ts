import { describe, expect, it } from "vitest";
import { EventRecorderModel, type StoredEvent } from "./event-recorder-model.ts";

const MINUTE = 60_000;

function createEvents(count: number, first = 0) {
  return Array.from({ length: count }, (_, at) => reportEvent(`Created pod: j-${first + at}`));
}

function reportEvent(message: string, reason = "SuccessfulCreate", about = "uid") {
  return { about, type: "Normal", reason, message };
}

function all(correlator: EventRecorderModel, events: ReturnType<typeof createEvents>, now = 0) {
  return events.map((event) => correlator.record(event, now));
}

const formatEvent = (event: StoredEvent | undefined) => event && `${event.count} ${event.message}`;

describe("the correlation of Events about an object", () => {
  it("equal Events are counted", () => {
    const stored = all(new EventRecorderModel(), [
      reportEvent("a"),
      reportEvent("b"),
      reportEvent("a"),
    ]);
    expect(stored.map(formatEvent)).toEqual(["1 a", "1 b", "2 a"]);
    expect(stored[2]?.key).toBe(stored[0]?.key);
  });

  it("Events are combined from the tenth message of a kind until ten minutes pass without one", () => {
    const correlator = new EventRecorderModel();
    const stored = all(correlator, createEvents(12));
    expect(stored.slice(7).map(formatEvent)).toEqual([
      "1 Created pod: j-7",
      "1 Created pod: j-8",
      "1 (combined from similar events): Created pod: j-9",
      "2 (combined from similar events): Created pod: j-10",
      "3 (combined from similar events): Created pod: j-11",
    ]);
    const [second, other] = all(correlator, [
      reportEvent("Created pod: j-3"),
      reportEvent("Deleted", "Deleted"),
    ]);
    expect([second, other].map(formatEvent)).toEqual(["2 Created pod: j-3", "1 Deleted"]);
    const [late] = all(correlator, createEvents(1, 12), 10 * MINUTE);
    expect(formatEvent(late)).toBe("4 (combined from similar events): Created pod: j-12");
    const [later] = all(correlator, createEvents(1, 13), 20 * MINUTE + 1);
    expect(formatEvent(later)).toBe("1 Created pod: j-13");
  });

  it("Events after the 25th are dropped except for one in five minutes, whose count includes them", () => {
    const correlator = new EventRecorderModel();
    const stored = all(correlator, createEvents(27));
    expect(stored.map((event) => event !== undefined)).toEqual([
      ...Array(25).fill(true),
      false,
      false,
    ]);
    expect(
      correlator.record(reportEvent("Created pod: k-0", "SuccessfulCreate", "other"), 0),
    ).toBeDefined();
    expect(all(correlator, createEvents(1, 27), 5 * MINUTE - 1)).toEqual([undefined]);
    expect(all(correlator, createEvents(2, 28), 5 * MINUTE).map(formatEvent)).toEqual([
      "20 (combined from similar events): Created pod: j-28",
      undefined,
    ]);
  });
});
