import { deepFreeze } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { withDisruptionTarget } from "./disruption-target.ts";

const now = Date.parse("2026-02-07T06:56:19.900Z");
const ours = {
  type: "DisruptionTarget",
  status: "True",
  reason: "ExclusivePlacementViolation",
  message: "Pod violated JobSet exclusive placement policy",
  lastTransitionTime: "2026-02-07T06:56:19Z",
};
const ready = { type: "Ready", status: "True" };

describe("withDisruptionTarget", () => {
  it("appends the condition to those that a Pod has", () => {
    expect(withDisruptionTarget(deepFreeze([ready]), now)).toEqual([ready, ours]);
  });

  it.each(["False", "Unknown"])("replaces one that is %s, whole and in its place", (status) => {
    const before = { type: "DisruptionTarget", status, reason: "R", observedGeneration: 3 };
    expect(withDisruptionTarget(deepFreeze([before, ready]), now)).toEqual([ours, ready]);
  });

  it("keeps one that is True for whatever reason", () => {
    const before = [{ type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" }];
    expect(withDisruptionTarget(before, now)).toBe(before);
  });

  it("goes by the first of several", () => {
    const yes = { type: "DisruptionTarget", status: "True" };
    const no = { type: "DisruptionTarget", status: "False" };
    const before = [yes, no];
    expect(withDisruptionTarget(before, now)).toBe(before);
    expect(withDisruptionTarget([no, yes], now)).toEqual([ours, yes]);
  });

  it("keeps elements that are no conditions", () => {
    const strange = [null, "Ready", 5] as never;
    expect(withDisruptionTarget(strange, now)).toEqual([null, "Ready", 5, ours]);
  });
});
