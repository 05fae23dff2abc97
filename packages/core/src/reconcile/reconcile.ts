import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_CONTROLLER_NAME } from "@jobset-ts/api/keys";
import { classifyJobs } from "../child-jobs/classify-jobs.ts";
import { listChildJobs } from "../child-jobs/list-child-jobs.ts";
import type { Context } from "../context.ts";
import { asString, isBeingDeleted, isObject } from "../jobset-members.ts";
import type { Plan } from "../plan/plan.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { unreadReason } from "../snapshot/unread-reason.ts";
import { applyFailurePolicy } from "./apply-failure-policy.ts";
import { applySuccessPolicy } from "./apply-success-policy.ts";
import { cleanUpFinished } from "./clean-up-finished.ts";
import { countResume, initializeExecutionAttempts } from "./count-executions.ts";
import { countJobs } from "./count-jobs.ts";
import { createJobs } from "./create-jobs.ts";
import { createService, warnServiceConflict } from "./create-service.ts";
import { createVolumeClaims } from "./create-volume-claims.ts";
import { deletePreviousJobs } from "./delete-jobs.ts";
import { createAbortedPlan, createEmptyPlan, Draft } from "./draft.ts";
import { endFinishedRestart } from "./end-finished-restart.ts";
import type { Facts, PhaseFunction } from "./phase.ts";
import { rejectionStrategy } from "./rejection-strategy.ts";
import { restartInPlace } from "./restart-in-place.ts";
import { scaleJobs } from "./scale-jobs.ts";
import { resume, suspend } from "./suspend-or-resume.ts";

/** Returns a pass over the child Jobs of a JobSet. Any phase may end it. */
function listPhases({ onRejection: { changesJobsFirst } }: Facts): readonly PhaseFunction[] {
  return [
    countJobs,
    cleanUpFinished,
    initializeExecutionAttempts,
    deletePreviousJobs,
    endFinishedRestart,
    warnServiceConflict,
    applyFailurePolicy,
    applySuccessPolicy,
    // Before all phases that may fail permanently, because a suspended JobSet must release its quota.
    ...(changesJobsFirst ? [suspend] : []),
    createService,
    createVolumeClaims,
    countResume,
    scaleJobs,
    // Resume before creating missing Jobs, because the existing Jobs do not depend on them.
    ...(changesJobsFirst ? [resume, createJobs] : [createJobs, suspend, resume]),
    restartInPlace,
  ];
}

/**
 * Plans one pass of JobSet's controller over one JobSet, from one snapshot of the cluster. A phase that ends the pass
 * skips all later phases, and the next pass continues from there. A JobSet that is being deleted, or that another
 * controller manages, gets the empty plan.
 *
 * @param observed - the JobSet as last observed, including its status and resourceVersion
 * @returns a plan; its `error` is set if the pass cannot be planned completely. Never throws
 * @see JobSet `jobset_controller`
 * @example
 * const jobSet = { metadata: { name: "train", namespace: "ml", uid: "u-1" }, spec: { replicatedJobs: [{ name: "w", replicas: 2, template: { spec: {} } }] } };
 * const plan = reconcile(createSnapshot([], { kinds: "all" }), jobSet, createContext({ now: 0 }));
 * const effects = plan.steps.flatMap((step) => step.effects);
 * effects.map(({ verb, target }) => `${verb} ${target.name}`) // => ["create train-w-0", "create train-w-1", "updateStatus train"]
 */
export function reconcile(
  snapshot: Snapshot,
  observed: Unvalidated<JobSet>,
  context: Context,
): Plan {
  // A value that is not an object is read as a JobSet without members.
  const jobSet = isObject(observed) ? observed : {};
  if (isBeingDeleted(jobSet) || !isManagedHere(jobSet)) return createEmptyPlan(jobSet);

  const unread = unreadReason(snapshot, "Job");
  if (unread !== undefined) return createAbortedPlan(jobSet, createClassificationError(unread, ""));
  const jobs = classifyJobs(jobSet, listChildJobs(snapshot, jobSet, context), context);
  if (!jobs.ok) return createAbortedPlan(jobSet, createClassificationError(jobs.message, jobs.job));
  const onRejection = rejectionStrategy(context.quirks);
  return planPass({ jobSet, jobs, snapshot, context, onRejection });
}

function planPass(facts: Facts): Plan {
  let draft = Draft.of(facts);
  for (const phase of listPhases(facts)) {
    const next = phase(facts, draft);
    if (next.action === "End") return next.plan;
    draft = next.draft;
  }
  return draft.end().plan;
}

function createClassificationError(message: string, job: string) {
  return {
    phase: "classify",
    rule: "Refused",
    object: { kind: "Job", name: job },
    message,
  } as const;
}

/**
 * Reports whether this controller manages the JobSet: any other name, including the empty one, means another
 * controller.
 */
function isManagedHere(jobSet: Unvalidated<JobSet>): boolean {
  const managedBy = jobSet.spec?.managedBy ?? JOBSET_CONTROLLER_NAME;
  return asString(managedBy) === JOBSET_CONTROLLER_NAME;
}
