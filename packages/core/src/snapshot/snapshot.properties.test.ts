import fc from "fast-check";
import { describe, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import {
  changesEqualASnapshotBuiltAfresh,
  type SnapshotFactory,
  snapshotLeavesObjectsAlone,
  snapshotListingOrderDoesNotShow,
} from "../testing/properties/snapshots.ts";
import { createSnapshot } from "./snapshot.ts";

type Property = (subject: SnapshotFactory) => fc.IProperty<unknown>;

describe("a snapshot", () => {
  it.each<[string, Property]>([
    ["does not show the order in which objects were listed", snapshotListingOrderDoesNotShow],
    [
      "after any changes equals one that is built afresh, and the earlier ones stay as they were",
      changesEqualASnapshotBuiltAfresh,
    ],
    ["leaves objects unfrozen and as they were, and takes frozen ones", snapshotLeavesObjectsAlone],
  ])("%s", (_, property) => {
    fc.assert(property(createSnapshot), { numRuns: runs(30) });
  });
});
