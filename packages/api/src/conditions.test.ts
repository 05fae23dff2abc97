import { describe, expect, it } from "vitest";
import * as conditions from "./conditions.ts";

/** The CRD's pattern for the reason of a condition. */
const reasonSyntax = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
/** The CRD's pattern for the type of a condition, without a preceding domain. */
const typeSyntax = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const listNamed = (prefix: string) =>
  Object.entries(conditions).flatMap(([name, value]) =>
    name.startsWith(prefix) && typeof value === "string" ? [value] : [],
  );

describe("the conditions that the library writes", () => {
  it("the conditions that we write have types and reasons that the API server accepts", () => {
    const reasons = [...Object.values(conditions.jobSetReasons), ...conditions.jobFailureReasons];
    expect(reasons.filter((reason) => !reasonSyntax.test(reason))).toEqual([]);
    expect(listNamed("CONDITION_").filter((type) => !typeSyntax.test(type))).toEqual([]);
  });

  it("the conditions that we write have a reason that the API server accepts for every failure policy rule, however long its name", () => {
    const longestName = `r${"_".repeat(127)}`;
    const reason = `${conditions.jobSetReasons.FailurePolicyRulePrefix}${longestName}`;
    expect(reason).toMatch(reasonSyntax);
    expect(reason.length).toBeLessThanOrEqual(1024);
  });

  it("each condition that we write has one wording", () => {
    for (const words of [listNamed("CONDITION_"), Object.values(conditions.jobSetReasons)]) {
      expect(new Set(words).size).toBe(words.length);
    }
  });
});

describe("withFirstFailedJob", () => {
  it("withFirstFailedJob adds the Job that caused the failure", () => {
    const message = conditions.withFirstFailedJob(
      conditions.jobSetMessages.FailedJobs,
      "train-workers-0",
    );
    expect(message).toBe(
      "jobset failed due to one or more job failures (first failed job: train-workers-0)",
    );
  });
});
