import {
  claimsCanBeMounted,
  coordinatorsWillExist,
  dependenciesPointBackwards,
  exclusiveJobsHaveLeaders,
  existingClaimsAreTakenUp,
  failureRulesCanApply,
  jobRestartsCanBeCounted,
  managersHaveADomain,
  mistakesAreToldAsSuch,
  namesFit,
  podsCanBeCounted,
  restartsInPlaceAreFit,
  subdomainsAreServiceNames,
  successTargetsExist,
  validJobSetsAreLetIn,
} from "./jobset-creation-laws.ts";
import {
  defaultingAgainChangesNothing,
  editsGetNoDefaults,
  newJobSetsGetDefaults,
  whatIsGivenStays,
} from "./jobset-defaulting-laws.ts";
import {
  editsBreakNoRule,
  jobSetReviewsAreAnswered,
  jobSetsCanAlwaysGo,
  managersStay,
  policiesAreNotRemoved,
  replicatedJobsStay,
  scalingIsInTandem,
  whatMayChangeMayChange,
} from "./jobset-update-laws.ts";
import type { Laws } from "./law.ts";
import type { Webhooks } from "./webhook.ts";

/**
 * What JobSet's two webhooks for JobSets have to do, a law each: loop over it for one test each.
 *
 * A law judges by the request, the answer and the JobSet after the patch. It knows nothing of how the webhook came to it,
 * nor of its words; to give no code and no causes with them is right, too. JobSets that do not decode, limits on size and
 * work, and what only the schema forbids are no law's business.
 *
 * @example
 * import { mutateJobSet, validateJobSet } from "@jobset-ts/admission";
 * import fc from "fast-check";
 * const subject = webhooksFromFunctions({ mutate: mutateJobSet, validate: validateJobSet });
 * for (const [, law] of jobSetAdmissionLaws) await fc.assert(law(subject), { numRuns: 5 });
 */
export const jobSetAdmissionLaws: Laws<Webhooks> = new Map(
  Object.entries({
    newJobSetsGetDefaults,
    whatIsGivenStays,
    defaultingAgainChangesNothing,
    editsGetNoDefaults,
    validJobSetsAreLetIn,
    namesFit,
    podsCanBeCounted,
    subdomainsAreServiceNames,
    managersHaveADomain,
    dependenciesPointBackwards,
    exclusiveJobsHaveLeaders,
    successTargetsExist,
    failureRulesCanApply,
    jobRestartsCanBeCounted,
    restartsInPlaceAreFit,
    coordinatorsWillExist,
    claimsCanBeMounted,
    existingClaimsAreTakenUp,
    mistakesAreToldAsSuch,
    whatMayChangeMayChange,
    replicatedJobsStay,
    managersStay,
    policiesAreNotRemoved,
    scalingIsInTandem,
    editsBreakNoRule,
    jobSetsCanAlwaysGo,
    jobSetReviewsAreAnswered,
  }),
);
