import { type JobSet, jobSetDecodeErrors, type Observed } from "@jobset-ts/api";
import type { Context } from "@jobset-ts/core";
import type { Validated } from "../verdict.ts";
import { jobSetDenial, undecodableDenial } from "./jobset-denial.ts";
import type { Breach, Breaches, JobSetRuleId } from "./jobset-rule.ts";

/** What a webhook for JobSets goes by besides the request and the cluster; not by the time. */
export type JobSetAdmissionContext = Pick<Context, "features" | "quirks">;

/** How much is said to one request; whoever repeats a mistake more often is told only so much of it. */
const MAX_BREACHES = 10_000;

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
    const [first, ...others] = jobSetDecodeErrors(object);
    if (first === undefined) continue;
    return { allowed: false, denial: undecodableDenial(object, [first, ...others]) };
  }
  const found = firstOf(rules());
  if (found.length === 0) return { allowed: true };
  return { allowed: false, denial: jobSetDenial(objects[0] as Observed<JobSet>, found) };
}

function firstOf(breaches: Breaches): readonly Breach[] {
  const found: Breach[] = [];
  for (const breach of breaches) {
    found.push(breach);
    if (found.length === MAX_BREACHES) break;
  }
  return found;
}
