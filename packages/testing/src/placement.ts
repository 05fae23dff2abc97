export {
  createPlacementController,
  placementLaws,
} from "./laws/placement-laws.ts";
