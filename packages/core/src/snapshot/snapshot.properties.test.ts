import fc from "fast-check";
import { describe, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import {
  changesEqualNewSnapshot,
  type SnapshotFactory,
  snapshotDoesNotChangeObjects,
  snapshotIgnoresListOrder,
} from "../testing/properties/snapshots.ts";
import { createSnapshot } from "./snapshot.ts";

type Property = (subject: SnapshotFactory) => fc.IProperty<unknown>;

describe("a snapshot", () => {
  it.each<[string, Property]>([
    ["does not depend on list order", snapshotIgnoresListOrder],
    [
      "after any changes equals a new one, and earlier snapshots do not change",
      changesEqualNewSnapshot,
    ],
    ["does not change or freeze objects, and accepts frozen ones", snapshotDoesNotChangeObjects],
  ])("a snapshot %s", (_, property) => {
    fc.assert(property(createSnapshot), { numRuns: runs(30) });
  });
});
