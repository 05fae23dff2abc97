import type { JobSet, Observed } from "@jobset-ts/api";
import { jobSetDecodeErrors } from "@jobset-ts/api/typed";
import type { Context } from "@jobset-ts/core";
import type { Validated } from "../verdict.ts";
import { FoundViolations, firstViolations } from "./found-violations.ts";
import { jobSetDenial, undecodableDenial } from "./jobset-denial.ts";
import type { JobSetRuleId, Violations } from "./jobset-rule.ts";

/** What a webhook for JobSets goes by besides the request and the cluster; not by the time. */
export type JobSetAdmissionContext = Pick<Context, "features" | "quirks">;

/**
 * The answer to a request, after its objects have been read.
 *
 * @param objects - what has to decode, first the one that the request is about
 * @param rules - what is asked of the objects once they are known to decode
 */
export function checkedByRules(
  objects: readonly [unknown, ...unknown[]],
  rules: () => Violations,
): Validated<JobSetRuleId> {
  for (const object of objects) {
    const errors = jobSetDecodeErrors(object);
    if (errors.count > 0) return { allowed: false, denial: undecodableDenial(object, errors) };
  }
  const found = new FoundViolations();
  for (const violation of firstViolations(rules())) found.add(violation);
  if (found.count === 0) return { allowed: true };
  return { allowed: false, denial: jobSetDenial(objects[0] as Observed<JobSet>, found) };
}
