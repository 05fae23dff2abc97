import fc from "fast-check";
import { describe, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import {
  anyPlacementIsAnswered,
  placementDeletesAllOrNone,
  placementInputIsLeftAlone,
  placementListingOrderDoesNotShow,
  placementMarksBeforeItDeletes,
  placementRestsOnceCarriedOut,
  placementRestsWhenFollowersAgree,
  placementTouchesOnlyFollowers,
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
      placementRestsWhenFollowersAgree,
    ],
    ["changes only the leader's own followers (I-5)", placementTouchesOnlyFollowers],
    ["does nothing while the leader's domain is unknown (I-6)", placementWaitsForTheLeader],
    [
      "deletes no follower, or all but those whose status could not be written (I-7)",
      placementDeletesAllOrNone,
    ],
    ["does nothing after its plan was executed (I-8)", placementRestsOnceCarriedOut],
    ["marks each unmarked Pod once before its deletion (I-9)", placementMarksBeforeItDeletes],
    ["does not depend on list order (I-10)", placementListingOrderDoesNotShow],
    [
      "does not change or freeze its input, and returns the same plan twice",
      placementInputIsLeftAlone,
    ],
    ["returns a serializable plan for any input", anyPlacementIsAnswered],
  ])("placement repair %s", (_, property) => {
    fc.assert(property(reconcilePlacement), { numRuns: runs(150) });
  });
});
