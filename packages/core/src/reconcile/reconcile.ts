import { JOBSET_CONTROLLER_NAME, type JobSet, type Observed } from "@jobset-ts/api";
import { type ClassifiedJobs, classifyJobs } from "../child-jobs/classify-jobs.ts";
import type { Context } from "../context.ts";
import { isObject, textOf } from "../jobset-members.ts";
import type { Plan } from "../plan/plan.ts";
import { isFinished } from "../policies/ttl.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { whyUnread } from "../snapshot/why-unread.ts";
import { applyFailurePolicy } from "./apply-failure-policy.ts";
import { applySuccessPolicy } from "./apply-success-policy.ts";
import { beginToCountExecutions, countResume } from "./count-executions.ts";
import { countJobs } from "./count-jobs.ts";
import { createJobs } from "./create-jobs.ts";
import { createService } from "./create-service.ts";
import { createVolumeClaims } from "./create-volume-claims.ts";
import { deletePreviousJobs } from "./delete-jobs.ts";
import { endFinishedRestart } from "./end-finished-restart.ts";
import { Pass } from "./pass.ts";
import { reconcileFinished } from "./reconcile-finished.ts";
import { restartInPlace } from "./restart-in-place.ts";
import { scaleJobs } from "./scale-jobs.ts";
import { suspendOrResume } from "./suspend-or-resume.ts";

/**
 * What JobSet's controller does next about one JobSet: one pass, planned from one snapshot of the cluster.
 *
 * A pass that a phase ends leaves out all phases behind it; the next pass goes on from there. A JobSet that is
 * being deleted, or that another controller manages, gets the empty plan.
 *
 * @param observed - the JobSet as last observed, its status and resourceVersion included
 * @returns never throws: what stands in the way of a plan is its `error`
 * @see JobSet `jobset_controller`
 */
export function reconcile(snapshot: Snapshot, observed: Observed<JobSet>, context: Context): Plan {
  // What is no object at all is a JobSet without members.
  const jobSet = isObject(observed) ? observed : {};
  const pass = new Pass(jobSet, context);
  if (isBeingDeleted(jobSet) || !isManagedHere(jobSet)) return pass.plan();

  const unread = whyUnread(snapshot, "Job");
  if (unread !== undefined) return pass.refuse("classify", unread, { kind: "Job", name: "" });
  const jobs = classifyJobs(jobSet, snapshot.childJobs(jobSet), context);
  if (!jobs.ok) return pass.refuse("classify", jobs.message, { kind: "Job", name: jobs.job });
  for (const warning of jobs.warnings) pass.warn(warning);
  countJobs(pass, jobs);
  if (isFinished(jobSet)) return reconcileFinished(pass, jobs);
  return reconcileUnfinished(pass, snapshot, jobs);
}

function reconcileUnfinished(pass: Pass, snapshot: Snapshot, jobs: ClassifiedJobs): Plan {
  beginToCountExecutions(pass, jobs);
  deletePreviousJobs(pass, jobs);
  endFinishedRestart(pass);
  if (jobs.failed.length > 0) return applyFailurePolicy(pass, jobs);
  if (applySuccessPolicy(pass, jobs) === "Completed") return pass.plan();

  const unserved = createService(pass, snapshot);
  if (unserved !== undefined) return unserved;
  createVolumeClaims(pass, snapshot);
  if (countResume(pass, jobs) === "Resumed") return pass.plan();
  const scaled = scaleJobs(pass, jobs);
  const created = createJobs(pass, jobs);
  if (created !== undefined) return created;
  suspendOrResume(pass, scaled);
  return restartInPlace(pass, snapshot) ?? pass.plan();
}

function isBeingDeleted(jobSet: Observed<JobSet>): boolean {
  return (jobSet.metadata?.deletionTimestamp ?? undefined) !== undefined;
}

/** Whether a JobSet is this controller's: any other name, the empty one included, is somebody else's. */
function isManagedHere(jobSet: Observed<JobSet>): boolean {
  const managedBy = jobSet.spec?.managedBy ?? JOBSET_CONTROLLER_NAME;
  return textOf(managedBy) === JOBSET_CONTROLLER_NAME;
}
