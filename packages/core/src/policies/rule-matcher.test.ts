import type { FailurePolicyRule } from "@jobset-ts/api";
import { type AJob, aJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { decideFailure } from "../testing/failure-decision.ts";

/** Whether a rule applies to the only failed Job. */
function applies(rule: Partial<FailurePolicyRule>, job: AJob): boolean {
  const { decision } = decideFailure([{ name: "it", action: "FailJobSet", ...rule }], [job]);
  return decision.action === "FailJobSet";
}

describe("a failure policy rule", () => {
  const job = aJob("train-r1-0");

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
  ])("a failure policy rule applies %s", (_, rule, failed, expected) => {
    expect(applies(rule, failed)).toBe(expected);
  });

  it("evaluateFailurePolicy warns once about each pattern that does not compile", () => {
    const rules = [
      { name: "r", action: "FailJobSet" as const, onJobFailureMessagePatterns: ["(", "a*+"] },
    ];
    const { warnings } = decideFailure(rules, [job.failed(), aJob("train-r1-1").failed()]);
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
    expect(decideFailure([rule], [job.failed()]).warnings).toEqual([]);
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
    const { decision, warnings } = decideFailure([hostile], [failed]);
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
      decideFailure([ruleWithPatterns("long", most), ruleWithPatterns("r", "exit")], [failed]),
    ).toMatchObject({
      decision: { rule: "r" },
      warnings: [],
    });
    const { decision, warnings } = decideFailure(
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
    const { warnings } = decideFailure([elsewhere, ruleWithPatterns("r", "exit")], [failed]);
    expect(warnings).toEqual([expect.stringMatching(/^failure policy rule r and .* need 65542 /)]);
  });

  it("rules without patterns do not depend on the budget", () => {
    const plain = { name: "plain", action: "RestartJobSet" as const };
    const hostile = ruleWithPatterns("hostile", "a".repeat(60_000));
    expect(decideFailure([hostile, plain], [failed]).decision).toMatchObject({ rule: "plain" });
    expect(decideFailure([plain, hostile], [failed])).toMatchObject({ warnings: [] });
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
      expect(decideFailure(rules.slice(1), last)).toMatchObject({
        decision: { rule: "second" },
        warnings: [],
      });
      const { decision, warnings } = decideFailure(rules, last);
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
      const { warnings } = decideFailure([ruleWithPatterns("r", "a[ab]{900}!")], few);
      expect(warnings).toEqual([expect.stringContaining("takes more than 30000000 units")]);
    });

    it("the budget of message search does not depend on the order of Jobs", () => {
      const rules = [ruleWithPatterns("first", "x"), ruleWithPatterns("second", "exit")];
      for (const count of [400, 900, 10_000]) {
        const listed = jobs.slice(0, count);
        expect(decideFailure(rules, listed.toReversed())).toEqual(decideFailure(rules, listed));
      }
    });

    it("equal messages are searched once", () => {
      const equal = jobs.map((_, index) =>
        aJob(`train-r1-${index}`).failed({ message: text.slice(0, 31_999 + (index % 2)) }),
      );
      const rules = ["[ab]{90}!", "!", "b$"].map((pattern) => ruleWithPatterns(pattern, pattern));
      expect(decideFailure(rules, equal)).toMatchObject({ decision: { rule: "b$" }, warnings: [] });
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
