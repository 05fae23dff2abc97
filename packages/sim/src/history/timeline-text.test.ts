import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "./history.ts";
import { timelineText } from "./timeline-text.ts";

const about = { actor: "manager", kind: "JobSet", namespace: "ml", name: "train" };

/** The same Event at some times. */
function eventsAt(...times: readonly number[]): readonly HistoryEntry[] {
  return times.map((at) => ({ at, ...about, what: "Event", text: "Started: admitted" }));
}

describe("timelineText", () => {
  it("calls an Event one", () => {
    expect(timelineText(eventsAt(1500))).toBe(
      "    1.500s  manager  event on JobSet train: Started: admitted\n",
    );
  });

  it("says once of an object that was created that it was", () => {
    const created = { at: 0, ...about, what: "Created" as const, text: "created" };
    expect(timelineText([created])).toBe("    0.000s  manager  created JobSet train\n");
    const suspended = timelineText([{ ...created, text: "to be suspended" }]);
    expect(suspended).toMatch(/created JobSet train: to be suspended\n$/);
  });

  it("says in one line how often an Event came again, and when at last", () => {
    expect(timelineText(eventsAt(1500, 2625))).toMatch(/admitted \(once more, at 2\.625s\)\n$/);
    expect(timelineText(eventsAt(1500, 2625, 4000))).toMatch(
      /admitted \(2 more times, the last at 4\.000s\)\n$/,
    );
  });
});
