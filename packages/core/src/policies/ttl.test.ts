import { type JobSet, parseTime } from "@jobset-ts/api";
import type { Condition } from "@jobset-ts/api/kubernetes";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { evaluateTtl, isFinished } from "./ttl.ts";

const finishedAt = "2026-02-07T10:00:00Z";

function condition(type: string, status: "True" | "False", at?: string): Condition {
  return { type, status, reason: "R", message: "m", lastTransitionTime: at } as Condition;
}

/** A JobSet with this TTL after it finishes. */
function createFinishedJobSet(
  ttlSecondsAfterFinished: number | undefined,
  ...conditions: Condition[]
): JobSet {
  return aJobSet("train")
    .inNamespace("ml")
    .withSpec({ ttlSecondsAfterFinished })
    .withStatus({
      conditions: conditions.length > 0 ? conditions : [condition("Completed", "True", finishedAt)],
    });
}

function at(time: string): number {
  return parseTime(`2026-02-07T${time}Z`) ?? Number.NaN;
}

describe("isFinished", () => {
  it.each([
    ["Completed", "True", true],
    ["Failed", "True", true],
    ["Completed", "False", false],
    ["Suspended", "True", false],
  ] as const)("isFinished with %s %s is %s", (type, status, expected) => {
    expect(isFinished(createFinishedJobSet(undefined, condition(type, status)))).toBe(expected);
  });

  it("isFinished ignores terminalState", () => {
    expect(isFinished(aJobSet("train").withStatus({ terminalState: "Completed" }))).toBe(false);
    expect(isFinished(aJobSet("train"))).toBe(false);
  });
});

describe("evaluateTtl", () => {
  it.each([
    [
      "is deleted ten seconds after its finish with a TTL of five",
      5,
      "10:00:10",
      { action: "Delete" },
    ],
    [
      "stays three more seconds two seconds after its finish with a TTL of five",
      5,
      "10:00:02",
      { action: "Wait", remainingSeconds: 3 },
    ],
    ["is deleted at once with a TTL of 0", 0, "10:00:00", { action: "Delete" }],
    ["is deleted exactly when the TTL expires", 5, "10:00:05", { action: "Delete" }],
    [
      "stays a millisecond before the TTL expires",
      5,
      "10:00:04.999",
      { action: "Wait", remainingSeconds: 0.001 },
    ],
    [
      "waits for fractions of a second",
      5,
      "10:00:03.250",
      { action: "Wait", remainingSeconds: 1.75 },
    ],
    [
      "stays longer if the clock is behind its finish time",
      5,
      "09:59:58",
      { action: "Wait", remainingSeconds: 7 },
    ],
    ["stays without a TTL", undefined, "10:00:10", { action: "Keep" }],
  ])("a finished JobSet %s", (_, ttl, now, decision) => {
    expect(evaluateTtl(createFinishedJobSet(ttl), at(now))).toEqual(decision);
  });

  it("evaluateTtl starts at the first True condition in list order", () => {
    const conditions = [
      condition("Completed", "False", "2026-02-07T09:00:00Z"),
      condition("Failed", "True", "2026-02-07T10:00:03Z"),
      condition("Completed", "True", finishedAt),
    ];
    expect(evaluateTtl(createFinishedJobSet(5, ...conditions), at("10:00:05"))).toEqual({
      action: "Wait",
      remainingSeconds: 3,
    });
  });

  it("evaluateTtl keeps a JobSet that has not finished", () => {
    const running = createFinishedJobSet(5, condition("Suspended", "True", finishedAt));
    expect(evaluateTtl(running, at("11:00:00"))).toEqual({ action: "Keep" });
  });

  it.each([
    ["absent", undefined],
    ["not a time", "yesterday"],
  ])("evaluateTtl fails if the finish time is %s", (_, time) => {
    const jobSet = createFinishedJobSet(10, condition("Completed", "True", time));
    expect(evaluateTtl(jobSet, at("11:00:00"))).toEqual({
      action: "Refuse",
      message:
        "error checking if ttl expired: unable to find the time when the JobSet ml/train finished",
    });
  });

  it("evaluateTtl reads a TTL that is not a whole number as absent", () => {
    for (const ttl of ["5", 1.5, Number.NaN, 1e308, null]) {
      expect(evaluateTtl(createFinishedJobSet(ttl as number), at("10:00:00"))).toEqual({
        action: "Keep",
      });
    }
  });
});
