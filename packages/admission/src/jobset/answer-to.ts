import { type JobSet, jobSetDecodeErrors, type Observed } from "@jobset-ts/api";
import type { Context } from "@jobset-ts/core";
import type { Validated } from "../verdict.ts";
import { FoundBreaches, firstBreaches } from "./found-breaches.ts";
import { jobSetDenial, undecodableDenial } from "./jobset-denial.ts";
import type { Breaches, JobSetRuleId } from "./jobset-rule.ts";

/** What a webhook for JobSets goes by besides the request and the cluster; not by the time. */
export type JobSetAdmissionContext = Pick<Context, "features" | "quirks">;

/**
 * The answer to a request, after its objects have been read.
 *
 * @param objects - what has to decode, first the one that the request is about
 * @param rules - what is asked of the objects once they are known to decode
 */
export function answerTo(
  objects: readonly [unknown, ...unknown[]],
  rules: () => Breaches,
): Validated<JobSetRuleId> {
  for (const object of objects) {
    const errors = jobSetDecodeErrors(object);
    if (errors.count > 0) return { allowed: false, denial: undecodableDenial(object, errors) };
  }
  const found = new FoundBreaches();
  for (const breach of firstBreaches(rules())) found.add(breach);
  if (found.count === 0) return { allowed: true };
  return { allowed: false, denial: jobSetDenial(objects[0] as Observed<JobSet>, found) };
}
