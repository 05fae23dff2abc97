import {
  anyClusterIsAnswered,
  classificationAgrees,
  conditionsAreInOrder,
  countersAgree,
  dependencyGatesAgree,
  finishedStaysFinished,
  frozenInputGivesTheSameAnswerTwice,
  inputIsLeftAlone,
  listingOrderDoesNotShow,
  noTwoJobsOfOneName,
  nothingForWhatIsNotOurs,
  quietClusterComesToRest,
  type Reconcile,
  restartsNeverGoDown,
  resumeIsIdempotent,
  suspendedMeansEveryJob,
} from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, it } from "vitest";
import { reconcile } from "./reconcile.ts";

type Property = (subject: Reconcile) => fc.IProperty<unknown>;

describe("reconcile, of any cluster", () => {
  it.each<[string, Property]>([
    ["plans the same whatever the listing order", listingOrderDoesNotShow],
    ["gives the same answer twice, also from frozen input", frozenInputGivesTheSameAnswerTwice],
    ["leaves its input untouched and unfrozen", inputIsLeftAlone],
    ["comes to rest when nothing else happens, and stays", quietClusterComesToRest],
    ["creates no two Jobs of one name, and none that exists", noTwoJobsOfOneName],
    ["asks nothing for a JobSet that is not this controller's", nothingForWhatIsNotOurs],
    ["suspends every Job of a suspended JobSet", suspendedMeansEveryJob],
    ["resumes each Job once", resumeIsIdempotent],
    ["never lowers a count of restarts", restartsNeverGoDown],
    ["keeps a finished JobSet finished", finishedStaysFinished],
    ["keeps the conditions in order", conditionsAreInOrder],
    ["sorts Jobs as an obvious second version does", classificationAgrees],
    ["counts Jobs as an obvious second version does", countersAgree],
    ["creates and resumes Jobs where an obvious second version would", dependencyGatesAgree],
  ])(
    "%s",
    (_, property) => {
      fc.assert(property(reconcile), { numRuns: 200 });
    },
    60_000,
  );

  it("answers with a plan or an error, whatever is in it", { timeout: 120_000 }, () => {
    fc.assert(anyClusterIsAnswered(reconcile), { numRuns: 2000 });
  });
});
