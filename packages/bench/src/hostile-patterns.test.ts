// That no pattern of a JobSet makes a webhook or a pass take long: in CPU time, beside an ordinary search for a text.
import { validateJobSetCreate } from "@jobset-ts/admission";
import { contextOf, reconcile, snapshotOf, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { aHostileJobSet, failedJobs, hostilePatterns } from "./hostile-patterns.ts";

const contexts = {
  "no quirks": contextOf({ now: "2026-11-21T12:00:00Z" }),
  "all quirks": contextOf({ now: "2026-11-21T12:00:00Z", quirks: UPSTREAM_QUIRKS }),
};

/** Of five calls the one that took least CPU time, in milliseconds. */
function cpuMs(call: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** CPU time of this machine and run: 100,000 objects to text and back. */
const objects = Array.from({ length: 100_000 }, (_, index) => ({ index, name: `n-${index}` }));
const floorMs = cpuMs(() => JSON.parse(JSON.stringify(objects)));

describe.each(Object.entries(hostilePatterns))("%s", (_, patterns) => {
  const jobSet = aHostileJobSet(patterns);
  const snapshot = snapshotOf([jobSet, ...failedJobs(jobSet, 100)], { kinds: "all" });

  it.each(Object.entries(contexts))("is validated in bounded CPU time, with %s", (_, context) => {
    const ms = cpuMs(() => validateJobSetCreate(jobSet, snapshot, context));
    expect(ms).toBeLessThan(2 * floorMs);
  });

  it.each(Object.entries(contexts))("is passed over in bounded CPU time, with %s", (_, context) => {
    const ms = cpuMs(() => {
      const { error, status } = reconcile(snapshot, jobSet, context);
      expect({ error, restarts: status?.restarts }).toEqual({ error: undefined, restarts: 1 });
    });
    expect(ms).toBeLessThan(6 * floorMs);
  });
});
