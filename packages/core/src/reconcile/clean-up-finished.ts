import { deleteEffect, jobSetTarget } from "../plan/effects.ts";
import { evaluateTtl, isFinished } from "../policies/ttl.ts";
import { deleteActiveJobs } from "./delete-jobs.ts";
import type { Draft } from "./draft.ts";
import { type Facts, jobSetReference, type Next } from "./phase.ts";

/** Cleans up a finished JobSet: deletes its active Jobs and, after its TTL, the JobSet. */
export function cleanUpFinished(facts: Facts, draft: Draft): Next {
  const { jobSet, context } = facts;
  if (!isFinished(jobSet)) return draft.continue();
  const cleaned = deleteActiveJobs(facts, draft);
  const ttl = evaluateTtl(jobSet, context.now);
  const object = jobSetReference(facts);
  switch (ttl.action) {
    case "Keep":
      return cleaned.end();
    case "Wait": {
      const message = `the JobSet is deleted in ${ttl.remainingSeconds} s`;
      return cleaned
        .decide({ phase: "delete-jobset", rule: "TtlRunning", object, message })
        .end(ttl.remainingSeconds);
    }
    case "Refuse":
      return cleaned.abort({
        phase: "delete-jobset",
        object,
        message: ttl.message,
      });
    case "Delete":
      return cleaned
        .step({
          phase: "delete-jobset",
          rule: "TtlExpired",
          object,
          message: `ttlSecondsAfterFinished (${jobSet.spec?.ttlSecondsAfterFinished} s) has expired`,
          effects: [deleteEffect(jobSetTarget(jobSet), jobSet, "Fail")],
          concurrency: 1,
          onError: "Stop",
          dependsOn: ["delete-active"],
        })
        .end();
  }
}
