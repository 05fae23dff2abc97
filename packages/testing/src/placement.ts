export {
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
} from "./properties/placement.ts";
