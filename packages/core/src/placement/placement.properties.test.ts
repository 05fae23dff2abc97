import fc from "fast-check";
import { describe, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import {
  placementChangesOnlyFollowers,
  placementConvergesAfterExecution,
  placementDeletesAllOrNoFollowers,
  placementDoesNotChangeInput,
  placementIgnoresListOrder,
  placementIsEmptyIfFollowersAgree,
  placementPlanExistsForAnyCluster,
  placementSetsConditionBeforeDeletion,
  placementWaitsForTheLeader,
  type ReconcilePlacement,
} from "../testing/properties/placement.ts";
import { reconcilePlacement } from "./reconcile-placement.ts";

type Property = (subject: ReconcilePlacement) => fc.IProperty<unknown>;

// The numbers are those of the invariants in the specification.
describe("the repair of exclusive placement, as upstream does it and as we do", () => {
  it.each<[string, Property]>([
    [
      "does nothing if and only if all followers select the leader's domain (I-4)",
      placementIsEmptyIfFollowersAgree,
    ],
    ["changes only the leader's own followers (I-5)", placementChangesOnlyFollowers],
    ["does nothing while the leader's domain is unknown (I-6)", placementWaitsForTheLeader],
    [
      "deletes no follower, or all but those whose status could not be written (I-7)",
      placementDeletesAllOrNoFollowers,
    ],
    ["does nothing after its plan was executed (I-8)", placementConvergesAfterExecution],
    [
      "marks each unmarked Pod once before its deletion (I-9)",
      placementSetsConditionBeforeDeletion,
    ],
    ["does not depend on list order (I-10)", placementIgnoresListOrder],
    [
      "does not change or freeze its input, and returns the same plan twice",
      placementDoesNotChangeInput,
    ],
    ["returns a serializable plan for any input", placementPlanExistsForAnyCluster],
  ])("placement repair %s", (_, property) => {
    fc.assert(property(reconcilePlacement), { numRuns: runs(150) });
  });
});
