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
    ["does not depend on list order", snapshotListingOrderDoesNotShow],
    [
      "after any changes equals a new one, and earlier snapshots do not change",
      changesEqualASnapshotBuiltAfresh,
    ],
    ["does not change or freeze objects, and accepts frozen ones", snapshotLeavesObjectsAlone],
  ])("a snapshot %s", (_, property) => {
    fc.assert(property(createSnapshot), { numRuns: runs(30) });
  });
});
