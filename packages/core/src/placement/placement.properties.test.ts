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

// The numbers are those of the invariants in the description of the behaviour.
describe("the repair of exclusive placement, as upstream does it and as we do", () => {
  it.each<[string, Property]>([
    [
      "rests exactly when all followers are sent to where the leader is (I-4)",
      placementRestsWhenFollowersAgree,
    ],
    ["touches none but the leader's own followers (I-5)", placementTouchesOnlyFollowers],
    ["does nothing while it is unknown where the leader is (I-6)", placementWaitsForTheLeader],
    [
      "deletes no follower, or all but those whose status could not be written (I-7)",
      placementDeletesAllOrNone,
    ],
    ["rests once it was carried out (I-8)", placementRestsOnceCarriedOut],
    [
      "marks a Pod at most once, before it deletes it once, and none that is marked already (I-9)",
      placementMarksBeforeItDeletes,
    ],
    [
      "plans the same in whatever order Pods and nodes were listed (I-10)",
      placementListingOrderDoesNotShow,
    ],
    [
      "neither changes nor freezes what it is given, and answers the same twice",
      placementInputIsLeftAlone,
    ],
    ["answers for anything, in a form that goes over the wire", anyPlacementIsAnswered],
  ])("%s", (_, property) => {
    fc.assert(property(reconcilePlacement), { numRuns: runs(150) });
  });
});
