import { isSuspended } from "@jobset-ts/api";
import { CONDITION_FAILED, jobSetReasons } from "@jobset-ts/api/conditions";
import { JOBSET_CONTROLLER_NAME } from "@jobset-ts/api/keys";
import { asArray, asInteger, asString, getLabel, isBeingDeleted } from "@jobset-ts/api/kubernetes";
import {
  hasDnsHostnames,
  indexedReplicatedJobs,
  jobCount,
  MAX_DESIRED_JOBS,
} from "@jobset-ts/core/desired";
import { findTrueCondition } from "@jobset-ts/core/status";
import { ageSinceStart } from "../../view/age.ts";
import { requestsTooManyJobs } from "../../view/create-jobset-view.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { QUEUE_NAME_KEY } from "../../view/queue-name.ts";
import {
  absenceEvidence,
  conditionEvidence,
  type DiagnosisCheck,
  fail,
  failWaiting,
  jobSetKey,
  pass,
  unknown,
} from "../check-results.ts";
import { jobSetField } from "./jobset-evidence.ts";
import { isServiceThere } from "./service-checks.ts";

/** The checks of a JobSet as a whole. */
export const jobSetChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "deleting",
    causes: [],
    texts: {
      advice: ["wait until its Jobs and Pods are deleted; if they remain, check their finalizers"],
    },
    run: (view) =>
      isBeingDeleted(view.jobSet)
        ? failWaiting(
            "JobSet is being deleted",
            jobSetField(view, "metadata.deletionTimestamp", "is set"),
          )
        : pass,
  },
  {
    id: "managed-elsewhere",
    causes: [],
    texts: { advice: ["check the controller that `spec.managedBy` names"] },
    run: (view) => {
      const manager = getManager(view);
      return manager === undefined
        ? pass
        : failWaiting(
            `JobSet is managed by ${manager}`,
            jobSetField(view, "spec.managedBy", manager),
          );
    },
  },
  {
    id: "restarts-exhausted",
    causes: ["job-failed"],
    texts: {
      advice: ["find out why its Jobs failed; a new JobSet starts with a restart count of 0"],
    },
    run: (view) => {
      const failed = findFailedCondition(view);
      if (failed?.reason !== jobSetReasons.ReachedMaxRestarts) return pass;
      const limit = asInteger(view.jobSet.spec?.failurePolicy?.maxRestarts, 0);
      return fail(`JobSet failed: restart limit ${limit} reached`, failedObservation(view, failed));
    },
  },
  {
    id: "jobset-failed",
    causes: ["job-failed"],
    texts: { advice: ["find out why its Jobs failed"] },
    run: (view) => {
      const failed = findFailedCondition(view);
      if (failed === undefined || failed.reason === jobSetReasons.ReachedMaxRestarts) return pass;
      const [reason, message] = [asString(failed.reason), asString(failed.message)];
      return fail(`JobSet failed: ${reason}: ${message}`, failedObservation(view, failed));
    },
  },
  {
    id: "too-many-jobs",
    causes: [],
    texts: {
      advice: [`lower \`replicas\`: a JobSet may request at most ${MAX_DESIRED_JOBS} Jobs`],
    },
    run: tooManyJobs,
  },
  {
    id: "queued",
    causes: [],
    texts: { advice: ["check the Workload and its queue, which grant the quota"] },
    run: (view) => {
      const queue = getQueue(view);
      if (!isSuspended(view.jobSet) || queue === undefined) return pass;
      return failWaiting(
        `JobSet is suspended by queue ${queue}`,
        jobSetField(view, "spec.suspend", "true"),
      );
    },
  },
  {
    id: "suspended",
    causes: [],
    texts: { advice: ["set `spec.suspend` to false to start it"] },
    run: (view) =>
      isSuspended(view.jobSet) && getQueue(view) === undefined
        ? failWaiting("JobSet is suspended", jobSetField(view, "spec.suspend", "true"))
        : pass,
  },
  {
    id: "not-reconciled",
    causes: ["too-many-jobs"],
    texts: { advice: ["check that the JobSet controller runs, and read its log"] },
    run: checkReconciled,
  },
];

/**
 * Checks whether the JobSet requests more Jobs than any controller can create.
 *
 * Such a JobSet is stuck. The controller of jobset-ts rejects the reconcile before it creates the first Job. Upstream's
 * controller builds all Jobs in memory first and runs out of memory. Neither waiting nor a resume helps, so a suspended
 * JobSet is stuck as well.
 */
function tooManyJobs(view: JobSetView) {
  const { jobSet, isFinished } = view;
  if (isFinished || isBeingDeleted(jobSet) || getManager(view) !== undefined) return pass;
  if (!requestsTooManyJobs(jobSet)) return pass;
  const count = jobCount(jobSet);
  const all = indexedReplicatedJobs(jobSet);
  const most = all.reduce((at, { replicas }, index) => {
    return replicas > (all[at]?.replicas ?? 0) ? index : at;
  }, 0);
  const text = `JobSet requests ${count} Jobs, and no controller can create more than ${MAX_DESIRED_JOBS}`;
  return fail(
    text,
    jobSetField(view, `spec.replicatedJobs[${most}].replicas`, `${all[most]?.replicas}`),
  );
}

/** Returns the other manager of the JobSet, or `undefined` if JobSet's own controller manages it. */
function getManager({ jobSet }: JobSetView): string | undefined {
  const manager = asString(jobSet.spec?.managedBy);
  return manager === "" || manager === JOBSET_CONTROLLER_NAME ? undefined : manager;
}

function findFailedCondition({ jobSet }: JobSetView) {
  return findTrueCondition(jobSet.status?.conditions, CONDITION_FAILED);
}

function failedObservation(view: JobSetView, condition: { readonly message?: string }) {
  const text = asString(condition.message);
  return {
    objects: [jobSetKey(view)],
    evidence: [conditionEvidence(jobSetKey(view), CONDITION_FAILED, text)],
  };
}

function getQueue({ jobSet }: JobSetView): string | undefined {
  return getLabel(jobSet, QUEUE_NAME_KEY);
}

function checkReconciled(view: JobSetView) {
  const { jobSet, facts, childJobs, events } = view;
  const isUntouched =
    asArray(jobSet.status?.conditions).length === 0 &&
    asArray(jobSet.status?.replicatedJobsStatus).length === 0 &&
    childJobs.length === 0 &&
    events.length === 0 &&
    (!hasDnsHostnames(jobSet) || isServiceThere(view) !== true) &&
    !isBeingDeleted(jobSet) &&
    getManager(view) === undefined;
  if (!isUntouched) return pass;
  const needed = hasDnsHostnames(jobSet) ? ["Job", "Event", "Service"] : ["Job", "Event"];
  const unread = needed.filter((kind) => !facts.wasRead(kind));
  if (unread.length > 0) return unknown(...unread);
  const evidence = [absenceEvidence(jobSetKey(view), "the status is empty", "status")];
  const text = "no controller has reconciled the JobSet yet";
  return fail(text, { objects: [jobSetKey(view)], evidence, ...ageSinceStart(view) });
}
