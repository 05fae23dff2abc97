import fc from "fast-check";
import { describe, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import {
  classificationAgrees,
  countersAgree,
  dependencyGatesAgree,
} from "../testing/properties/agreement.ts";
import { anyClusterIsAnswered } from "../testing/properties/any-cluster.ts";
import { quietClusterComesToRest } from "../testing/properties/coming-to-rest.ts";
import {
  conditionsAreInOrder,
  eventsReportConditions,
  restartEndsWhenAllAreReady,
  suspensionShowsInConditions,
} from "../testing/properties/conditions.ts";
import {
  elasticJobsFollowTheirTemplate,
  resumedJobsFollowTheirTemplate,
} from "../testing/properties/following-templates.ts";
import {
  failurePolicyAgrees,
  inPlaceAttemptsAgree,
  startupOrderIsKept,
  successPolicyAgrees,
  timeToLiveIsKept,
} from "../testing/properties/policies.ts";
import {
  frozenInputGivesTheSameAnswerTwice,
  inputIsLeftAlone,
  listingOrderDoesNotShow,
} from "../testing/properties/purity.ts";
import { aPlanCarriedOutAgainIsHarmless } from "../testing/properties/replay.ts";
import { suspendedMeansEveryJob } from "../testing/properties/steps.ts";
import type { Reconcile } from "../testing/properties/subject.ts";
import {
  missingVolumeClaimsAreMade,
  serviceConflictIsTold,
  serviceIsMadeWhenMissing,
} from "../testing/properties/supporting-objects.ts";
import { updatesLeaveUnknownMembers } from "../testing/properties/unknown-members.ts";
import { reconcile } from "./reconcile.ts";

type Property = (subject: Reconcile) => fc.IProperty<unknown>;

describe("reconcile, of any cluster", () => {
  it.each<[string, Property]>([
    ["plans the same whatever the listing order", listingOrderDoesNotShow],
    ["gives the same answer twice, also from frozen input", frozenInputGivesTheSameAnswerTwice],
    ["leaves its input untouched and unfrozen", inputIsLeftAlone],
    ["converges when nothing else happens, and stays idle", quietClusterComesToRest],
    ["suspends every Job of a suspended JobSet", suspendedMeansEveryJob],
    ["keeps the conditions in order", conditionsAreInOrder],
    ["sorts Jobs as a reference model does", classificationAgrees],
    ["counts Jobs as a reference model does", countersAgree],
    ["creates and resumes Jobs where a reference model would", dependencyGatesAgree],
    [
      "does no harm when a plan is carried out again on a newer cluster",
      aPlanCarriedOutAgainIsHarmless,
    ],
    ["fails and restarts as a reference model does", failurePolicyAgrees],
    ["completes when a reference model would", successPolicyAgrees],
    ["starts Jobs in order with startup order", startupOrderIsKept],
    ["deletes a finished JobSet when its time is over", timeToLiveIsKept],
    ["moves the attempts of in-place restarts as a reference model does", inPlaceAttemptsAgree],
    ["makes the Service that is missing", serviceIsMadeWhenMissing],
    ["tells of the Service of another JobSet, and once by an Event", serviceConflictIsTold],
    ["creates the missing PersistentVolumeClaims", missingVolumeClaimsAreMade],
    ["leaves a server what a client does not know", updatesLeaveUnknownMembers],
    ["lets elastic Jobs follow their template", elasticJobsFollowTheirTemplate],
    ["lets resumed Jobs follow their template", resumedJobsFollowTheirTemplate],
    ["tells of each condition that changes", eventsReportConditions],
    ["ends a restart when all Jobs are ready", restartEndsWhenAllAreReady],
    ["says whether it is suspended", suspensionShowsInConditions],
  ])("%s", (_, property) => {
    fc.assert(property(reconcile), { numRuns: runs(20, 2_000) });
  });

  it("reconcile returns a plan or an error for any cluster", () => {
    fc.assert(anyClusterIsAnswered(reconcile), { numRuns: runs(100, 100_000) });
  });
});
