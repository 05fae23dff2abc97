// Our controllers and webhooks with one behavior of upstream or of its releases that is wrong.
import type { Quirk, ReleaseBehavior } from "@jobset-ts/core";
import { jobSets, type LawSet, passes, pods, repairs } from "../law-sets.ts";
import { createWrongSubjects, type WrongSubject } from "./wrong-subject.ts";

type Row = readonly [law: string, quirk: Quirk | ReleaseBehavior, knownDefect?: string];

export const wrongQuirks: readonly WrongSubject[] = [
  ...createWithQuirks(passes, [
    ["childJobsAreCounted", "JobsListedByOwnerName", "B24a"],
    ["conditionTimesFollowTheStatus", "StartupConditionKeepsTime", "B87"],
    ["inPlaceAttemptsAreCounted", "FailedPodsRestartInPlace"],
    ["inPlaceAttemptsAreCounted", "PodsOfDeletedJobSetCount", "B95"],
    ["jobsWaitForDependencies", "OneDependencyAwaited"],
    ["resumedJobsFollowTheirTemplate", "ResumeMergesTemplate", "B47"],
  ]),
  ...createWithQuirks(repairs, [
    ["misplacedFollowersAreDeletedTogether", "RepairDeletesNothing", "B02"],
  ]),
  ...createWithQuirks(pods, [
    ["leadersThatEndedDoNotCount", "FinishedLeadersFound", "B05"],
    ["leadersThatEndedDoNotCount", "TerminatingLeadersFound", "B04"],
    ["mutationIsIdempotent", "LeaderTermsAppendedAgain"],
    ["pendingLeadersAreNotMasked", "FollowerSelectorCheckedFirst", "B12"],
    ["podsHaveTheirPriority", "OnlyExclusivePodsMutated", "B08"],
  ]),
  ...createWithQuirks(jobSets, [
    ["dependenciesPointBackwards", "SelfDependencyAdmitted", "B61"],
    ["exclusiveJobsHaveLeaders", "NonIndexedExclusiveAdmitted", "B13"],
    ["existingClaimsAreReused", "RetainedClaimRejected", "B73"],
    ["failureRulesCanApply", "InvalidPatternAdmitted", "B37"],
    ["invalidObjectsGetAnError", "DenialsForbidden", "B68"],
    ["invalidObjectsGetAnError", "UnpathedErrorsAreInternal", "B69"],
    ["updatesAreRevalidated", "UpdateSkipsCreateChecks", "B62"],
  ]),
];

function createWithQuirks<Subject>(lawSet: LawSet<Subject>, rows: readonly Row[]) {
  return rows.flatMap(([law, quirk, knownDefect = ""]) => {
    const text = `${knownDefect} has the quirk ${quirk}`.trim();
    const defect = () => lawSet.createOwn(new Set([quirk]));
    return createWrongSubjects(lawSet, { [law]: { [text]: defect } });
  });
}
