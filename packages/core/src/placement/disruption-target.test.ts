import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { applyChanges } from "../plan/field-changes.ts";
import { strategicMergePatch } from "../requests/strategic-merge-patch.ts";
import { disruptionTargetChanges } from "./disruption-target.ts";

const now = Date.parse("2026-02-07T06:56:19.900Z");
const REPAIR_CONDITION = {
  type: "DisruptionTarget",
  status: "True",
  reason: "ExclusivePlacementViolation",
  message: "Pod violated JobSet exclusive placement policy",
  lastTransitionTime: "2026-02-07T06:56:19Z",
};
const ready = { type: "Ready", status: "True" };

/** The conditions of a Pod before and after the changes. */
function markPod(conditions: readonly object[]): unknown {
  const pod = deepFreeze({ status: { phase: "Running", conditions } });
  const changed = applyChanges(pod, disruptionTargetChanges(pod, now));
  expect(changed.status.phase).toBe("Running");
  return changed.status.conditions;
}

describe("disruptionTargetChanges", () => {
  it("disruptionTargetChanges adds the condition to the existing ones", () => {
    expect(markPod([ready])).toEqual([ready, REPAIR_CONDITION]);
  });

  it.each(["False", "Unknown"])(
    "disruptionTargetChanges replaces a condition that is %s, in its place",
    (status) => {
      const before = { type: "DisruptionTarget", status, reason: "R", observedGeneration: 3 };
      expect(markPod([before, ready])).toEqual([REPAIR_CONDITION, ready]);
      const patch = strategicMergePatch(
        disruptionTargetChanges({ status: { conditions: [before] } }, now),
        {},
      );
      expect(patch).toMatchObject({
        status: { conditions: [{ ...REPAIR_CONDITION, observedGeneration: null }] },
      });
    },
  );

  it("disruptionTargetChanges returns nothing if the condition is True for any reason", () => {
    const before = [{ type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" }];
    expect(disruptionTargetChanges({ status: { conditions: before } }, now)).toEqual([]);
  });

  it("disruptionTargetChanges reads the first of several conditions of the type", () => {
    const yes = { type: "DisruptionTarget", status: "True" };
    const no = { type: "DisruptionTarget", status: "False" };
    expect(disruptionTargetChanges({ status: { conditions: [yes, no] } }, now)).toEqual([]);
    expect(markPod([no, yes])).toEqual([REPAIR_CONDITION, yes]);
  });

  it("the condition DisruptionTarget keeps elements that are not conditions", () => {
    const strange = [null, "Ready", 5] as never;
    expect(markPod(strange)).toEqual([null, "Ready", 5, REPAIR_CONDITION]);
  });

  it("disruptionTargetChanges creates the list of conditions if the Pod has none", () => {
    const changes = disruptionTargetChanges({}, now);
    expect(applyChanges({}, changes)).toEqual({ status: { conditions: [REPAIR_CONDITION] } });
  });
});
