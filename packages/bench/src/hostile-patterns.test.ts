// Tests that no pattern in a JobSet makes a webhook or a pass slow. It compares CPU times with a plain text search.
import { validateJobSet } from "@jobset-ts/admission";
import { createContext, createSnapshot, reconcile, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { aHostileJobSet, failedJobs, hostilePatterns } from "./hostile-patterns.ts";

const contexts = {
  "no quirks": createContext({ now: "2026-11-21T12:00:00Z" }),
  "all quirks": createContext({ now: "2026-11-21T12:00:00Z", quirks: UPSTREAM_QUIRKS }),
};

/** Returns the CPU time of a call in milliseconds. */
function cpuMs(call: () => unknown): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Makes up to five calls until one is fast enough, because other load on the machine affects CPU time, too. */
function expectWithin(maxMs: number, call: () => unknown): void {
  const times: number[] = [];
  do times.push(cpuMs(call));
  while (Math.min(...times) >= maxMs && times.length < 5);
  expect(Math.min(...times)).toBeLessThan(maxMs);
}

/** The reference CPU time of this machine: 100,000 objects serialized and parsed. */
const objects = Array.from({ length: 100_000 }, (_, index) => ({ index, name: `n-${index}` }));
const floorMs = Math.min(
  ...Array.from({ length: 5 }, () => cpuMs(() => JSON.parse(JSON.stringify(objects)))),
);

const jobs = failedJobs(100);

describe.each(Object.entries(hostilePatterns))(
  "a JobSet with hostile patterns: %s",
  (_, patterns) => {
    const jobSet = aHostileJobSet(patterns);
    const snapshot = createSnapshot([jobSet, ...jobs], { kinds: "all" });

    it.each(Object.entries(contexts))(
      "validateJobSet runs in bounded CPU time, with %s",
      (_, context) => {
        const request = { operation: "CREATE", object: jobSet } as const;
        expectWithin(2 * floorMs, () => validateJobSet(request, snapshot, context));
      },
    );

    it.each(Object.entries(contexts))(
      "reconcile runs in bounded CPU time, with %s",
      (_, context) => {
        expectWithin(6 * floorMs, () => {
          const { error, status } = reconcile(snapshot, jobSet, context);
          expect({ error, restarts: status?.restarts }).toEqual({ error: undefined, restarts: 1 });
        });
      },
    );
  },
);
