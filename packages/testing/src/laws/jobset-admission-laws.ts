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
 * The laws of JobSet's two webhooks for JobSets. Create one test for each law in a loop.
 *
 * A law checks the request, the response and the JobSet after the patch. It does not depend on the implementation or on
 * messages, and a response without a code and causes is valid, too. The laws do not cover JobSets that do not decode,
 * limits on size and work, and rules of the schema.
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
