import { describe, expect, it } from "vitest";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { recordTrace, type TraceRow } from "./trace.ts";

const { restart, deletion, failure } = typicalScenarios;

function createRows(rows: readonly TraceRow[]) {
  return rows.map(({ kind, name, depth }) => `${"  ".repeat(depth)}${kind} ${name.slice(0, 17)}`);
}

function row(rows: readonly TraceRow[], kind: string, name: string): TraceRow {
  const found = rows.find((one) => one.kind === kind && one.name === name);
  expect(found).toBeDefined();
  return found as TraceRow;
}

describe("recordTrace", () => {
  it("recordTrace returns a row for each object: owners before their objects, nodes last", () => {
    const { rows } = recordTrace(failure as never).trace;
    const [first, ...others] = createRows(rows);
    expect(first).toBe("JobSet train");
    expect(others.at(-1)).toBe("Node node-0");
    const at = others.indexOf("  Job train-workers-1");
    expect(others.slice(at + 1, at + 3)).toEqual([
      "    Pod train-workers-1-0",
      "    Pod train-workers-1-1",
    ]);
  });

  it("recordTrace returns the states of an object without gaps, with the entries that caused them", () => {
    const { entries, rows, endsAt } = recordTrace(failure as never).trace;
    const { spans } = row(rows, "JobSet", "train");
    expect(spans.at(-1)?.state).toMatch(/^Failed/);
    expect(spans.at(-1)?.until).toBe(endsAt);
    for (const [place, span] of spans.entries()) {
      expect(span.from).toBe(place === 0 ? 0 : spans[place - 1]?.until);
      expect(entries[span.entry]).toMatchObject({
        at: span.from,
        kind: "JobSet",
        text: span.state,
      });
    }
  });

  it("recordTrace puts successive Jobs with one name into one row", () => {
    const { rows } = recordTrace(restart as never).trace;
    const jobs = rows.filter(({ kind, name }) => kind === "Job" && name === "train-workers-1");
    expect(jobs).toHaveLength(1);
    const { entries } = recordTrace(restart as never).trace;
    const created = entries.filter(
      ({ what, kind, name }) => what === "Created" && kind === "Job" && name === "train-workers-1",
    );
    expect(created).toHaveLength(2);
  });

  it("recordTrace ends a row when its object is deleted", () => {
    const { rows, endsAt } = recordTrace(deletion as never).trace;
    const { spans, goneAt } = row(rows, "JobSet", "train");
    expect(spans.at(-1)?.until).toBeLessThan(endsAt);
    expect(goneAt).toBe(spans.at(-1)?.until);
    expect(row(rows, "Node", "node-0")).not.toHaveProperty("goneAt");
  });

  it("recordTrace returns the time of the next event if the run was cut off", () => {
    const whole = recordTrace(failure as never).trace;
    expect(whole).not.toHaveProperty("nextAt");
    const { nextAt } = recordTrace({
      ...(failure as never as object),
      endsAt: 1_000,
    } as never).trace;
    expect(nextAt).toBeGreaterThan(1_000);
  });

  it("recordTrace marks the Events on an object", () => {
    const { entries, rows } = recordTrace(failure as never).trace;
    const marked = row(rows, "JobSet", "train").marks.map((mark) => entries[mark]);
    expect(marked.map((entry) => entry?.what)).toContain("Event");
    expect(marked.every((entry) => entry?.kind === "JobSet")).toBe(true);
  });

  it("recordTrace reports the start and end of faults, and the requests that they affect", () => {
    const { trace } = recordTrace({
      ...(failure as never as object),
      faults: [
        { fault: "HoldBack", kind: "Pod", from: 1_000, until: 2_000 },
        { fault: "Race", request: 3 },
      ],
    } as never);
    const faults = trace.entries.filter(({ what }) => what === "Fault");
    expect(faults.map(({ name, text }) => [name, text.startsWith("over")])).toEqual([
      ["Race", false],
      ["HoldBack", false],
      ["HoldBack", true],
    ]);
    const times = trace.entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it("recordTrace reports whether faults about missing Jobs and Pods affected anything", () => {
    const fault = { fault: "RefuseObject", kind: "Job", name: "train-workers-1" } as const;
    const kill = { fault: "KillContainers", job: "train-workers-0" } as const;
    const { entries } = recordTrace({
      ...(failure as never as object),
      faults: [
        { ...fault, from: 0, until: 1_000 },
        { ...fault, from: 600_000, until: 600_001 },
        { ...fault, from: 1_100, until: 1_200, name: "train-workers-0" },
        { ...kill, at: 1 },
        { ...kill, at: 2_000 },
        { ...kill, index: 7, at: 2_001 },
      ],
    } as never).trace;
    const faults = entries.filter(({ what }) => what === "Fault");
    expect(faults.map(({ at, text, hadNoTarget = false }) => [at, text, hadNoTarget])).toEqual([
      [0, "all requests about Job train-workers-1 are rejected", false],
      [1, "the containers of train-workers-0 are killed: no such container was running", true],
      [1_000, "over: all requests about Job train-workers-1 are rejected", false],
      [1_100, "all requests about Job train-workers-0 are rejected: no request was affected", true],
      [1_200, "over: all requests about Job train-workers-0 are rejected", false],
      [2_000, "the containers of train-workers-0 are killed", false],
      [
        2_001,
        "the containers of train-workers-0 at index 7 are killed: no such container was running",
        true,
      ],
    ]);
  });

  it("a trace shows requested failures before their effects", () => {
    const scenario = {
      ...(failure as never as object),
      faults: [{ fault: "HoldBack", kind: "Pod", from: 1_000, until: 2_500 }],
      workload: [
        { job: "train-workers-1", endsAtMs: 2_000, exitCode: 1 },
        { replicatedJob: "workers", jobIndex: 0, endsAtMs: 2_100, exitCode: 1 },
        { replicatedJob: "leader", endsAtMs: 2_200, exitCode: 1 },
        { jobIndex: 0, endsAtMs: 2_300, exitCode: 1 },
        { endsAtMs: 2_350, exitCode: 1 },
        { job: "train-leader-0", endsAtMs: 2_400 },
        { replicatedJob: "workers", runMs: 5_000, exitCode: 1 },
        { job: "train-workers-1", endsAtMs: 80_000_000, exitCode: 1 },
      ],
    } as never;
    const { entries } = recordTrace(scenario).trace;
    const failures = entries.filter(({ name }) => name === "PodFailure");
    expect(failures.map(({ at, what, text }) => [at, what, text])).toEqual([
      [2_000, "Fault", "train-workers-1 fails"],
      [2_100, "Fault", "workers-0 fails"],
      [2_200, "Fault", "Pods of leader fail"],
      [2_300, "Fault", "Pods of job index 0 fail"],
      [2_350, "Fault", "Pods fail"],
    ]);
    const failed = entries.findIndex(({ text }) => /^Failed/.test(text));
    expect(entries.findIndex(({ name }) => name === "PodFailure")).toBeLessThan(failed);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const settings = { failureText: ({ job }: { job?: string }) => `--fail ${job}` };
    const [first] = recordTrace(scenario, settings).trace.entries.filter(
      ({ name }) => name === "PodFailure",
    );
    expect(first?.text).toBe("--fail train-workers-1");
  });

  it("recordTrace marks user changes that leave the object's state unchanged", () => {
    const request = {
      verb: "patch",
      object: {
        kind: "JobSet",
        metadata: { name: "train", namespace: "ml", labels: { team: "a" } },
      },
    };
    const scenario = { ...failure, actions: [{ at: 2000, request }] };
    const { entries, rows } = recordTrace(scenario as never).trace;
    const marked = row(rows, "JobSet", "train").marks.map((place) => entries[place]);
    expect(marked).toContainEqual(
      expect.objectContaining({ at: 2000, actor: "user", what: "Changed", isSignificant: false }),
    );
  });
});
