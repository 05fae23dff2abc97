import {
  type FailurePolicyRule,
  type JobSet,
  type ReplicatedJobStatus,
  resolveFeatureGates,
} from "@jobset-ts/api";
import { type AJob, aJob, aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { evaluateFailurePolicy } from "./failure-policy.ts";

const gates = {
  off: { features: resolveFeatureGates({}) },
  on: { features: resolveFeatureGates({ RestartJob: true }) },
};

const noJobs = { ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };

/** The decision of the failure policy with these rules for failed Jobs, with restarts left. */
function decide(rules: readonly FailurePolicyRule[], jobs: readonly AJob[], context = gates.on) {
  const jobSet = aJobSet("train").withSpec({
    failurePolicy: { maxRestarts: 9, rules: [...rules] },
  });
  return evaluateFailurePolicy(jobSet, jobs, [], context);
}

/** Whether a rule applies to the only failed Job. */
function applies(rule: Partial<FailurePolicyRule>, job: AJob): boolean {
  const { decision } = decide([{ name: "it", action: "FailJobSet", ...rule }], [job]);
  return decision.action === "FailJobSet";
}

describe("evaluateFailurePolicy", () => {
  const job = aJob("train-r1-0");

  it("evaluateFailurePolicy decides nothing when no Job has failed", () => {
    expect(decide([], [])).toEqual({ decision: { action: "None" }, warnings: [] });
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

  describe("applies a rule to a Job", () => {
    it.each<[string, Partial<FailurePolicyRule>, AJob, boolean]>([
      ["without reasons and targets, to any", {}, job.failed({ reason: "X" }), true],
      [
        "with reasons, not to another reason",
        { onJobFailureReasons: ["BackoffLimitExceeded"] },
        job.failed({ reason: "DeadlineExceeded" }),
        false,
      ],
      [
        "with reasons, to one of them",
        { onJobFailureReasons: ["BackoffLimitExceeded", "DeadlineExceeded"] },
        job.failed({ reason: "DeadlineExceeded" }),
        true,
      ],
      [
        "with reasons, not to a part of one",
        { onJobFailureReasons: ["DeadlineExceeded"] },
        job.failed({ reason: "Deadline" }),
        false,
      ],
      [
        "with reasons, not to a failure without one",
        { onJobFailureReasons: ["DeadlineExceeded"] },
        job.failed({ reason: undefined as never }),
        false,
      ],
      [
        "with targets, not to another ReplicatedJob's",
        { targetReplicatedJobs: ["r1"] },
        aJob("train-r2-0").failed(),
        false,
      ],
      [
        "with targets, to one of the targets",
        { targetReplicatedJobs: ["r2", "r1"] },
        job.failed(),
        true,
      ],
      [
        "with a pattern for the message's beginning, to one",
        { onJobFailureMessagePatterns: ["^job failed because.*"] },
        job.failed({ message: "job failed because of a bug" }),
        true,
      ],
      [
        "with such a pattern, not to another message",
        { onJobFailureMessagePatterns: ["^job failed because.*"] },
        job.failed({ message: "another error message" }),
        false,
      ],
      [
        "with a pattern found anywhere in the message",
        { onJobFailureMessagePatterns: ["some message"] },
        job.failed({ message: "this is some message with critical error" }),
        true,
      ],
      [
        "with a pattern whose words stand apart, not",
        { onJobFailureMessagePatterns: ["some message"] },
        job.failed({ message: "some critical error with a message" }),
        false,
      ],
      [
        "not when the reason matches and the pattern does not",
        {
          onJobFailureReasons: ["BackoffLimitExceeded"],
          onJobFailureMessagePatterns: ["bug"],
        },
        job.failed({ reason: "BackoffLimitExceeded", message: "out of memory" }),
        false,
      ],
      [
        "not when the pattern matches and the reason does not",
        { onJobFailureReasons: ["DeadlineExceeded"], onJobFailureMessagePatterns: ["bug"] },
        job.failed({ reason: "BackoffLimitExceeded", message: "a bug" }),
        false,
      ],
      [
        "by the next pattern when one does not compile",
        { onJobFailureMessagePatterns: ["(", "bug"] },
        job.failed({ message: "a bug" }),
        true,
      ],
      [
        "not when no pattern compiles",
        { onJobFailureMessagePatterns: ["(", "["] },
        job.failed({ message: "([" }),
        false,
      ],
      [
        "with an empty pattern, to an absent message",
        { onJobFailureMessagePatterns: [""] },
        job.failed({ message: undefined as never }),
        true,
      ],
      [
        "not when the Job does not say whose it is",
        {},
        job.failed().withLabels({ "jobset.sigs.k8s.io/replicatedjob-name": undefined }),
        false,
      ],
      [
        "not when it names no ReplicatedJob",
        { targetReplicatedJobs: [""] },
        job.failed().withLabels({ "jobset.sigs.k8s.io/replicatedjob-name": "" }),
        false,
      ],
      [
        "without targets, also when its ReplicatedJob is unknown",
        {},
        aJob("train-gone-0").failed(),
        true,
      ],
    ])("%s", (_, rule, failed, expected) => {
      expect(applies(rule, failed)).toBe(expected);
    });
  });

  it("without a matching rule the JobSet restarts, because of the first failed Job", () => {
    const rules = [{ name: "r", action: "FailJobSet" as const, targetReplicatedJobs: ["r2"] }];
    expect(decide(rules, [job.failed()]).decision).toEqual({
      action: "RestartJobSet",
      countsTowardsMax: true,
      job: "train-r1-0",
    });
    expect(decide([], [job.failed()]).decision).toMatchObject({ action: "RestartJobSet" });
  });

  it("the first rule that applies to any Job decides, even if another Job failed earlier", () => {
    const early = aJob("train-r1-0").failed({ at: "2026-02-07T10:00:01Z" });
    const late = aJob("train-r2-0").failed({ at: "2026-02-07T10:00:09Z" });
    const rules = [
      { name: "second", action: "FailJobSet" as const, targetReplicatedJobs: ["r2"] },
      { name: "first", action: "RestartJobSet" as const, targetReplicatedJobs: ["r1"] },
    ];
    expect(decide(rules, [early, late]).decision).toEqual({
      action: "FailJobSet",
      reason: "FailJobSetFailurePolicyAction",
      job: "train-r2-0",
      rule: "second",
    });
    expect(decide(rules.toReversed(), [early, late]).decision).toMatchObject({
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
    expect(decide(rules, jobs).decision).toEqual({
      action: "RestartJob",
      countsTowardsMax: true,
      job: "train-r2-1",
      rule: "r",
    });
  });

  it("evaluateFailurePolicy warns once about each pattern that does not compile", () => {
    const rules = [
      { name: "r", action: "FailJobSet" as const, onJobFailureMessagePatterns: ["(", "a*+"] },
    ];
    const { warnings } = decide(rules, [job.failed(), aJob("train-r1-1").failed()]);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain("failure policy rule r: ");
  });

  it("patterns of a rule whose reasons match no Job are not read", () => {
    const rule = {
      name: "r",
      action: "FailJobSet" as const,
      onJobFailureReasons: ["DeadlineExceeded"],
      onJobFailureMessagePatterns: ["("],
    };
    expect(decide([rule], [job.failed()]).warnings).toEqual([]);
  });

  it("evaluateFailurePolicy skips values that are not rules", () => {
    const rules = [null, "x", { name: "r", action: "FailJobSet" }] as never;
    expect(decide(rules, [job.failed()]).decision).toMatchObject({ rule: "r" });
  });
});

describe("the cost of message patterns", () => {
  const failed = aJob("train-r1-0").failed({ message: "exit code 42" });

  /** A rule that requires one of these patterns. */
  function ruleWithPatterns(name: string, ...patterns: readonly string[]): FailurePolicyRule {
    return { name, action: "FailJobSet", onJobFailureMessagePatterns: [...patterns] };
  }

  it.each([8_000, 20_000])("%d patterns that exceed the budget are not compiled", (count) => {
    const hostile = ruleWithPatterns("hostile", ...Array<string>(count).fill("\\pL{1000}"), "exit");
    const { decision, warnings } = decide([hostile], [failed]);
    expect(decision).toEqual({
      action: "RestartJobSet",
      countsTowardsMax: true,
      job: "train-r1-0",
    });
    expect(warnings).toEqual([
      "failure policy rule hostile and all later rules with message patterns do not apply to any Job: the message patterns up to this one need 51584 units of work, and those of a JobSet may need 50000 together",
    ]);
  });

  it("the budget of message patterns applies to all rules together, to the last unit", () => {
    const most = "a".repeat(50_000 - 2 * 4 - "exit".length);
    expect(
      decide([ruleWithPatterns("long", most), ruleWithPatterns("r", "exit")], [failed]),
    ).toMatchObject({
      decision: { rule: "r" },
      warnings: [],
    });
    const { decision, warnings } = decide(
      [
        ruleWithPatterns("long", most),
        ruleWithPatterns("r", "exit "),
        ruleWithPatterns("later", "42"),
      ],
      [failed],
    );
    expect(decision).toMatchObject({ action: "RestartJobSet" });
    expect(warnings).toEqual([expect.stringMatching(/^failure policy rule r and .* need 50001 /)]);
  });

  it("patterns of earlier rules that apply to no Job count towards the budget", () => {
    const elsewhere = {
      ...ruleWithPatterns("elsewhere", "\\pL".repeat(99)),
      targetReplicatedJobs: ["r2"],
    };
    const { warnings } = decide([elsewhere, ruleWithPatterns("r", "exit")], [failed]);
    expect(warnings).toEqual([expect.stringMatching(/^failure policy rule r and .* need 65542 /)]);
  });

  it("rules without patterns do not depend on the budget", () => {
    const plain = { name: "plain", action: "RestartJobSet" as const };
    const hostile = ruleWithPatterns("hostile", "a".repeat(60_000));
    expect(decide([hostile, plain], [failed]).decision).toMatchObject({ rule: "plain" });
    expect(decide([plain, hostile], [failed])).toMatchObject({ warnings: [] });
  });

  describe("on long messages of many Jobs", () => {
    // The maximum length of a condition's message.
    const text = "abbabaabbaab".repeat(2_800).slice(0, 32_000);
    const at = (second: number) => new Date(Date.UTC(2026, 1, 7) + second * 1000).toISOString();
    const jobs = Array.from({ length: 10_000 }, (_, index) =>
      aJob(`train-r1-${index}`).failed({ at: at(index), message: `${text}${index}` }),
    );

    it("message search ends for all rules when the budget is used up", () => {
      // 30,000,000 characters are slightly more than 937 messages, so the second rule cannot
      // finish.
      const last = [
        ...jobs.slice(0, 499),
        aJob("train-r1-499").failed({ at: at(499), message: "exit code 42" }),
      ];
      const rules = [
        ruleWithPatterns("first", "y"),
        ruleWithPatterns("second", "exit"),
        ruleWithPatterns("third", "(", "1$"),
      ];
      expect(decide(rules.slice(1), last)).toMatchObject({
        decision: { rule: "second" },
        warnings: [],
      });
      const { decision, warnings } = decide(rules, last);
      expect(decision).toMatchObject({ action: "RestartJobSet", job: "train-r1-0" });
      expect(warnings).toEqual([
        "failure policy rule second and all later rules with message patterns do not apply to any Job: searching the messages of failed Jobs takes more than 30000000 units of work",
      ]);
    });

    it("message search ends after far fewer messages if the patterns are more expensive", () => {
      const few = jobs.slice(0, 20).map((_, index) =>
        aJob(`train-r1-${index}`).failed({
          at: at(index),
          message: scrambleLetters(index, 32_000),
        }),
      );
      const { warnings } = decide([ruleWithPatterns("r", "a[ab]{900}!")], few);
      expect(warnings).toEqual([expect.stringContaining("takes more than 30000000 units")]);
    });

    it("the budget of message search does not depend on the order of Jobs", () => {
      const rules = [ruleWithPatterns("first", "x"), ruleWithPatterns("second", "exit")];
      for (const count of [400, 900, 10_000]) {
        const listed = jobs.slice(0, count);
        expect(decide(rules, listed.toReversed())).toEqual(decide(rules, listed));
      }
    });

    it("equal messages are searched once", () => {
      const equal = jobs.map((_, index) =>
        aJob(`train-r1-${index}`).failed({ message: text.slice(0, 31_999 + (index % 2)) }),
      );
      const rules = ["[ab]{90}!", "!", "b$"].map((pattern) => ruleWithPatterns(pattern, pattern));
      expect(decide(rules, equal)).toMatchObject({ decision: { rule: "b$" }, warnings: [] });
    });
  });

  /** Letters in an order that does not repeat. */
  function scrambleLetters(seed: number, length: number): string {
    let state = seed;
    return Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >> 16) % 2 === 0 ? "a" : "b";
    }).join("");
  }
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
    decide([{ name: "r", action: action as never }], jobs, context).decision;

  it.each(["RestartJob", "RestartJobAndIgnoreMaxRestarts"])(
    "an action without its gate is %s",
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

  it.each(["Explode", "", "toString", undefined])("an unknown action is %s", (action) => {
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
