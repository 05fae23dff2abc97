import { parseTime } from "@jobset-ts/api";
import type { JobSetConditionType } from "@jobset-ts/api/conditions";
import type { Condition } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { createContext } from "../context.ts";
import { type ConditionChange, findTrueCondition, setCondition } from "./set-condition.ts";

const now = parseTime("2026-02-07T10:00:00.900Z") ?? 0;
const context = createContext({ now });
const time = "2026-02-07T10:00:00Z";
const earlier = "2026-02-07T09:00:00Z";

function change(type: JobSetConditionType, status: "True" | "False", reason = "R", message = "m") {
  return { type, status, reason, message } satisfies ConditionChange;
}

function createStoredCondition(
  type: string,
  status: "True" | "False",
  reason = "R",
  message = "m",
): Condition {
  return { type, status, reason, message, lastTransitionTime: earlier };
}

describe("setCondition", () => {
  it("setCondition appends a missing condition with the time in whole seconds", () => {
    const before = [createStoredCondition("Other", "True")];
    const completed = change("Completed", "True");
    expect(setCondition([], completed, context)).toEqual([
      { ...completed, lastTransitionTime: time },
    ]);
    expect(setCondition(before, completed, context)).toEqual([
      before[0],
      { ...completed, lastTransitionTime: time },
    ]);
  });

  it.each<JobSetConditionType>(["Suspended", "RestartingJobSet"])(
    "setCondition never adds %s as False",
    (type) => {
      const before = [createStoredCondition("Other", "True")];
      expect(setCondition(before, change(type, "False"), context)).toBe(before);
    },
  );

  it("setCondition returns the same list for an equal condition", () => {
    const before = [createStoredCondition("Completed", "True")];
    expect(setCondition(before, change("Completed", "True"), context)).toBe(before);
  });

  it("setCondition updates the time when the status changes", () => {
    const after = setCondition(
      [createStoredCondition("Suspended", "True")],
      change("Suspended", "False"),
      context,
    );
    expect(after).toEqual([{ ...change("Suspended", "False"), lastTransitionTime: time }]);
  });

  it.each([
    ["reason", change("RestartingJobSet", "True", "other")],
    ["message", change("RestartingJobSet", "True", "R", "other")],
  ])("setCondition keeps the time when only the %s changes", (_, expected) => {
    const after = setCondition(
      [createStoredCondition("RestartingJobSet", "True")],
      expected,
      context,
    );
    expect(after).toEqual([{ ...expected, lastTransitionTime: earlier }]);
  });

  it("setCondition keeps the order, and drops other members of the changed condition", () => {
    const before = [
      createStoredCondition("A", "True"),
      { ...createStoredCondition("Suspended", "True"), observedGeneration: 3 },
      createStoredCondition("B", "False"),
    ];
    expect(setCondition(before, change("Suspended", "False"), context)).toEqual([
      before[0],
      { ...change("Suspended", "False"), lastTransitionTime: time },
      before[2],
    ]);
  });

  describe("for the two startup conditions", () => {
    const [progress, done] = ["StartupPolicyInProgress", "StartupPolicyCompleted"] as const;

    it.each([
      [progress, done],
      [done, progress],
    ])("setCondition turns %s False when %s becomes True, with its own text", (old, expected) => {
      const before = [{ ...createStoredCondition(old, "True"), observedGeneration: 3 }];
      const set = change(expected, "True", "Now", "so it is");
      expect(setCondition(before, set, context)).toEqual([
        { ...before[0], status: "False", lastTransitionTime: time },
        { ...set, lastTransitionTime: time },
      ]);
      const quirks = createContext({ now, quirks: new Set(["StartupConditionKeepsTime"]) });
      expect(setCondition(before, set, quirks)).toEqual([
        { ...before[0], status: "False" },
        { ...set, lastTransitionTime: time },
      ]);
    });

    it("setCondition reports a change when only the other startup condition changes", () => {
      const before = [createStoredCondition(progress, "True"), createStoredCondition(done, "True")];
      expect(setCondition(before, change(done, "True"), context)).toEqual([
        { ...before[0], status: "False", lastTransitionTime: time },
        before[1],
      ]);
    });

    it("setCondition does not change the other startup condition when one becomes False", () => {
      const before = [createStoredCondition(progress, "True"), createStoredCondition(done, "True")];
      expect(setCondition(before, change(done, "False"), context)).toEqual([
        before[0],
        { ...change(done, "False"), lastTransitionTime: time },
      ]);
    });

    it("setCondition does not change unrelated conditions", () => {
      const before = [createStoredCondition("RestartingJobSet", "True")];
      expect(setCondition(before, change(done, "True"), context)[0]).toBe(before[0]);
      expect(
        setCondition([createStoredCondition(done, "True")], change("Completed", "True"), context)[0]
          ?.status,
      ).toBe("True");
    });
  });

  describe("for a list with two conditions of one type", () => {
    it("setCondition sets every duplicate of a type", () => {
      const before = [
        createStoredCondition("Suspended", "True"),
        createStoredCondition("X", "True"),
        createStoredCondition("Suspended", "True"),
      ];
      const set = { ...change("Suspended", "False"), lastTransitionTime: time };
      expect(setCondition(before, change("Suspended", "False"), context)).toEqual([
        set,
        before[1],
        set,
      ]);
    });

    it("setCondition gives later duplicates whose status changes the kept time of the first", () => {
      const expected = change("Suspended", "True", "other");
      const before = [
        {
          ...createStoredCondition("Suspended", "True"),
          lastTransitionTime: "2026-02-07T08:00:00Z",
        },
        createStoredCondition("Suspended", "False"),
      ];
      expect(setCondition(before, expected, context)).toEqual([
        { ...expected, lastTransitionTime: "2026-02-07T08:00:00Z" },
        { ...expected, lastTransitionTime: "2026-02-07T08:00:00Z" },
      ]);
    });

    it("setCondition does not change earlier duplicates' times", () => {
      const expected = change("Suspended", "True", "other");
      const before = [
        createStoredCondition("Suspended", "False"),
        createStoredCondition("Suspended", "True"),
      ];
      const times = setCondition(before, expected, context).map((one) => one.lastTransitionTime);
      expect(times).toEqual([time, earlier]);
    });
  });

  it("setCondition skips elements that are not conditions and changes no input", () => {
    const before = deepFreeze([
      null,
      "Suspended",
      createStoredCondition("Suspended", "True"),
    ]) as Condition[];
    expect(setCondition(before, change("Suspended", "False"), context)).toEqual([
      null,
      "Suspended",
      { ...change("Suspended", "False"), lastTransitionTime: time },
    ]);
  });
});

describe("findTrueCondition", () => {
  it("findTrueCondition returns the first True condition with one of the types", () => {
    const conditions = [
      createStoredCondition("Failed", "False"),
      null as unknown as Condition,
      createStoredCondition("Suspended", "True"),
      createStoredCondition("Completed", "True"),
      createStoredCondition("Failed", "True"),
    ];
    expect(findTrueCondition(conditions, "Completed", "Failed")).toBe(conditions[3]);
    expect(findTrueCondition(conditions, "Failed")).toBe(conditions[4]);
    expect(findTrueCondition(conditions, "RestartingJobSet")).toBeUndefined();
  });
});
