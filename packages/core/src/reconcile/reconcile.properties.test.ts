import fc from "fast-check";
import { describe, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { planExistsForAnyCluster } from "../testing/properties/any-cluster.ts";
import { conditionsAreInOrder } from "../testing/properties/conditions.ts";
import { idleClusterConverges } from "../testing/properties/convergence.ts";
import {
  frozenInputGivesSamePlanTwice,
  inputDoesNotChange,
  listingOrderDoesNotShow,
} from "../testing/properties/purity.ts";
import { aPlanCarriedOutAgainIsHarmless } from "../testing/properties/replay.ts";
import type { Reconcile } from "../testing/properties/subject.ts";
import { updatesLeaveUnknownMembers } from "../testing/properties/unknown-members.ts";
import { reconcile } from "./reconcile.ts";

type Property = (subject: Reconcile) => fc.IProperty<unknown>;

describe("reconcile for any cluster", () => {
  it.each<[string, Property]>([
    ["does not depend on list order", listingOrderDoesNotShow],
    ["returns the same plan twice, also for frozen input", frozenInputGivesSamePlanTwice],
    ["does not change or freeze its input", inputDoesNotChange],
    ["converges if nothing else changes, and stays idle", idleClusterConverges],
    ["writes conditions that the API server accepts", conditionsAreInOrder],
    [
      "returns plans that are harmless if they are executed again on a newer cluster",
      aPlanCarriedOutAgainIsHarmless,
    ],
    ["keeps members that the client does not know", updatesLeaveUnknownMembers],
  ])("reconcile %s", (_, property) => {
    fc.assert(property(reconcile), { numRuns: runs(20, 2_000) });
  });

  it("reconcile returns a plan or an error for any cluster", () => {
    fc.assert(planExistsForAnyCluster(reconcile), { numRuns: runs(100, 100_000) });
  });
});
