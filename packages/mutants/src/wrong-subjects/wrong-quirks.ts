// Our controllers and webhooks with one behavior of upstream or of its releases that is wrong.
import { type Quirk, type ReleaseBehavior, reconcile } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { createPlacementController } from "@jobset-ts/testing/placement";
import { createPlanController } from "@jobset-ts/testing/reconcile";
import { createOwnWebhooks, webhookBundles } from "../webhooks.ts";
import type { WrongSubject } from "./wrong-subject.ts";

type Row = readonly [
  lawSet: WrongSubject["lawSet"],
  law: string,
  quirk: Quirk | ReleaseBehavior,
  knownDefect?: string,
];

const rows: readonly Row[] = [
  ["passes", "childJobsAreCounted", "JobsListedByOwnerName", "B24a"],
  ["passes", "conditionTimesFollowTheStatus", "StartupConditionKeepsTime", "B87"],
  ["passes", "inPlaceAttemptsAreCounted", "FailedPodsRestartInPlace"],
  ["passes", "inPlaceAttemptsAreCounted", "PodsOfDeletedJobSetCount", "B95"],
  ["passes", "jobsWaitForDependencies", "OneDependencyAwaited"],
  ["passes", "resumedJobsFollowTheirTemplate", "ResumeMergesTemplate", "B47"],
  ["repairs", "misplacedFollowersAreDeletedTogether", "RepairDeletesNothing", "B02"],
  ["pods", "followersRecordTheLeadersDomain", "FollowerSelectorValueUnchecked"],
  ["pods", "leadersThatEndedDoNotCount", "FinishedLeadersFound", "B05"],
  ["pods", "leadersThatEndedDoNotCount", "TerminatingLeadersFound", "B04"],
  ["pods", "mutationIsIdempotent", "LeaderTermsAppendedAgain"],
  ["pods", "pendingLeadersAreNotMasked", "FollowerSelectorCheckedFirst", "B12"],
  ["pods", "podsHaveTheirPriority", "OnlyExclusivePodsMutated", "B08"],
  ["jobSets", "dependenciesPointBackwards", "SelfDependencyAdmitted", "B61"],
  ["jobSets", "exclusiveJobsHaveLeaders", "NonIndexedExclusiveAdmitted", "B13"],
  ["jobSets", "existingClaimsAreReused", "RetainedClaimRejected", "B73"],
  ["jobSets", "failureRulesCanApply", "InvalidPatternAdmitted", "B37"],
  ["jobSets", "invalidObjectsGetAnError", "DenialsForbidden", "B68"],
  ["jobSets", "invalidObjectsGetAnError", "UnpathedErrorsAreInternal", "B69"],
  ["jobSets", "updatesAreRevalidated", "UpdateSkipsCreateChecks", "B62"],
];

export const wrongQuirks = rows.map(
  ([lawSet, law, quirk, knownDefect]): WrongSubject => ({
    what: `has the quirk ${quirk}`,
    knownDefect,
    lawSet,
    law,
    create: () => createSubject(lawSet, quirk),
  }),
);

function createSubject(lawSet: WrongSubject["lawSet"], quirk: Quirk | ReleaseBehavior) {
  const quirks = new Set([quirk]);
  switch (lawSet) {
    case "passes":
      return createPlanController((snapshot, jobSet, context) =>
        reconcile(snapshot, jobSet, { ...context, quirks }),
      );
    case "repairs":
      return createPlacementController((snapshot, leader, context) =>
        reconcilePlacement(snapshot, leader, { ...context, quirks }),
      );
    default:
      return createOwnWebhooks(webhookBundles[lawSet].gates, quirks);
  }
}
