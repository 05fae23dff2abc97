import { describe, expect, it } from "vitest";
import { getDrawnTime } from "./drawn-time.ts";
import type { HistoryEntry } from "./history.ts";
import type { Trace } from "./trace.ts";

const DAY = 86_400_000;
const train = { actor: "manager", kind: "JobSet", namespace: "ml", name: "train" };

function aChange(at: number, text: string): HistoryEntry {
  return { ...train, at, what: "Changed", text, isSignificant: true };
}

function aRejection(at: number): HistoryEntry {
  return { ...train, at, what: "Refused", text: "create: denied" };
}

const COMPLETED = aChange(60_000, "Completed (AllJobsCompleted)");

function getDrawn(entries: readonly HistoryEntry[], { endsAt, ...others }: Partial<Trace>) {
  const end = endsAt ?? entries.at(-1)?.at ?? 0;
  return getDrawnTime({ seed: 1, isIdle: true, entries, rows: [], ...others, endsAt: end });
}

describe("the drawn time of a run", () => {
  it("a timeline has space for the labels of the last states", () => {
    const { endsAt, gap } = getDrawn([aChange(0, "created"), COMPLETED], {});
    expect([endsAt, gap]).toEqual([69_600, undefined]);
  });

  it("a run is drawn only as far as its state is known", () => {
    const entries = [aChange(0, "created"), COMPLETED];
    expect(getDrawn(entries, { isIdle: false }).endsAt).toBe(60_000);
    expect(getDrawn(entries, { isIdle: false, nextAt: 61_000 }).endsAt).toBe(61_000);
  });

  it("a run is drawn to the last change before a deletion that comes days later", () => {
    const deletion = aChange(3 * DAY, "Completed (AllJobsCompleted), being deleted");
    const removed: HistoryEntry = { ...train, at: 3 * DAY + 10, what: "Deleted", text: "" };
    const { endsAt, gap } = getDrawn([aChange(0, "created"), COMPLETED, deletion, removed], {});
    expect(endsAt).toBe(69_600);
    expect(gap).toEqual({ from: 60_000, until: 3 * DAY });
  });

  it("a run is drawn with a deletion that comes soon", () => {
    const deletion = aChange(160_000, "Completed (AllJobsCompleted), being deleted");
    expect(getDrawn([aChange(0, "created"), COMPLETED, deletion], {}).gap).toBeUndefined();
    const later = aChange(DAY, "Completed (AllJobsCompleted), being deleted");
    const both = getDrawn([aChange(0, "created"), COMPLETED, deletion, later], { endsAt: DAY });
    expect(both.gap).toEqual({ from: 160_000, until: DAY });
  });

  it("a run is drawn to its end if another change comes days later", () => {
    const entries = [aChange(0, "created"), aChange(DAY, "running")];
    expect(getDrawn(entries, {}).endsAt).toBeGreaterThan(DAY);
  });

  it("a run is not drawn up to repeated rejections or overdue laws", () => {
    const pending = aChange(0, "created");
    const second = Array.from({ length: 86 }, (_, at) => aRejection(1000 + at * 1_000_000));
    const broken: HistoryEntry = { ...train, at: 2 * DAY, what: "Broken", text: "" };
    const { gap } = getDrawn([pending, ...second, broken], { endsAt: DAY });
    expect(gap).toEqual({ from: 1000, until: DAY });
  });
});
