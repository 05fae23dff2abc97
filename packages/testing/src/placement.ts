export {
  controllerOfPlacementPlans,
  lawOfPlacementBreach,
  lawsOfPlacement,
  type PlacementLawName,
  type PlacementLawOptions,
  placementBreachesOf,
  placementLaws,
} from "./laws/placement-laws.ts";
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
