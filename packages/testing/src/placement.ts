export {
  controllerOfPlacementPlans,
  lawOfPlacementViolation,
  lawsOfPlacement,
  type PlacementLawName,
  type PlacementLawOptions,
  placementLaws,
  placementViolationsOf,
} from "./laws/placement-laws.ts";
