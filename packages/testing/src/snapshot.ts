export {
  changesEqualASnapshotBuiltAfresh,
  type SnapshotOf,
  snapshotLeavesObjectsAlone,
  snapshotListingOrderDoesNotShow,
} from "./properties/snapshots.ts";
