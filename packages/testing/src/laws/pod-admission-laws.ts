import type { Laws } from "./law.ts";
import {
  followersGetNoOtherDomain,
  followersGetTheLeadersDomain,
  leadersGetPodAffinity,
  mutationIsIdempotent,
  nothingElseIsChanged,
  othersAreLeftAlone,
  podsHaveTheirPriority,
} from "./pod-mutation-laws.ts";
import {
  followersFollowTheirLeader,
  followersRecordTheLeadersDomain,
  followersWaitForALeader,
  followersWaitForTheLeadersNode,
  leadersThatEndedDoNotCount,
  onlyCreationsAreValidated,
  otherJobsLeadersDoNotCount,
  otherPodsAreAdmitted,
  pendingLeadersAreNotMasked,
  podReviewsGetAResponse,
  readyFollowersAreAdmitted,
  twoLeadersCountAsNone,
} from "./pod-validation-laws.ts";
import type { Webhooks } from "./webhook.ts";

/**
 * The laws of JobSet's two webhooks for Pods. Create one test for each law in a loop.
 *
 * A law checks the request, the response and the Pod after the patch. It does not depend on the implementation.
 * Messages may have any text, but a denial must name the cause (`pendingLeadersAreNotMasked`).
 *
 * @example
 * import { mutatePod, validatePod } from "@jobset-ts/admission";
 * import fc from "fast-check";
 * const subject = webhooksFromFunctions({ mutate: mutatePod, validate: validatePod });
 * for (const [, law] of podAdmissionLaws) await fc.assert(law(subject), { numRuns: 5 });
 */
export const podAdmissionLaws: Laws<Webhooks> = new Map(
  Object.entries({
    leadersGetPodAffinity,
    podsHaveTheirPriority,
    followersGetTheLeadersDomain,
    followersGetNoOtherDomain,
    othersAreLeftAlone,
    nothingElseIsChanged,
    mutationIsIdempotent,
    readyFollowersAreAdmitted,
    followersWaitForALeader,
    followersWaitForTheLeadersNode,
    pendingLeadersAreNotMasked,
    twoLeadersCountAsNone,
    otherJobsLeadersDoNotCount,
    leadersThatEndedDoNotCount,
    followersRecordTheLeadersDomain,
    otherPodsAreAdmitted,
    onlyCreationsAreValidated,
    followersFollowTheirLeader,
    podReviewsGetAResponse,
  }),
);
