import { parseTime } from "@jobset-ts/api";
import { duplicate, type FieldError, invalid, required } from "@jobset-ts/api/errors";
import { type Job, type JobStatus, listOf } from "@jobset-ts/api/kubernetes";
import {
  FAILURE_TARGET,
  JOB_COMPLETE,
  JOB_FAILED,
  JOB_SUSPENDED,
  SUCCESS_CRITERIA_MET,
} from "../../job-controller/batch-names.ts";
import { indexListFault, parseIndexes } from "../../job-controller/index-set.ts";
import { isTrue } from "../conditions.ts";
import { unshown } from "./job-policy-errors.ts";

/** What is wrong with a status that somebody writes. */
export function jobStatusErrors(after: Job, before: Job): readonly FieldError[] {
  const status = after.status ?? {};
  return [
    ...countErrors(status),
    ...endErrors(after),
    ...(isIndexChange(status, before.status ?? {}) ? indexErrors(after) : []),
    ...changeErrors(after, before),
  ];
}

const COUNTS = ["active", "succeeded", "failed", "ready", "terminating"] as const;

function countErrors(status: JobStatus): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const member of COUNTS) {
    const count = status[member] ?? 0;
    if (count < 0) {
      errors.push(invalid(`status.${member}`, count, "must be greater than or equal to 0"));
    }
  }
  const seen = new Set<unknown>();
  for (const member of ["succeeded", "failed"]) {
    const uids: readonly unknown[] = listOf(status.uncountedTerminatedPods?.[member]);
    for (const [at, uid] of uids.entries()) {
      const field = `status.uncountedTerminatedPods.${member}[${at}]`;
      if (!uid) errors.push(invalid(field, uid, "must not be empty"));
      else if (seen.has(uid)) errors.push(duplicate(field, uid));
      seen.add(uid);
    }
  }
  const { ready = 0, active = 0 } = status;
  if (ready > active) {
    errors.push(invalid("status.ready", ready, "cannot set more ready pods than active"));
  }
  return errors;
}

/** Which conditions go together, and what else a Job that has ended must say. */
function endErrors({ spec, status = {} }: Job): readonly FieldError[] {
  const errors: FieldError[] = [];
  const claim = (isWrong: boolean, detail: string) => {
    if (isWrong) errors.push(unshown("status.conditions", detail));
  };
  const [isComplete, hasFailed] = [
    isTrue(status.conditions, JOB_COMPLETE),
    isTrue(status.conditions, JOB_FAILED),
  ];
  const [isSuccess, isFailure] = [
    isTrue(status.conditions, SUCCESS_CRITERIA_MET),
    isTrue(status.conditions, FAILURE_TARGET),
  ];
  claim(isComplete && hasFailed, "cannot set Complete=True and Failed=true conditions");
  claim(isComplete && isFailure, "cannot set Complete=True and FailureTarget=true conditions");
  errors.push(...completionTimeErrors(status, isComplete));
  claim(
    hasFailed && !isFailure,
    "cannot set Failed=True condition without the FailureTarget=true condition",
  );
  claim(
    isComplete && !isSuccess,
    "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
  );
  if (isComplete || hasFailed) errors.push(...endedErrors(status, spec.suspend === true));
  claim(isSuccess && hasFailed, "cannot set SuccessCriteriaMet=True and Failed=true conditions");
  claim(
    isSuccess && isFailure,
    "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
  );
  return errors;
}

function completionTimeErrors(
  { completionTime, startTime }: JobStatus,
  isComplete: boolean,
): readonly FieldError[] {
  const field = "status.completionTime";
  if (completionTime === undefined) {
    return isComplete ? [required(field, "completionTime is required for Complete jobs")] : [];
  }
  const errors: FieldError[] = [];
  if (!isComplete) {
    const detail = "cannot set completionTime when there is no Complete=True condition";
    errors.push(invalid(field, completionTime, detail));
  }
  const [start, end] = [parseTime(startTime), parseTime(completionTime)];
  if (start !== undefined && end !== undefined && end < start) {
    const detail = "completionTime cannot be set before startTime";
    errors.push(invalid(field, completionTime, detail));
  }
  return errors;
}

function endedErrors(status: JobStatus, isSuspended: boolean): readonly FieldError[] {
  const { active = 0, terminating = 0, startTime, uncountedTerminatedPods } = status;
  const errors: FieldError[] = [];
  if (active > 0) {
    errors.push(invalid("status.active", active, "active>0 is invalid for finished job"));
  }
  // A suspended Job has none, and can end all the same.
  if (startTime === undefined && !isSuspended) {
    errors.push(required("status.startTime", "startTime is required for finished job"));
  }
  const { succeeded, failed } = uncountedTerminatedPods ?? {};
  if (listOf(succeeded).length + listOf(failed).length > 0) {
    const detail = "uncountedTerminatedPods needs to be empty for finished job";
    errors.push(invalid("status.uncountedTerminatedPods", uncountedTerminatedPods, detail));
  }
  if (terminating > 0) {
    const detail = "terminating>0 is invalid for finished job";
    errors.push(invalid("status.terminating", terminating, detail));
  }
  return errors;
}

/** A Job that was scaled down keeps indexes that it has no more, until its controller writes them anew. */
function isIndexChange(status: JobStatus, before: JobStatus): boolean {
  const { completedIndexes, failedIndexes } = status;
  return completedIndexes !== before.completedIndexes || failedIndexes !== before.failedIndexes;
}

function indexErrors({ spec, status = {} }: Job): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { completedIndexes, failedIndexes } = status;
  const completions = spec.completions ?? 0;
  for (const member of ["completedIndexes", "failedIndexes"] as const) {
    const fault = indexListFault(status[member], completions);
    if (spec.completions === undefined || fault === undefined) continue;
    const detail = `error parsing ${member}: ${fault}`;
    errors.push(invalid(`status.${member}`, status[member], detail));
  }
  if (completedIndexes && spec.completionMode !== "Indexed") {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.push(invalid("status.completedIndexes", completedIndexes, detail));
  }
  if (failedIndexes === undefined) return errors;
  if (spec.backoffLimitPerIndex === undefined) {
    const detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.push(invalid("status.failedIndexes", failedIndexes, detail));
  }
  const completed = parseIndexes(completedIndexes, completions);
  const both = [...parseIndexes(failedIndexes, completions)].find((index) => completed.has(index));
  if (both !== undefined) {
    const detail = `failedIndexes and completedIndexes overlap at index: ${both}`;
    errors.push(invalid("status.failedIndexes", failedIndexes, detail));
  }
  return errors;
}

/** What may not come of a status that was there. */
function changeErrors(after: Job, before: Job): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [status, old] = [after.status ?? {}, before.status ?? {}];
  const isLost = (type: string) => isTrue(old.conditions, type) && !isTrue(status.conditions, type);
  for (const type of [JOB_FAILED, JOB_COMPLETE, FAILURE_TARGET].filter(isLost)) {
    errors.push(unshown("status.conditions", `cannot disable the terminal ${type}=True condition`));
  }
  const [failed, succeeded] = [status.failed ?? 0, status.succeeded ?? 0];
  if (failed < (old.failed ?? 0)) {
    errors.push(invalid("status.failed", failed, "cannot decrease the failed counter"));
  }
  if (succeeded < (old.succeeded ?? 0) && !isElastic(after)) {
    errors.push(invalid("status.succeeded", succeeded, "cannot decrease the succeeded counter"));
  }
  const { completionTime, startTime } = status;
  if (completionTime && old.completionTime && completionTime !== old.completionTime) {
    const detail = "completionTime cannot be mutated";
    errors.push(invalid("status.completionTime", completionTime, detail));
  }
  const isResumed =
    isTrue(old.conditions, JOB_SUSPENDED) && !isTrue(status.conditions, JOB_SUSPENDED);
  if (old.startTime && startTime !== old.startTime && !after.spec.suspend && !isResumed) {
    const detail = "field is immutable for unsuspended job once set";
    errors.push(invalid("status.startTime", startTime ?? null, detail));
  }
  if (isLost(SUCCESS_CRITERIA_MET)) {
    const detail = "cannot disable the SuccessCriteriaMet=True condition";
    errors.push(unshown("status.conditions", detail));
  }
  return errors;
}

/** Whether the completions of a Job may fall, and what has succeeded with them. */
function isElastic({ spec }: Job): boolean {
  return spec.completionMode === "Indexed" && spec.completions === spec.parallelism;
}
