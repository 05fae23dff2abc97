export {
  createPlacementController,
  findPlacementViolations,
  placementLawForViolation,
  placementLaws,
} from "./laws/placement-laws.ts";
