import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  diagnosed,
  jobsOf,
  podOf,
  serviceOf,
  theJobSet,
} from "../testing/a-diagnosed-cluster.ts";
import { type JobSetSettleState, settleJobSet, startSettling } from "./settle.ts";

const paused = diagnosed([theJobSet({ spec: { suspend: true } })]);

function healthy() {
  const jobSet = theJobSet();
  const [job] = jobsOf(jobSet);
  const pods = [0, 1, 2, 3].map((index) => podOf(job, index));
  return diagnosed([jobSet, serviceOf(jobSet), aNodeIn("r1"), job, ...pods]);
}

function run(deadlineSeconds: number, intervalSeconds: number): JobSetSettleState {
  let state = startSettling({ deadlineSeconds, intervalSeconds });
  while (state.phase !== "Done") {
    state =
      state.phase === "AwaitTick"
        ? settleJobSet(state, { input: "Tick" })
        : settleJobSet(state, { input: "Diagnosis", diagnosis: paused });
  }
  return state;
}

describe("the wait for a JobSet", () => {
  it.each([
    [60, 5, 13, 60],
    [0, 5, 1, 0],
    [7, 5, 3, 10],
    [5, 5, 2, 5],
    [1, 60, 2, 60],
  ])(
    "of %d s in steps of %d s asks %d times and takes %d s when nothing settles",
    (deadline, interval, attempt, waitedSeconds) => {
      expect(run(deadline, interval)).toMatchObject({
        because: "Deadline",
        attempt,
        waitedSeconds,
      });
    },
  );

  it("ends at once when every Pod is there, or the JobSet has failed or completed", () => {
    const start = startSettling({ deadlineSeconds: 60, intervalSeconds: 5 });
    const ended = (diagnosis: typeof paused) =>
      settleJobSet(start, { input: "Diagnosis", diagnosis });
    expect(ended(healthy())).toMatchObject({ phase: "Done", because: "Settled" });
    const failed = { conditions: [{ type: "Failed", status: "True", reason: "FailedJobs" }] };
    expect(ended(diagnosed([theJobSet({ status: failed })]))).toMatchObject({ because: "Failed" });
    const completed = { conditions: [{ type: "Completed", status: "True" }] };
    expect(ended(diagnosed([theJobSet({ status: completed })]))).toMatchObject({
      because: "Settled",
    });
  });

  it("ends when the cluster cannot be looked at", () => {
    const start = startSettling({ deadlineSeconds: 60, intervalSeconds: 5 });
    const end = settleJobSet(start, { input: "SnapshotError", message: "no access" });
    expect(end).toMatchObject({ phase: "Done", because: "SnapshotError", message: "no access" });
  });

  it("does not begin where no time would pass", () => {
    expect(startSettling({ deadlineSeconds: 60, intervalSeconds: 0 })).toMatchObject({
      phase: "Done",
      because: "BadOptions",
    });
  });

  it("stays as it is on what cannot happen in it, and after its end", () => {
    const start = startSettling({ deadlineSeconds: 0, intervalSeconds: 5 });
    expect(settleJobSet(start, { input: "Tick" })).toBe(start);
    const end = settleJobSet(start, { input: "Diagnosis", diagnosis: paused });
    expect(settleJobSet(end, { input: "Tick" })).toBe(end);
  });
});
