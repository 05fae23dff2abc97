import { describe, expect, it } from "vitest";
import { drawnTime } from "./drawn-time.ts";
import type { HistoryEntry } from "./history.ts";
import type { Trace } from "./trace.ts";

const DAY = 86_400_000;
const train = { actor: "manager", kind: "JobSet", namespace: "ml", name: "train" };

function changed(at: number, text: string): HistoryEntry {
  return { ...train, at, what: "Changed", text, isTelling: true };
}

function refused(at: number): HistoryEntry {
  return { ...train, at, what: "Refused", text: "create: denied" };
}

const COMPLETED = changed(60_000, "Completed (AllJobsCompleted)");

function drawn(entries: readonly HistoryEntry[], { endsAt, ...others }: Partial<Trace>) {
  const end = endsAt ?? entries.at(-1)?.at ?? 0;
  return drawnTime({ seed: 1, isIdle: true, entries, rows: [], ...others, endsAt: end });
}

describe("a run is drawn", () => {
  it("to its end, and so much longer that the last states have room for their words", () => {
    const { endsAt, gap } = drawn([changed(0, "created"), COMPLETED], {});
    expect([endsAt, gap]).toEqual([69_600, undefined]);
  });

  it("no longer than it is known how all stands", () => {
    const entries = [changed(0, "created"), COMPLETED];
    expect(drawn(entries, { isIdle: false }).endsAt).toBe(60_000);
    expect(drawn(entries, { isIdle: false, nextAt: 61_000 }).endsAt).toBe(61_000);
  });

  it("to the last change before a deletion that comes days later", () => {
    const deletion = changed(3 * DAY, "Completed (AllJobsCompleted), being deleted");
    const gone: HistoryEntry = { ...train, at: 3 * DAY + 10, what: "Deleted", text: "" };
    const { endsAt, gap } = drawn([changed(0, "created"), COMPLETED, deletion, gone], {});
    expect(endsAt).toBe(69_600);
    expect(gap).toEqual({ from: 60_000, until: 3 * DAY });
  });

  it("with a deletion that comes soon", () => {
    const deletion = changed(160_000, "Completed (AllJobsCompleted), being deleted");
    expect(drawn([changed(0, "created"), COMPLETED, deletion], {}).gap).toBeUndefined();
    const later = changed(DAY, "Completed (AllJobsCompleted), being deleted");
    const both = drawn([changed(0, "created"), COMPLETED, deletion, later], { endsAt: DAY });
    expect(both.gap).toEqual({ from: 160_000, until: DAY });
  });

  it("to its end where something else than a deletion comes days later", () => {
    const entries = [changed(0, "created"), changed(DAY, "running")];
    expect(drawn(entries, {}).endsAt).toBeGreaterThan(DAY);
  });

  it("not up to refusals that only come again, nor up to what is overdue", () => {
    const pending = changed(0, "created");
    const again = Array.from({ length: 86 }, (_, at) => refused(1000 + at * 1_000_000));
    const broken: HistoryEntry = { ...train, at: 2 * DAY, what: "Broken", text: "" };
    const { gap } = drawn([pending, ...again, broken], { endsAt: DAY });
    expect(gap).toEqual({ from: 1000, until: DAY });
  });
});
