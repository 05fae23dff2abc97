import {
  claimsCanBeMounted,
  coordinatorsAreValid,
  dependenciesPointBackwards,
  exclusiveJobsHaveLeaders,
  existingClaimsAreReused,
  failureRulesCanApply,
  inPlaceRestartSpecsAreValid,
  invalidObjectsGetAnError,
  jobRestartsCanBeCounted,
  managedByHasADomain,
  namesFit,
  podsCanBeCounted,
  subdomainsAreServiceNames,
  successTargetsExist,
  validJobSetsAreAdmitted,
} from "./jobset-creation-laws.ts";
import {
  defaultingIsIdempotent,
  givenValuesAreKept,
  newJobSetsGetDefaults,
  updatesGetNoDefaults,
} from "./jobset-defaulting-laws.ts";
import { scalingChangesParallelismAndCompletions } from "./jobset-scaling-law.ts";
import {
  jobSetDeletionIsAllowed,
  jobSetReviewsGetAResponse,
  managedByIsImmutable,
  mutableFieldsCanChange,
  policiesAreNotRemoved,
  replicatedJobsAreImmutable,
  updatesAreRevalidated,
} from "./jobset-update-laws.ts";
import type { Laws } from "./law.ts";
import type { Webhooks } from "./webhook.ts";

/**
 * The laws of JobSet's two webhooks for JobSets. Create one test for each law in a loop.
 *
 * A law checks the request, the response and the JobSet after the patch. It does not depend on the implementation or on
 * messages, and a response without a code and causes is valid, too. The laws do not cover JobSets that cannot be
 * decoded, limits on size and work, and rules of the schema.
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
    givenValuesAreKept,
    defaultingIsIdempotent,
    updatesGetNoDefaults,
    validJobSetsAreAdmitted,
    namesFit,
    podsCanBeCounted,
    subdomainsAreServiceNames,
    managedByHasADomain,
    dependenciesPointBackwards,
    exclusiveJobsHaveLeaders,
    successTargetsExist,
    failureRulesCanApply,
    jobRestartsCanBeCounted,
    inPlaceRestartSpecsAreValid,
    coordinatorsAreValid,
    claimsCanBeMounted,
    existingClaimsAreReused,
    invalidObjectsGetAnError,
    mutableFieldsCanChange,
    replicatedJobsAreImmutable,
    managedByIsImmutable,
    policiesAreNotRemoved,
    scalingChangesParallelismAndCompletions,
    updatesAreRevalidated,
    jobSetDeletionIsAllowed,
    jobSetReviewsGetAResponse,
  }),
);
