import type { Laws } from "./law.ts";
import {
  followersGetNoOtherDomain,
  followersGetTheLeadersDomain,
  leadersGetTheirTerms,
  mutatingAgainChangesNothing,
  nothingElseIsTouched,
  othersAreLeftAlone,
  podsBearTheirPriority,
} from "./pod-mutation-laws.ts";
import {
  followersCarryTheLeadersDomain,
  followersFollowTheirLeader,
  followersWaitForALeader,
  followersWaitForTheLeadersNode,
  leadersThatEndedDoNotCount,
  onlyCreationsAreJudged,
  otherJobsLeadersDoNotCount,
  othersAreLetIn,
  pendingLeadersAreNotMasked,
  podReviewsAreAnswered,
  readyFollowersAreLetIn,
  twoLeadersAreNone,
} from "./pod-validation-laws.ts";
import type { Webhooks } from "./webhook.ts";

/**
 * What JobSet's two webhooks for Pods have to do, a law each: loop over it for one test each.
 *
 * A law judges by the request, the answer and the Pod after the patch. It knows nothing of how the webhook came to it, and
 * leaves its words to it, but for one: a refusal names the cause (`pendingLeadersAreNotMasked`).
 *
 * @example
 * import { mutatePod, validatePod } from "@jobset-ts/admission";
 * import fc from "fast-check";
 * const subject = webhooksFromFunctions({ mutate: mutatePod, validate: validatePod });
 * for (const [, law] of podAdmissionLaws) await fc.assert(law(subject), { numRuns: 5 });
 */
export const podAdmissionLaws: Laws<Webhooks> = new Map(
  Object.entries({
    leadersGetTheirTerms,
    podsBearTheirPriority,
    followersGetTheLeadersDomain,
    followersGetNoOtherDomain,
    othersAreLeftAlone,
    nothingElseIsTouched,
    mutatingAgainChangesNothing,
    readyFollowersAreLetIn,
    followersWaitForALeader,
    followersWaitForTheLeadersNode,
    pendingLeadersAreNotMasked,
    twoLeadersAreNone,
    otherJobsLeadersDoNotCount,
    leadersThatEndedDoNotCount,
    followersCarryTheLeadersDomain,
    othersAreLetIn,
    onlyCreationsAreJudged,
    followersFollowTheirLeader,
    podReviewsAreAnswered,
  }),
);
