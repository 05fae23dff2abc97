import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "./history.ts";
import { renderTimelineHtml } from "./timeline-page.ts";
import type { TraceRow } from "./trace.ts";

const ENDS_AT = 10_000;
const HOSTILE = '</script><img src="x" onerror="alert(1)">';
const ESCAPED = "&lt;/script&gt;&lt;img src=&quot;x&quot; onerror=&quot;alert(1)&quot;&gt;";

const fault = { actor: "", what: "Fault", kind: "", namespace: "" } as const;

/** Returns the row of an object with one constant state. */
function createRow(kind: string, state: string, others: Partial<TraceRow> = {}): TraceRow {
  const spans = [{ from: 0, until: ENDS_AT, state, entry: 0 }];
  return { kind, namespace: "ml", name: "train", depth: 0, spans, marks: [], ...others };
}

function renderPage(
  rows: readonly TraceRow[],
  entries: readonly HistoryEntry[] = [],
  notes: readonly string[] = [],
): string {
  return renderTimelineHtml(
    { seed: 1, endsAt: ENDS_AT, isIdle: true, entries, rows },
    "run",
    notes,
  );
}

/** Returns the part above the drawing. */
function getHeader(page: string): string {
  return page.slice(page.indexOf("<header>"), page.indexOf("</header>"));
}

/** Returns the color of a state. */
function chooseColor(kind: string, state: string): string | undefined {
  return /<g class="bar (\w+)"/.exec(renderPage([createRow(kind, state)]))?.[1];
}

describe("the header of a run's page", () => {
  it("the header has a line for each JobSet with its end, and none for other objects", () => {
    const rows = [
      createRow("JobSet", "Completed (AllJobsCompleted)"),
      createRow("Job", "Complete (CompletionsReached)"),
      createRow("JobSet", "running", { name: "eval", goneAt: ENDS_AT }),
    ];
    const lines = getHeader(renderPage(rows)).match(/<li>.*?<\/li>/g);
    expect(lines).toEqual([
      '<li><i class="succeeded"></i>train: Completed (AllJobsCompleted) at 0.000s</li>',
      '<li><i class="going"></i>eval: gone at 10.000s</li>',
    ]);
  });

  it("the header shows the namespace if JobSets share a name", () => {
    const rows = [
      createRow("JobSet", "running"),
      createRow("JobSet", "running", { namespace: "test" }),
    ];
    const header = getHeader(renderPage(rows));
    expect(header).toContain(">ml/train: running when the run ended<");
    expect(header).toContain(">test/train: running when the run ended<");
  });

  it("the header shows notes about the end and all requested failures", () => {
    const failure = { ...fault, at: 5_000, name: "PodFailure" };
    const other: HistoryEntry = { ...failure, what: "Refused", kind: "Pod", text: "no such name" };
    const entries = [...["a fails", "b fails"].map((text) => ({ ...failure, text })), other];
    const header = getHeader(renderPage([], entries, ["train is stuck: no node"]));
    expect(header).toContain('<p class="note">train is stuck: no node</p>');
    expect(header).toContain('<p class="failures">a fails, b fails</p>');
  });

  it("the header shows how long nothing new happens, if that is not drawn", () => {
    const days = 3 * 86_400_000;
    const train = { actor: "manager", kind: "JobSet", namespace: "ml", name: "train" };
    const state = "Completed (AllJobsCompleted)";
    const entries: HistoryEntry[] = [
      { ...train, at: 0, what: "Created", text: state },
      { ...train, at: 0, what: "Event", text: "Done: all of it" },
      { ...train, at: days, what: "Changed", text: `${state}, being deleted` },
      { ...train, at: days + 10, what: "Event", text: "Done: all of it" },
      { ...train, at: days + 10, what: "Deleted", text: "" },
    ];
    const spans = [
      { from: 0, until: days, state, entry: 0 },
      { from: days, until: days + 10, state: `${state}, being deleted`, entry: 2 },
    ];
    const rows = [createRow("JobSet", "", { spans, marks: [1, 3], goneAt: days + 10 })];
    const page = renderTimelineHtml(
      { seed: 1, endsAt: days + 20, isIdle: true, entries, rows },
      "run",
    );
    expect(getHeader(page)).toContain(
      "Nothing new happens from 0.000s until 259200.000s (72h0m0s); later deletions are not drawn.",
    );
    expect(getHeader(page)).toContain("gone at 259200.010s (72h0m0s)<");
    // A bar and a mark.
    expect(page.match(/role="img"/g)).toHaveLength(2);
    expect(page).toContain('"at":0');
    expect(page).not.toContain(`"at":${days}`);
  });

  it("the header escapes all text", () => {
    const failure = { ...fault, at: 5_000, name: "PodFailure", text: HOSTILE };
    const page = renderPage(
      [createRow("JobSet", HOSTILE, { name: HOSTILE })],
      [failure],
      [HOSTILE],
    );
    expect(page).not.toContain("<img");
    const escaped = getHeader(page).split(ESCAPED).length - 1;
    // The text occurs in the name, the state, the failure and the note.
    expect(escaped).toBe(4);
  });
});

describe("the drawing of a run", () => {
  it("the drawing is green only if all Pods are ready", () => {
    expect(chooseColor("Job", "4 of 4 Pods ready")).toBe("ready");
    expect(chooseColor("Job", "1 of 1 Pods ready, 3 succeeded")).toBe("ready");
    expect(chooseColor("Job", "1 of 4 Pods ready")).toBe("waiting");
    expect(chooseColor("Job", "0 of 4 Pods ready")).toBe("waiting");
  });

  it("the drawing has different colors for restarts and failures, and both in the legend", () => {
    expect(chooseColor("JobSet", "restarting, restart 1")).toBe("restarting");
    expect(chooseColor("JobSet", "Failed (FailedJobs)")).toBe("failed");
    expect(getHeader(renderPage([]))).toContain('<i class="restarting"></i>restarting');
  });

  it("the drawing shows missing Pods as waiting", () => {
    expect(chooseColor("JobSet", "created")).toBe("waiting");
    expect(chooseColor("JobSet", "running")).toBe("running");
    expect(chooseColor("Node", "tainted node.kubernetes.io/not-ready")).toBe("waiting");
    expect(chooseColor("Node", "ready, tainted nvidia.com/gpu")).toBe("ready");
    expect(chooseColor("Node", "ready False")).toBe("failed");
  });

  it("the drawing shows the labels of faults and failures at their time", () => {
    const entries: HistoryEntry[] = [
      { ...fault, at: 1_000, name: "HoldBack", text: "Pod" },
      { ...fault, at: 2_000, name: "HoldBack", text: "over: Pod" },
      {
        ...fault,
        at: 3_000,
        name: "KillContainers",
        text: "no such container was running",
        hadNoTarget: true,
      },
      { ...fault, at: 5_000, name: "PodFailure", text: "train-w-0 fails" },
    ];
    const marks = renderPage([], entries).matchAll(
      /<g class="mark Fault"[^>]*data-from="(\d+)".*?<text [^>]*>(.*?)<\/text>/g,
    );
    expect([...marks].map(([, from, words]) => [from, words])).toEqual([
      ["1000", "HoldBack"],
      ["2000", "HoldBack is over"],
      ["3000", "KillContainers meets nothing"],
      ["5000", "train-w-0 fails"],
    ]);
  });

  it("the drawing extends the bars of existing objects beyond the end, but not those of deleted ones", () => {
    const getWidth = (row: TraceRow) =>
      Number(/<rect [^>]*width="([\d.]+)%"/.exec(renderPage([row]))?.[1]);
    const state = "Completed (AllJobsCompleted)";
    const spans = [{ from: ENDS_AT - 1, until: ENDS_AT, state, entry: 0 }];
    expect(getWidth(createRow("JobSet", "", { spans }))).toBeGreaterThan(12);
    expect(getWidth(createRow("JobSet", "", { spans, goneAt: ENDS_AT }))).toBeLessThan(0.1);
  });

  it("the drawing shows a late violation at its end", () => {
    const entry: HistoryEntry = { ...fault, what: "Broken", at: 99_000, name: "law", text: "" };
    const page = renderPage([], [entry]);
    expect(page).toMatch(/<g class="mark Broken"[^>]*><svg x="100%">/);
    expect(page).toContain("Broken at 99.000s: law");
  });
});
