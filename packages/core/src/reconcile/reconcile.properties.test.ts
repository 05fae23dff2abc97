import fc from "fast-check";
import { describe, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import {
  classificationAgrees,
  countersAgree,
  dependencyGatesAgree,
} from "../testing/properties/agreement.ts";
import { planExistsForAnyCluster } from "../testing/properties/any-cluster.ts";
import { idleClusterConverges } from "../testing/properties/coming-to-rest.ts";
import {
  conditionsAreInOrder,
  eventsReportConditions,
  restartEndsWhenAllAreReady,
  suspensionMatchesCondition,
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
  frozenInputGivesSamePlanTwice,
  inputDoesNotChange,
  listingOrderDoesNotShow,
} from "../testing/properties/purity.ts";
import { aPlanCarriedOutAgainIsHarmless } from "../testing/properties/replay.ts";
import { suspendedMeansEveryJob } from "../testing/properties/steps.ts";
import type { Reconcile } from "../testing/properties/subject.ts";
import {
  missingServiceIsCreated,
  missingVolumeClaimsAreCreated,
  serviceConflictIsReported,
} from "../testing/properties/supporting-objects.ts";
import { updatesLeaveUnknownMembers } from "../testing/properties/unknown-members.ts";
import { reconcile } from "./reconcile.ts";

type Property = (subject: Reconcile) => fc.IProperty<unknown>;

describe("reconcile, of any cluster", () => {
  it.each<[string, Property]>([
    ["does not depend on list order", listingOrderDoesNotShow],
    ["returns the same plan twice, also for frozen input", frozenInputGivesSamePlanTwice],
    ["does not change or freeze its input", inputDoesNotChange],
    ["converges if nothing else changes, and stays idle", idleClusterConverges],
    ["suspends every Job of a suspended JobSet", suspendedMeansEveryJob],
    ["writes conditions that the API server accepts", conditionsAreInOrder],
    ["classifies Jobs like the reference model", classificationAgrees],
    ["counts Jobs like the reference model", countersAgree],
    ["creates and resumes the same Jobs as the reference model", dependencyGatesAgree],
    [
      "returns plans that are harmless if they are executed again on a newer cluster",
      aPlanCarriedOutAgainIsHarmless,
    ],
    ["fails and restarts like the reference model", failurePolicyAgrees],
    ["completes like the reference model", successPolicyAgrees],
    ["starts Jobs in startup order", startupOrderIsKept],
    ["deletes a finished JobSet when its TTL expires", timeToLiveIsKept],
    ["changes the attempts of in-place restarts like the reference model", inPlaceAttemptsAgree],
    ["creates a missing Service", missingServiceIsCreated],
    [
      "warns about the Service of another JobSet, and emits one Event about it",
      serviceConflictIsReported,
    ],
    ["creates the missing PersistentVolumeClaims", missingVolumeClaimsAreCreated],
    ["keeps members that the client does not know", updatesLeaveUnknownMembers],
    ["scales elastic Jobs to the Pod counts of their template", elasticJobsFollowTheirTemplate],
    ["resumes Jobs with the current template", resumedJobsFollowTheirTemplate],
    ["emits an Event for each condition that changes", eventsReportConditions],
    ["ends a restart when all Jobs are ready", restartEndsWhenAllAreReady],
    ["sets the condition Suspended", suspensionMatchesCondition],
  ])("reconcile %s", (_, property) => {
    fc.assert(property(reconcile), { numRuns: runs(20, 2_000) });
  });

  it("reconcile returns a plan or an error for any cluster", () => {
    fc.assert(planExistsForAnyCluster(reconcile), { numRuns: runs(100, 100_000) });
  });
});
