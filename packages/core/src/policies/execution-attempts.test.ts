import { resolveFeatureGates } from "@jobset-ts/api";
import { MAX_INT32 } from "@jobset-ts/api/typed";
import { type AJob, type AJobSet, aJob, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { classifyJobs } from "../child-jobs/classify-jobs.ts";
import { desiredJobs } from "../desired/desired-jobs.ts";
import {
  EXECUTION_ATTEMPT_KEY,
  executionAnnotations,
  getExecutionAttempts,
  withExecutionAttempts,
} from "../desired/execution-attempts.ts";
import { NO_QUIRKS } from "../quirks.ts";
import { readChildJobs } from "../snapshot/child-jobs.ts";
import { evaluateExecutionAttempts } from "./execution-attempts.ts";

const off = { features: resolveFeatureGates({}), quirks: NO_QUIRKS };
const on = {
  features: resolveFeatureGates({ ExecutionAttemptsTracking: true }),
  quirks: NO_QUIRKS,
};

const train = aJobSet("train").withReplicatedJob("w");
const running = aJob("train-w-0");

/** Returns a JobSet that was suspended at some time. It may be running again. */
function wasSuspended(jobSet: AJobSet): AJobSet {
  const suspended = { type: "Suspended", status: "True", reason: "SuspendedJobs", message: "m" };
  return jobSet.withStatus({
    conditions: [{ ...suspended, lastTransitionTime: "2026-02-07T06:56:19Z" } as never],
  });
}

function decide(jobSet: AJobSet, jobs: readonly AJob[] = [], context = on) {
  const classified = classifyJobs(jobSet, readChildJobs(jobs), off);
  if (!classified.ok) throw new TypeError(classified.message);
  return evaluateExecutionAttempts(jobSet, classified, context);
}

const none = { action: "None" };

describe("evaluateExecutionAttempts", () => {
  it("evaluateExecutionAttempts counts nothing without the gate (E1)", () => {
    expect(decide(train, [running], off)).toEqual(none);
    expect(decide(wasSuspended(train), [], off)).toEqual(none);
  });

  it.each([
    ["of a JobSet that has restarted equals its restarts", train.restarted(2), [], 2],
    [
      "of a suspended JobSet that has restarted equals its restarts",
      train.restarted(2).suspended(),
      [],
      2,
    ],
    ["of a JobSet with running Jobs equals its restarts, 0", train, [running], 0],
    ["of a JobSet that is about to run is 0", train, [], 0],
    ["of a JobSet that was suspended before its Jobs were is 0", train.suspended(), [running], 0],
  ])("the first count %s (E2, E3)", (_, jobSet, jobs, attempts) => {
    expect(decide(jobSet, jobs)).toEqual({ action: "Initialize", attempts });
  });

  it("the count of execution attempts stays unset until a JobSet that was created suspended runs (E3)", () => {
    expect(decide(train.suspended())).toEqual(none);
    expect(decide(wasSuspended(train.suspended()), [running.suspended()])).toEqual(none);
  });

  it("the count of execution attempts is 0 for an empty JobSet", () => {
    expect(decide(undefined as never)).toEqual({ action: "Initialize", attempts: 0 });
  });

  it("the count of execution attempts increases with a resume (E4)", () => {
    const stored = wasSuspended(train.withStatus({ executionAttempts: 4 }));
    expect(decide(stored)).toEqual({ action: "Resume", attempts: 5 });
    const full = wasSuspended(train.withStatus({ executionAttempts: MAX_INT32 }));
    expect(decide(full)).toEqual({ action: "Resume", attempts: MAX_INT32 });
    expect(decide(stored, [running.suspended()])).toEqual({ action: "Resume", attempts: 5 });
    expect(decide(stored.suspended())).toEqual(none);
  });

  it.each([
    ["a JobSet that was created suspended", train, [running.suspended()], 0],
    ["a JobSet that restarted before the count started", train.restarted(3), [], 3],
  ])(
    "the count of execution attempts starts with the resume of %s, without an extra one (E2, E3)",
    (_, jobSet, jobs, attempts) => {
      expect(decide(wasSuspended(jobSet), jobs)).toEqual({ action: "Resume", attempts });
    },
  );

  it("the count of execution attempts stays, 0 included, until a run starts (E1)", () => {
    expect(decide(train.withStatus({ executionAttempts: 0 }), [running])).toEqual(none);
    expect(decide(train.restarted(2).withStatus({ executionAttempts: 7 }))).toEqual(none);
  });
});

describe("getExecutionAttempts", () => {
  it.each([
    [undefined, undefined],
    [null, undefined],
    [0, 0],
    [3, 3],
    ["3", 0],
    [1.5, 0],
  ])("getExecutionAttempts returns for %j the count %s", (stored, expected) => {
    expect(getExecutionAttempts(train.withStatus({ executionAttempts: stored as number }))).toBe(
      expected,
    );
  });

  it("getExecutionAttempts returns undefined without a status", () => {
    expect(getExecutionAttempts(train)).toBeUndefined();
  });
});

describe("withExecutionAttempts", () => {
  it("withExecutionAttempts changes only the count", () => {
    const jobSet = train.restarted(1);
    const counted = withExecutionAttempts(jobSet, 2);
    expect(counted).toEqual({ ...jobSet, status: { ...jobSet.status, executionAttempts: 2 } });
    expect(counted.spec).toBe(jobSet.spec);
  });

  it("withExecutionAttempts returns the same JobSet if the count is equal or unset", () => {
    const jobSet = train.withStatus({ executionAttempts: 2 });
    expect(withExecutionAttempts(jobSet, 2)).toBe(jobSet);
    expect(withExecutionAttempts(train, undefined)).toBe(train);
  });
});

describe("executionAnnotations (E6)", () => {
  it("executionAnnotations contain the count, 0 if unset, and nothing without the gate", () => {
    expect(executionAnnotations(train.withStatus({ executionAttempts: 4 }), on)).toEqual({
      [EXECUTION_ATTEMPT_KEY]: "4",
    });
    expect(executionAnnotations(train, on)).toEqual({ [EXECUTION_ATTEMPT_KEY]: "0" });
    expect(executionAnnotations(train.withStatus({ executionAttempts: 4 }), off)).toEqual({});
  });

  it("execution attempts are annotations, not labels, of Jobs and Pods and override the user's value", () => {
    const own = { labels: { own: "x" }, annotations: { [EXECUTION_ATTEMPT_KEY]: "9", own: "x" } };
    const spec = { ...aReplicatedJob("w").template.spec, template: { metadata: own } };
    const jobSet = aJobSet("train")
      .withReplicatedJob("w", { template: { metadata: own, spec } })
      .withStatus({ executionAttempts: 4 });
    const [job] = desiredJobs(jobSet, on);
    for (const metadata of [job?.metadata, job?.spec.template.metadata]) {
      expect(metadata?.annotations).toMatchObject({ own: "x", [EXECUTION_ATTEMPT_KEY]: "4" });
      expect(metadata?.labels).not.toHaveProperty([EXECUTION_ATTEMPT_KEY]);
    }
    const [untouched] = desiredJobs(jobSet, off);
    expect(untouched?.metadata.annotations).toMatchObject(own.annotations);
    expect(untouched?.spec.template.metadata?.annotations).toMatchObject(own.annotations);
  });
});
