import { readdirSync, readFileSync } from "node:fs";
import { NO_QUIRKS, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { START_TIME } from "../kernel/cluster.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { HistoryEntry } from "./history.ts";
import { formatTimeline } from "./timeline-text.ts";
import { recordTrace } from "./trace.ts";

const about = { actor: "manager", kind: "JobSet", namespace: "ml", name: "train" };

/** Returns the same Event at several times. */
function eventsAt(...times: readonly number[]): readonly HistoryEntry[] {
  return times.map((at) => ({ at, ...about, what: "Event", text: "Started: admitted" }));
}

describe("formatTimeline", () => {
  it("formatTimeline prints an Event as an Event", () => {
    expect(formatTimeline(eventsAt(1500))).toBe(
      "    1.500s  manager  event on JobSet train: Started: admitted\n",
    );
  });

  it("formatTimeline prints the creation of an object once", () => {
    const created = { at: 0, ...about, what: "Created" as const, text: "created" };
    expect(formatTimeline([created])).toBe("    0.000s  manager  created JobSet train\n");
    const suspended = formatTimeline([{ ...created, text: "to be suspended" }]);
    expect(suspended).toMatch(/created JobSet train: to be suspended\n$/);
  });

  it("formatTimeline prints in one line how often an Event was repeated, and when last", () => {
    expect(formatTimeline(eventsAt(1500, 2625))).toMatch(/admitted \(once more, at 2\.625s\)\n$/);
    expect(formatTimeline(eventsAt(1500, 2625, 4000))).toMatch(
      /admitted \(2 more times, the last at 4\.000s\)\n$/,
    );
  });

  /** Returns changes of the Pods of two Jobs, each shortly after the previous one. */
  const changesOfPods = (podCount: number, text: (pod: number) => string, at = 1000) =>
    Array.from({ length: podCount }, (_, pod): HistoryEntry => {
      const name = `train-w-${pod % 2}-${Math.floor(pod / 2)}-${"bcdfg"}`;
      const about = { actor: "kubelet", kind: "Pod", namespace: "ml", name };
      return { ...about, at: at + pod, what: "Changed", text: text(pod), isSignificant: true };
    });
  const formatLines = (...entries: readonly HistoryEntry[]) =>
    formatTimeline(entries).split("\n").slice(0, -1);

  it("formatTimeline folds changes of many Pods into one line with their number and indexes", () => {
    expect(formatLines(...changesOfPods(128, (pod) => `Running on node-${pod % 8}`))).toEqual([
      "    1.000s  kubelet  changed 128 Pods train-w-{0,1}-{0..63}: Running on node-{0..7} (until 1.127s)",
    ]);
  });

  it("formatTimeline names up to three Pods one by one", () => {
    expect(formatLines(...changesOfPods(3, (pod) => `Running on node-${pod}`))).toHaveLength(3);
    expect(formatLines(...changesOfPods(3, () => "Pending"))).toEqual([
      "    1.000s  kubelet  changed Pod train-w-0-0-bcdfg, train-w-1-0-bcdfg, train-w-0-1-bcdfg: Pending",
    ]);
  });

  it("formatTimeline does not fold across a change of the JobSet, a fault or an action of a user", () => {
    const createRunningChanges = (at: number) => changesOfPods(4, () => "Running", at);
    const changed: HistoryEntry = {
      ...about,
      at: 1500,
      what: "Changed",
      text: "restarting",
      isSignificant: true,
    };
    const fault: HistoryEntry = {
      ...about,
      at: 1500,
      what: "Fault",
      kind: "",
      name: "Freeze",
      text: "",
    };
    const action: HistoryEntry = {
      ...about,
      at: 1500,
      actor: "user",
      kind: "Node",
      what: "Deleted",
      text: "",
    };
    for (const between of [changed, fault, action]) {
      expect(
        formatLines(...createRunningChanges(1000), between, ...createRunningChanges(1600)),
      ).toHaveLength(3);
    }
    const event: HistoryEntry = { ...about, at: 1500, what: "Event", text: "Started: admitted" };
    expect(
      formatLines(...createRunningChanges(1000), event, ...createRunningChanges(1600)),
    ).toHaveLength(2);
  });

  it("formatTimeline does not fold changes that are a second or more apart", () => {
    const createRunningChanges = (at: number) => changesOfPods(4, () => "Running", at);
    expect(formatLines(...createRunningChanges(1000), ...createRunningChanges(2003))).toHaveLength(
      2,
    );
    expect(formatLines(...createRunningChanges(1000), ...createRunningChanges(2002))).toHaveLength(
      1,
    );
  });

  it("formatTimeline keeps attempts and Pods with different messages apart", () => {
    const attempts = changesOfPods(8, (pod) => `Running, attempt ${pod % 2} in place`);
    expect(formatLines(...attempts)).toHaveLength(2);
    const lines = formatLines(...changesOfPods(8, (pod) => (pod % 2 === 0 ? "Running" : "Failed")));
    expect(lines).toEqual([
      expect.stringContaining("4 Pods train-w-0-{0..3}: Running"),
      expect.stringContaining("4 Pods train-w-1-{0..3}: Failed"),
    ]);
  });

  it("formatTimeline prints how often a folded Event was repeated", () => {
    const events = changesOfPods(4, () => "", 0).map(
      ({ name }, index): HistoryEntry => ({
        ...about,
        ...{ kind: "Job", name: "train-w-0", what: "Event", at: index },
        text: `SuccessfulCreate: Created pod: ${name}`,
      }),
    );
    expect(formatLines(...events, ...events)).toEqual([
      "    0.000s  manager  event on Job train-w-0: SuccessfulCreate: Created pod: train-w-{0,1}-{0,1} (8 times, until 0.003s)",
    ]);
  });

  it("formatTimeline shows user changes that leave the object's state unchanged", () => {
    const patch = (op: "replace" | "remove", path: readonly string[], value?: unknown) => ({
      op,
      path: [...path],
      value,
    });
    const edit = (...pairs: readonly (readonly [string, unknown, unknown])[]): HistoryEntry => ({
      ...{
        ...about,
        actor: "user",
        at: 5000,
        what: "Changed",
        text: "suspended",
        isSignificant: false,
      },
      patches: () => ({
        patches: pairs.map(([path, , is]) => patch("replace", path.split("."), is)),
        inverse: pairs.map(([path, was]) => patch("replace", path.split("."), was)),
      }),
    });
    const generation = ["metadata.generation", 1, 2] as const;
    expect(formatLines(edit(generation, ["spec.network.subdomain", "a", "secret"]))).toEqual([
      "    5.000s  user  changed JobSet train: spec.network.subdomain",
    ]);
    expect(formatLines(edit(generation, ["spec.replicas", 1, 3]))[0]).toMatch(
      /JobSet train: spec\.replicas: 1 → 3$/,
    );
    expect(formatLines({ ...edit(), actor: "manager" })).toEqual([]);
    expect(formatLines({ ...edit(), at: 0 })).toEqual([]);
  });
});

it("the timeline of every recorded finding shows each action of its users", () => {
  const folder = new URL("../../../../docs/findings/", import.meta.url);
  const findings = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")))
    .filter((document) => "law" in document && document.scenario.actions.length > 0);
  let actionCount = 0;
  for (const { scenario, quirks } of findings) {
    const settings = { quirks: quirks === "upstream" ? UPSTREAM_QUIRKS : NO_QUIRKS };
    const { trace, result } = recordTrace(scenario, settings);
    const shown = formatTimeline(trace.entries);
    const end = result.end.now - START_TIME;
    for (const { at } of (scenario as Scenario).actions.filter((action) => action.at <= end)) {
      actionCount += 1;
      expect(shown).toMatch(new RegExp(`^ *${(at / 1000).toFixed(3)}s {2}user `, "m"));
    }
  }
  expect(actionCount).toBeGreaterThan(10);
});
