import { type Quirk, quirks } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { findDetectingLaws } from "../testing/wrong-controller.ts";
import { randomScenario } from "./random-scenario.ts";
import { situations } from "./rare-situations.ts";
import { createSeededRandom } from "./seeded-random.ts";

/** An example that shows a quirk: a situation, a seed, and all violated laws. */
type QuirkEvidence = readonly [
  keyof typeof situations,
  seed: number,
  ...finders: readonly string[],
];

const EVIDENCE: Partial<Readonly<Record<Quirk, QuirkEvidence>>> = {
  FollowerSelectorCheckedFirst: ["failedLeaders", 1, "denialsNameTheRootCause"],
  ResumeMergesTemplate: ["resumeAfterEdit", 1, "resumedJobsFollowTheTemplate"],
  SelfDependencyAdmitted: ["stuckJobSet", 1, "waitingHasAReason"],
  EmptyTargetCompletes: ["targetsWithoutJobs", 1, "completionFollowsSuccessPolicy"],
  RetainedClaimRejected: ["retainedClaims", 1, "admittedObjectsAreAdmittedAgain"],
  NonIndexedExclusiveAdmitted: ["stuckJobSet", 2, "jobsGetTheirPods"],
  UpdateSkipsCreateChecks: ["carelessUpdate", 6, "coordinatorsExist"],
  PolicyRemovable: ["carelessUpdate", 1, "policiesAreImmutable"],
  NegativePriorityLabel: ["lowPriority", 1, "jobsGetTheirPods", "admittedJobSetsCanBeCreated"],
  LeaderTermsAppendedAgain: ["affinityTermsInTemplate", 1, "podsGetOnlyRequiredChanges"],
  NodeSelectorFollowersRepaired: ["nodeSelectorStrategy", 1, "onlyMisplacedFollowersAreDeleted"],
  DeadLeaderEnforces: ["failedLeaders", 8, "placementRepairsHaveALeader"],
  UnpathedErrorsAreInternal: ["stuckJobSet", 1, "validationErrorsNameTheirField"],
  ElasticNullPatch: ["unsetPodCounts", 3, "idleControllersHaveEmptyPlans"],
  DashedReplicatedJobAdmitted: [
    "stuckJobSet",
    3,
    "jobsStartInOrder",
    "waitingHasAReason",
    "admittedJobSetsCanBeCreated",
  ],
  ServiceNameUnchecked: [
    "stuckJobSet",
    14,
    "servicesAndClaimsExist",
    "admittedJobSetsCanBeCreated",
  ],
  LongNodeSelectorAdmitted: [
    "stuckJobSet",
    15,
    "jobsStartInOrder",
    "waitingHasAReason",
    "admittedJobSetsCanBeCreated",
  ],
  DottedClaimAdmitted: [
    "stuckJobSet",
    9,
    "jobsStartInOrder",
    "waitingHasAReason",
    "admittedJobSetsCanBeCreated",
  ],
  TopologyKeyUnchecked: ["stuckJobSet", 4, "jobsGetTheirPods", "admittedJobSetsCanBeCreated"],
  FailureSkipsSuspension: ["failureMeetsSuspension", 1, "suspensionReachesAllJobs"],
  RefusalEndsPass: [
    "nameInUse",
    14,
    "countsConverge",
    "suspendedJobsAreCreated",
    "suspensionTakesEffect",
  ],
  SuspendedReadyOpensGates: [
    "resumeBeforeTheStop",
    3,
    "jobsStartInOrder",
    "startupIsCompleteWhenReported",
    "startupFollowsTheOrder",
    "suspendedConditionMatchesTheJobs",
  ],
  UnclaimedJobsCount: [
    "unclaimedJob",
    1,
    "countsMatchObservedJobs",
    "countsConverge",
    "countsFitTheJobSet",
    "eventsMatchWrites",
    "failureFollowsFailurePolicy",
    "failuresFollowTheFailurePolicy",
  ],
  ServiceConflictUnsaid: ["sharedSubdomain", 1, "serviceConflictsHaveEvents"],
  StartupConditionKeepsTime: ["resumeBeforeTheStop", 1, "conditionsAreWellFormed"],
};

/** No history shows these; see `docs/quirks.md`. */
const shownByNoHistory: readonly Quirk[] = [
  "InvalidPatternAdmitted",
  "PatternWorkUnbounded",
  "ObjectsUncounted",
  "FollowerSelectorValueUnchecked",
  "LateFollowersUnseen",
];

/** The tests of agents cover these, because they need their own histories. */
const shownByAgents: readonly Quirk[] = ["CurrentAttemptFalls", "PodsOfDeletedJobSetCount"];

/** Scenarios from earlier explorations show these, because they need a late request or a slow Job controller. */
const shownByScenarios: readonly Quirk[] = ["EndSparesEarlierAttempts", "ResumePrecedesStop"];

const TINY = { replicatedJobs: 2, replicas: 2, pods: 2, faults: 0, actions: 0 };

describe("upstream's quirks", () => {
  it.each(Object.entries(EVIDENCE))(
    "the quirk %s violates a law",
    (quirk, [situation, seed, ...finders]) => {
      const scenario = situations[situation](randomScenario(seed, TINY), createSeededRandom(seed));
      const findViolatedLaws = (own: readonly Quirk[]) =>
        findDetectingLaws([scenario], { quirks: new Set(own) });
      expect(findViolatedLaws([])).toEqual([]);
      expect(findViolatedLaws([quirk as Quirk])).toEqual([...finders].sort());
    },
  );

  it("a test covers every upstream quirk", () => {
    expect(
      [...Object.keys(EVIDENCE), ...shownByNoHistory, ...shownByAgents, ...shownByScenarios].sort(),
    ).toEqual([...quirks].sort());
  });
});
