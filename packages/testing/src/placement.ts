export {
  controllerOfPlacementPlans,
  lawOfPlacementBreach,
  lawsOfPlacement,
  type PlacementLawName,
  type PlacementLawOptions,
  placementBreachesOf,
  placementLaws,
} from "./laws/placement-laws.ts";
