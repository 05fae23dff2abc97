export {
  controllerOfPlacementPlans,
  lawOfPlacementViolation,
  placementLaws,
  placementViolationsOf,
} from "./laws/placement-laws.ts";
