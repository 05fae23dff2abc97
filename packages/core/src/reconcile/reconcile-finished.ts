import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { deleteEffect, jobSetTarget } from "../plan/effects.ts";
import type { Plan } from "../plan/plan.ts";
import { ttlDecision } from "../policies/ttl.ts";
import { deleteActiveJobs } from "./delete-jobs.ts";
import type { Pass } from "./pass.ts";

/** What is left to do for a JobSet that has ended: its active Jobs go, and in time it goes itself. */
export function reconcileFinished(pass: Pass, jobs: ClassifiedJobs): Plan {
  const { jobSet, context } = pass;
  deleteActiveJobs(pass, jobs);
  const ttl = ttlDecision(jobSet, context.now);
  switch (ttl.action) {
    case "Keep":
      return pass.plan();
    case "Wait":
      pass.decide({
        phase: "delete-jobset",
        rule: "TtlRunning",
        object: pass.self,
        message: `the JobSet is deleted in ${ttl.remainingSeconds} s`,
      });
      return pass.plan(ttl.remainingSeconds);
    case "Refuse":
      return pass.refuse("delete-jobset", ttl.message, pass.self);
    case "Delete":
      pass.step({
        phase: "delete-jobset",
        decision: {
          phase: "delete-jobset",
          rule: "TtlExpired",
          object: pass.self,
          message: `ttlSecondsAfterFinished (${jobSet.spec?.ttlSecondsAfterFinished} s) is over`,
        },
        effects: [deleteEffect(jobSetTarget(jobSet), jobSet, "Fail")],
        concurrency: 1,
        afterFailure: "SkipOthers",
        finishPhase: false,
      });
      return pass.plan();
  }
}
