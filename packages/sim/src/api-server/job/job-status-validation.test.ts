import { describe, expect, it } from "vitest";
import { JobCluster } from "../../testing/job-cluster.ts";
import { indexed, invalid, updateError } from "../../testing/job-errors.ts";

describe("the validation of Job statuses", () => {
  const condition = (type: string) => ({ type, status: "True" });

  it.each<[object, string]>([
    [
      { terminating: -1 },
      "status.terminating: Invalid value: -1: must be greater than or equal to 0",
    ],
    [{ ready: 2 }, "status.ready: Invalid value: 2: cannot set more ready pods than active"],
    [
      { conditions: [condition("Failed")], active: 0, terminating: 0 },
      "status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition",
    ],
    [
      { conditions: [condition("FailureTarget"), condition("SuccessCriteriaMet")] },
      "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
    ],
    [
      { conditions: [condition("FailureTarget"), condition("Failed")] },
      "status.active: Invalid value: 1: active>0 is invalid for finished job",
    ],
    [
      { conditions: [condition("SuccessCriteriaMet"), condition("Complete")], active: 0 },
      "status.completionTime: Required value: completionTime is required for Complete jobs",
    ],
    [
      { completionTime: "2026-01-01T00:00:09Z" },
      'status.completionTime: Invalid value: "2026-01-01T00:00:09Z": cannot set completionTime when there is no Complete=True condition',
    ],
    [
      {
        conditions: [condition("SuccessCriteriaMet"), condition("Complete")],
        completionTime: "2025-12-31T23:59:59Z",
        active: 0,
      },
      'status.completionTime: Invalid value: "2025-12-31T23:59:59Z": must be equal to or after `startTime`',
    ],
    [
      {
        conditions: [condition("FailureTarget"), condition("Failed")],
        active: 0,
        uncountedTerminatedPods: { failed: ["a"] },
      },
      'status.uncountedTerminatedPods: Invalid value: {"failed":["a"]}: must be empty for finished job',
    ],
    [
      {
        conditions: [{ type: "Failed", status: "False" }, condition("Failed")],
        active: 0,
      },
      "status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition",
    ],
    [
      { startTime: null },
      "status.startTime: Invalid value: null: field is immutable for unsuspended job once set",
    ],
    [
      { uncountedTerminatedPods: { failed: ["a", "a"] } },
      'status.uncountedTerminatedPods.failed[1]: Duplicate value: "a"',
    ],
    [
      { completedIndexes: "0" },
      'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
    ],
    [
      { failedIndexes: "0" },
      'status.failedIndexes: Invalid value: "0": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    ],
  ])("the API server rejects the status %j", (status, text) => {
    expect(updateError({}, { status }, "status")).toBe(invalid(text));
  });

  it("a finished status needs a startTime, unless the Job is suspended without Pods", () => {
    const status = { conditions: [condition("FailureTarget"), condition("Failed")] };
    const suspended = { ...indexed, suspend: true };
    expect(updateError(suspended, { status }, "status")).toBe(
      invalid("status.startTime: Required value: startTime is required for finished job"),
    );
    expect(updateError({ completions: 1, suspend: true }, { status }, "status")).toBe(
      invalid("status.startTime: Required value: startTime is required for finished job"),
    );
    const cluster = new JobCluster();
    cluster.create({ ...suspended, completions: 0 });
    cluster.run(3);
    expect(cluster.job.status?.conditions).toContainEqual(
      expect.objectContaining({ type: "Complete", status: "True" }),
    );
    expect(cluster.job.status?.startTime).toBeUndefined();
  });

  it("a Job with a success policy needs the condition SuccessCriteriaMet before it completes", () => {
    const status = {
      conditions: [condition("Complete")],
      completionTime: "2026-01-01T00:00:09Z",
      active: 0,
    };
    const spec = { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } };
    expect(updateError(spec, { status }, "status")).toBe(
      invalid(
        "[status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition, status.conditions: Invalid value: cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True]",
      ),
    );
  });

  it("an invalid old value does not reject an update of another field", () => {
    const cluster = new JobCluster();
    cluster.create(indexed);
    cluster.run(3);
    const write = (members: object) => cluster.patch({ status: members }, "j", "status");
    expect(write({ completedIndexes: "2" })).toMatchObject({ ok: true });
    cluster.patch({ spec: { completions: 2, parallelism: 2 } });
    expect(write({ failed: 1 })).toMatchObject({ ok: true });
    expect(write({ completedIndexes: "1-2" })).toMatchObject({
      ok: false,
      message: invalid(
        'status.completedIndexes: Invalid value: "1-2": error parsing completedIndexes: too large index: "2"',
      ),
    });
  });

  it("a status update can neither lower the counters nor reopen a finished Job", () => {
    const failed = {
      status: {
        active: 0,
        failed: 2,
        succeeded: 1,
        conditions: [condition("FailureTarget"), condition("Failed")],
      },
    };
    const cluster = new JobCluster();
    cluster.create({});
    cluster.run(3);
    expect(cluster.patch(failed, "j", "status")).toMatchObject({ ok: true });
    const messages = (status: object) => {
      const reply = cluster.patch({ status }, "j", "status");
      return reply.ok ? undefined : reply.message;
    };
    expect(messages({ failed: 1 })).toBe(
      invalid("status.failed: Invalid value: 1: cannot decrease the failed counter"),
    );
    expect(messages({ succeeded: 0 })).toBe(
      invalid("status.succeeded: Invalid value: 0: cannot decrease the succeeded counter"),
    );
    expect(messages({ conditions: [condition("FailureTarget")] })).toBe(
      invalid(
        "status.conditions: Invalid value: cannot disable the terminal Failed=True condition",
      ),
    );
  });

  it("a status update can clear the startTime of a suspended Job", () => {
    const cluster = new JobCluster();
    cluster.create(indexed);
    cluster.run(3);
    cluster.patch({ spec: { suspend: true } });
    expect(cluster.patch({ status: { startTime: null } }, "j", "status")).toMatchObject({
      ok: true,
    });
  });
});
