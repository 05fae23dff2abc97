import type { JobSet, ReplicatedJobStatus } from "@jobset-ts/api";
import { type AJob, aJob, aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { decideFailure, gates } from "../testing/failure-decision.ts";
import { evaluateFailurePolicy } from "./failure-policy.ts";

const noJobs = { ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };

describe("evaluateFailurePolicy", () => {
  const job = aJob("train-r1-0");

  it("evaluateFailurePolicy decides nothing when no Job has failed", () => {
    expect(decideFailure([], [])).toEqual({ decision: { action: "None" }, warnings: [] });
  });

  it("a failed Job fails the JobSet if it has no failure policy", () => {
    const jobs = [
      aJob("train-r1-0").failed({ at: "2026-02-07T10:00:02Z" }),
      aJob("train-r1-1").failed({ at: "2026-02-07T10:00:01Z" }),
    ];
    const expected = { action: "FailJobSet", reason: "FailedJobs", job: "train-r1-1" };
    for (const jobSet of [
      aJobSet("train"),
      aJobSet("train").withSpec({ failurePolicy: null as never }),
    ]) {
      expect(evaluateFailurePolicy(jobSet, jobs, [], gates.off).decision).toEqual(expected);
    }
  });

  it("without a matching rule the JobSet restarts, because of the first failed Job", () => {
    const rules = [{ name: "r", action: "FailJobSet" as const, targetReplicatedJobs: ["r2"] }];
    expect(decideFailure(rules, [job.failed()]).decision).toEqual({
      action: "RestartJobSet",
      countsTowardsMax: true,
      job: "train-r1-0",
    });
    expect(decideFailure([], [job.failed()]).decision).toMatchObject({ action: "RestartJobSet" });
  });

  it("the first rule that applies to any Job decides, even if another Job failed earlier", () => {
    const early = aJob("train-r1-0").failed({ at: "2026-02-07T10:00:01Z" });
    const late = aJob("train-r2-0").failed({ at: "2026-02-07T10:00:09Z" });
    const rules = [
      { name: "second", action: "FailJobSet" as const, targetReplicatedJobs: ["r2"] },
      { name: "first", action: "RestartJobSet" as const, targetReplicatedJobs: ["r1"] },
    ];
    expect(decideFailure(rules, [early, late]).decision).toEqual({
      action: "FailJobSet",
      reason: "FailJobSetFailurePolicyAction",
      job: "train-r2-0",
      rule: "second",
    });
    expect(decideFailure(rules.toReversed(), [early, late]).decision).toMatchObject({
      action: "RestartJobSet",
      rule: "first",
    });
  });

  it("the chosen rule acts on the earliest failed Job to which it applies", () => {
    const jobs = [
      aJob("train-r1-0").failed({ at: "2026-02-07T10:00:01Z" }),
      aJob("train-r2-0").failed({ at: "2026-02-07T10:00:09Z" }),
      aJob("train-r2-1").failed({ at: "2026-02-07T10:00:05Z" }),
    ];
    const rules = [{ name: "r", action: "RestartJob" as const, targetReplicatedJobs: ["r2"] }];
    expect(decideFailure(rules, jobs).decision).toEqual({
      action: "RestartJob",
      countsTowardsMax: true,
      job: "train-r2-1",
      rule: "r",
    });
  });

  it("evaluateFailurePolicy skips values that are not rules", () => {
    const rules = [null, "x", { name: "r", action: "FailJobSet" }] as never;
    expect(decideFailure(rules, [job.failed()]).decision).toMatchObject({ rule: "r" });
  });
});

describe("the limit of restarts", () => {
  interface Case {
    readonly action: string;
    readonly maxRestarts?: number;
    readonly counted?: number;
    /** `jobRestartsCountTowardsMax` of the ReplicatedJobs. */
    readonly single?: readonly number[][];
  }

  function decideCase({ action, maxRestarts, counted, single = [] }: Case, context = gates.on) {
    const rules = [{ name: "r", action: action as never }];
    const jobSet: JobSet = aJobSet("train")
      .withSpec({ failurePolicy: { maxRestarts, rules } })
      .withStatus({ restarts: 7, restartsCountTowardsMax: counted });
    const statuses = single.map(
      (counts, index): ReplicatedJobStatus => ({
        ...noJobs,
        name: `r${index}`,
        jobRestartsCountTowardsMax: counts,
      }),
    );
    const { decision } = evaluateFailurePolicy(
      jobSet,
      [aJob("train-r1-0").failed()],
      statuses,
      context,
    );
    return "reason" in decision ? decision.reason : decision.action;
  }

  it.each<[string, Case, string]>([
    [
      "one of five is used",
      { action: "RestartJobSet", maxRestarts: 5, counted: 1 },
      "RestartJobSet",
    ],
    [
      "both of two are used",
      { action: "RestartJobSet", maxRestarts: 2, counted: 2 },
      "ReachedMaxRestarts",
    ],
    [
      "more than two are used",
      { action: "RestartJobSet", maxRestarts: 2, counted: 3 },
      "ReachedMaxRestarts",
    ],
    ["none is allowed", { action: "RestartJobSet", maxRestarts: 0 }, "ReachedMaxRestarts"],
    ["maxRestarts is absent", { action: "RestartJobSet" }, "ReachedMaxRestarts"],
    [
      "the restart does not count",
      { action: "RestartJobSetAndIgnoreMaxRestarts", maxRestarts: 1, counted: 1 },
      "RestartJobSetAndIgnoreMaxRestarts",
    ],
  ])("the restart limit of the JobSet, when %s", (_, example, expected) => {
    expect(decideCase(example, gates.on)).toBe(expected);
    expect(decideCase(example, gates.off)).toBe(expected);
  });

  it("the restart limit is shared with single restarts only under their gate", () => {
    const example = { action: "RestartJobSet", maxRestarts: 3, counted: 1, single: [[1], [0, 1]] };
    expect(decideCase(example, gates.on)).toBe("ReachedMaxRestarts");
    expect(decideCase(example, gates.off)).toBe("RestartJobSet");
    expect(decideCase({ ...example, maxRestarts: 4 }, gates.on)).toBe("RestartJobSet");
  });

  it.each<[string, Case, string]>([
    ["some are left", { action: "RestartJob", maxRestarts: 5, single: [[0]] }, "RestartJob"],
    [
      "those of the JobSet and of single Jobs use them up together",
      { action: "RestartJob", maxRestarts: 2, counted: 1, single: [[1]] },
      "ReachedMaxRestarts",
    ],
    [
      "the restart does not count",
      { action: "RestartJobAndIgnoreMaxRestarts", maxRestarts: 1, counted: 1, single: [[1]] },
      "RestartJobAndIgnoreMaxRestarts",
    ],
  ])("the restart limit of a single Job, when %s", (_, example, expected) => {
    expect(decideCase(example)).toBe(expected);
  });

  it("the restart limit is the same with and without failing Jobs", () => {
    expect(decideCase({ action: "FailJobSet", maxRestarts: 5 })).toBe(
      "FailJobSetFailurePolicyAction",
    );
  });
});

describe("an action that cannot be carried out", () => {
  const jobs = [aJob("train-r1-0").failed()];
  const reject = (action: string, context = gates.off) =>
    decideFailure([{ name: "r", action: action as never }], jobs, context).decision;

  it.each(["RestartJob", "RestartJobAndIgnoreMaxRestarts"])(
    "the action %s is refused without its gate",
    (action) => {
      expect(reject(action)).toEqual({
        action: "Refuse",
        message: `${action} failure policy action cannot be used when the feature gate RestartJob is disabled`,
        job: "train-r1-0",
        rule: "r",
      });
      expect(reject(action, gates.on)).toMatchObject({
        action,
        countsTowardsMax: action === "RestartJob",
      });
    },
  );

  it.each(["Explode", "", "toString", undefined])("the unknown action %s is refused", (action) => {
    expect(reject(action as never)).toMatchObject({
      action: "Refuse",
      message: `failed to find a corresponding action for the FailurePolicyRuleAction ${action ?? ""}`,
    });
  });

  it("an impossible action is rejected even if the restart limit is reached", () => {
    const jobSet = aJobSet("train").withSpec({
      failurePolicy: { maxRestarts: 0, rules: [{ name: "r", action: "RestartJob" }] },
    });
    expect(evaluateFailurePolicy(jobSet, jobs, [], gates.off).decision.action).toBe("Refuse");
  });
});

describe("the first failed Job", () => {
  const getFirstFailed = (jobs: readonly AJob[]) => {
    const { decision } = evaluateFailurePolicy(aJobSet("train"), jobs, [], gates.off);
    return decision.action === "None" ? undefined : decision.job;
  };

  const [a, b, c] = ["a", "b", "c"].map((name) => aJob(`train-${name}-0`));

  it("evaluateFailurePolicy names the Job that failed first, in any list order", () => {
    const jobs = [
      a?.failed({ at: "2026-02-07T10:00:02Z" }),
      b?.failed({ at: "2026-02-07T10:00:01Z" }),
      c?.failed({ at: "2026-02-07T10:00:03Z" }),
    ] as AJob[];
    expect(getFirstFailed(jobs)).toBe(jobs[1]?.metadata.name);
    expect(getFirstFailed(jobs.toReversed())).toBe(jobs[1]?.metadata.name);
  });

  it("evaluateFailurePolicy names the first listed Job among equal times", () => {
    const jobs = [a?.failed(), b?.failed()] as AJob[];
    expect(getFirstFailed(jobs)).toBe(jobs[0]?.metadata.name);
    expect(getFirstFailed(jobs.toReversed())).toBe(jobs[1]?.metadata.name);
  });

  it.each([null, "", "yesterday"])(
    "evaluateFailurePolicy prefers a Job that failed at %s, which is not a time",
    (at) => {
      const jobs = [
        a?.failed({ at: "0001-01-01T00:00:00Z" }),
        b?.failed({ at: at as never }),
      ] as AJob[];
      expect(getFirstFailed(jobs)).toBe(jobs[1]?.metadata.name);
    },
  );

  it("evaluateFailurePolicy reads the time of the first True condition Failed", () => {
    const job = a
      ?.withCondition({
        type: "Failed",
        status: "False",
        lastTransitionTime: "2026-02-07T09:00:00Z",
      })
      .withCondition({
        type: "Complete",
        status: "True",
        lastTransitionTime: "2026-02-07T09:00:00Z",
      })
      .failed({ at: "2026-02-07T10:00:02Z" })
      .failed({ at: "2026-02-07T08:00:00Z" });
    const jobs = [job, b?.failed({ at: "2026-02-07T10:00:01Z" })] as AJob[];
    expect(getFirstFailed(jobs)).toBe(jobs[1]?.metadata.name);
  });

  it("evaluateFailurePolicy names no Job if none has failed", () => {
    expect(getFirstFailed([])).toBeUndefined();
  });
});
