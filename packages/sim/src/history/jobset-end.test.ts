import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "./history.ts";
import { jobSetEnd } from "./jobset-end.ts";

const CREATED: HistoryEntry = {
  ...{ at: 0, actor: "user", kind: "JobSet", namespace: "ml", name: "train", text: "created" },
  what: "Created",
};
const CHANGED: HistoryEntry = { ...CREATED, what: "Changed" };

/** Returns the end of a JobSet with these states, one second each. Each state `created` starts another JobSet. */
function getEnd(states: readonly string[], goneAt?: number): string {
  const entries = states.map((state) => (state === "created" ? CREATED : CHANGED));
  const spans = states.map((state, at) => ({
    ...{ from: at * 1000, until: (at + 1) * 1000, state, entry: at },
  }));
  const row = { kind: "JobSet", namespace: "ml", name: "train", depth: 0, spans, marks: [] };
  const trace = { seed: 1, endsAt: states.length * 1000, isIdle: true, entries, rows: [row] };
  return jobSetEnd({ ...row, ...(goneAt !== undefined && { goneAt }) }, trace);
}

describe("the end of a JobSet", () => {
  it("the end of a JobSet is its final state, with its time and the number of restarts", () => {
    const before = ["created", "running", "restarting, restart 1", "running, restart 1"];
    expect(getEnd([...before, "Completed (AllJobsCompleted)"])).toBe(
      "Completed (AllJobsCompleted) at 4.000s, 1 restart",
    );
    const more = [...before, "restarting, restart 2", "running, restart 2"];
    expect(getEnd([...more, "Failed (ReachedMaxRestarts)"])).toBe(
      "Failed (ReachedMaxRestarts) at 6.000s, 2 restarts",
    );
  });

  it("the end of a deleted JobSet is the time of its deletion, whether it had finished or not", () => {
    const ended = ["created", "Failed (FailedJobs)", "Failed (FailedJobs), being deleted"];
    expect(getEnd(ended, 259_303_195)).toBe(
      "Failed (FailedJobs) at 1.000s, gone at 259303.195s (72h1m43s)",
    );
    expect(getEnd(["created", "running", "running, being deleted"], 3000)).toBe("gone at 3.000s");
  });

  it("the end of an unfinished JobSet is its state when the run ended", () => {
    expect(getEnd(["created", "running"])).toBe("running when the run ended");
    expect(getEnd(["created", "running, restart 1"])).toBe("running when the run ended, 1 restart");
    expect(getEnd(["created", "running, being deleted"])).toBe("being deleted when the run ended");
    expect(getEnd(["to be suspended", "suspended"])).toBe("Suspended");
  });

  it("the end is that of the last JobSet with the name", () => {
    const first = ["created", "restarting, restart 1", "Completed (AllJobsCompleted)"];
    expect(getEnd([...first, "created", "running"])).toBe("running when the run ended");
  });
});
