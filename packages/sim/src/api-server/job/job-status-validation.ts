import { parseTime } from "@jobset-ts/api";
import { duplicate, type FieldError, invalid, required } from "@jobset-ts/api/errors";
import {
  asArray,
  asString,
  findCondition,
  isEqualJson,
  type Job,
  type JobSpec,
  type JobStatus,
} from "@jobset-ts/api/kubernetes";
import { readIndexList } from "@jobset-ts/crd/job";
import { isConditionTrue } from "../conditions.ts";
import {
  FAILURE_TARGET,
  JOB_COMPLETE,
  JOB_FAILED,
  JOB_SUSPENDED,
  SUCCESS_CRITERIA_MET,
} from "./batch-constants.ts";
import { parseIndexes } from "./index-set.ts";

/**
 * Validates a status update. A rule applies only if the update changes a member that it covers, because the old status
 * may violate the rule already, for example after a scale-down.
 */
export function validateJobStatus(after: Job, before: Job): readonly FieldError[] {
  const change = createStatusChange(after, before);
  return [
    ...validateCounts(after.status ?? {}),
    ...validateConditions(change),
    ...validateFinishedStatus(change),
    ...validateIndexes(change),
    ...validateCombinations(change),
    ...validateTransitions(change),
  ];
}

/** A status before and after a write, and what the write changes. */
interface StatusChange {
  readonly spec: JobSpec;
  readonly status: JobStatus;
  readonly old: JobStatus;
  /** Whether the write changes any of these members. */
  readonly hasChanged: (...members: readonly (keyof JobStatus)[]) => boolean;
  /** Whether the write changes any of these conditions to or from true. */
  readonly conditionChanged: (...types: readonly string[]) => boolean;
  readonly isTrue: (type: string) => boolean;
  readonly wasTrue: (type: string) => boolean;
  readonly isFinished: boolean;
  /** Whether the write finishes the Job, or reopens it. */
  readonly finishedChanged: boolean;
}

function createStatusChange({ spec, status = {} }: Job, before: Job): StatusChange {
  const old = before.status ?? {};
  const is = (type: string) => isConditionTrue(status.conditions, type);
  const was = (type: string) => isConditionTrue(old.conditions, type);
  const hasEnded = is(JOB_COMPLETE) || is(JOB_FAILED);
  return {
    spec,
    status,
    old,
    hasChanged: (...members) =>
      members.some((name) => !isEqualJson(readMember(status, name), readMember(old, name))),
    conditionChanged: (...types) => types.some((type) => is(type) !== was(type)),
    isTrue: is,
    wasTrue: was,
    isFinished: hasEnded,
    finishedChanged: hasEnded !== (was(JOB_COMPLETE) || was(JOB_FAILED)),
  };
}

/** Returns a member as Go reads it: the active count and the completed indexes are never absent. */
function readMember(status: JobStatus, member: keyof JobStatus): unknown {
  if (member === "active") return status.active ?? 0;
  return member === "completedIndexes" ? (status.completedIndexes ?? "") : status[member];
}

const COUNTS = ["active", "succeeded", "failed", "ready", "terminating"] as const;

function validateCounts(status: JobStatus): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const member of COUNTS) {
    const count = status[member] ?? 0;
    if (count < 0) {
      errors.push(invalid(`status.${member}`, count, "must be greater than or equal to 0"));
    }
  }
  const seen = new Set<unknown>();
  for (const member of ["succeeded", "failed"]) {
    const uids: readonly unknown[] = asArray(status.uncountedTerminatedPods?.[member]);
    for (const [at, uid] of uids.entries()) {
      const field = `status.uncountedTerminatedPods.${member}[${at}]`;
      if (!uid) errors.push(invalid(field, uid, "must not be empty"));
      else if (seen.has(uid)) errors.push(duplicate(field, uid));
      seen.add(uid);
    }
  }
  return errors;
}

/** Validates conditions against each other and against the completion time. */
function validateConditions(change: StatusChange): readonly FieldError[] {
  const { isTrue: is, conditionChanged, hasChanged } = change;
  const errors: FieldError[] = [];
  if (conditionChanged(JOB_COMPLETE, JOB_FAILED) && is(JOB_COMPLETE) && is(JOB_FAILED)) {
    errors.push(createConditionsError("cannot set Complete=True and Failed=true conditions"));
  }
  if (conditionChanged(JOB_COMPLETE, FAILURE_TARGET) && is(JOB_COMPLETE) && is(FAILURE_TARGET)) {
    errors.push(
      createConditionsError("cannot set Complete=True and FailureTarget=true conditions"),
    );
  }
  errors.push(...validateCompletionTime(change));
  if (
    (conditionChanged(JOB_FAILED) || hasChanged("failedIndexes")) &&
    is(JOB_FAILED) &&
    !is(FAILURE_TARGET)
  ) {
    errors.push(
      createConditionsError(
        "cannot set Failed=True condition without the FailureTarget=true condition",
      ),
    );
  }
  if (
    conditionChanged(JOB_COMPLETE, SUCCESS_CRITERIA_MET) &&
    is(JOB_COMPLETE) &&
    !is(SUCCESS_CRITERIA_MET)
  ) {
    errors.push(
      createConditionsError(
        "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
      ),
    );
  }
  return errors;
}

function validateCompletionTime({
  status: { completionTime, startTime },
  isTrue: is,
  conditionChanged,
  hasChanged,
}: StatusChange): readonly FieldError[] {
  const field = "status.completionTime";
  const errors: FieldError[] = [];
  if (conditionChanged(JOB_COMPLETE) || hasChanged("completionTime")) {
    if (completionTime !== undefined && !is(JOB_COMPLETE)) {
      const detail = "cannot set completionTime when there is no Complete=True condition";
      errors.push(invalid(field, completionTime, detail));
    }
    if (completionTime === undefined && is(JOB_COMPLETE)) {
      errors.push(required(field, "completionTime is required for Complete jobs"));
    }
  }
  if (hasChanged("startTime", "completionTime") && isEarlier(completionTime, startTime)) {
    errors.push(invalid(field, completionTime, "must be equal to or after `startTime`"));
  }
  return errors;
}

function isEarlier(end: string | undefined, start: string | undefined): boolean {
  const [endsAt, startsAt] = [parseTime(end), parseTime(start)];
  return startsAt !== undefined && endsAt !== undefined && endsAt < startsAt;
}

/** Validates the fields that a finished Job must have or must not have. */
function validateFinishedStatus({
  spec,
  status,
  isFinished,
  finishedChanged,
  hasChanged,
}: StatusChange) {
  const errors: FieldError[] = [];
  if (!isFinished) return errors;
  const { active = 0, startTime, uncountedTerminatedPods } = status;
  if (active > 0 && (finishedChanged || hasChanged("active"))) {
    errors.push(invalid("status.active", active, "active>0 is invalid for finished job"));
  }
  // A suspended Job without Pods completes and never starts.
  const neverStarts = spec.suspend === true && spec.completions === 0;
  if (startTime === undefined && !neverStarts && (finishedChanged || hasChanged("startTime"))) {
    errors.push(required("status.startTime", "startTime is required for finished job"));
  }
  const { succeeded, failed } = uncountedTerminatedPods ?? {};
  const uncounted = asArray(succeeded).length + asArray(failed).length;
  if (uncounted > 0 && (finishedChanged || hasChanged("uncountedTerminatedPods"))) {
    const field = "status.uncountedTerminatedPods";
    errors.push(invalid(field, uncountedTerminatedPods, "must be empty for finished job"));
  }
  return errors;
}

function validateIndexes({ spec, status, hasChanged }: StatusChange): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { completions, backoffLimitPerIndex } = spec;
  const { completedIndexes, failedIndexes } = status;
  const [isCompletedOther, isFailedOther] = [
    hasChanged("completedIndexes"),
    hasChanged("failedIndexes"),
  ];
  const parse = (member: "completedIndexes" | "failedIndexes") => {
    if (completions === undefined) return;
    const list = readIndexList(asString(status[member]), completions);
    if (list.ok) return;
    const detail = `error parsing ${member}: ${list.message}`;
    errors.push(invalid(`status.${member}`, status[member], detail));
  };
  if (isCompletedOther) parse("completedIndexes");
  if (isFailedOther && backoffLimitPerIndex !== undefined) parse("failedIndexes");
  if (isCompletedOther && completedIndexes && spec.completionMode !== "Indexed") {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.push(invalid("status.completedIndexes", completedIndexes, detail));
  }
  if (isFailedOther && failedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    const detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.push(invalid("status.failedIndexes", failedIndexes, detail));
  }
  if (!isCompletedOther && !isFailedOther) return errors;
  const completed = parseIndexes(completedIndexes, completions ?? 0);
  const failed = parseIndexes(failedIndexes, completions ?? 0);
  const both = [...failed].find((index) => completed.has(index));
  if (both !== undefined) {
    const detail = `failedIndexes and completedIndexes overlap at index: ${both}`;
    errors.push(invalid("status.failedIndexes", failedIndexes, detail));
  }
  return errors;
}

/** Validates combinations: the Pod counts, and the conditions that announce the finish. */
function validateCombinations(change: StatusChange): readonly FieldError[] {
  const { spec, status, isTrue: is, isFinished, finishedChanged, hasChanged } = change;
  const errors: FieldError[] = [];
  const { active = 0, ready, terminating = 0 } = status;
  if (terminating > 0 && isFinished && (finishedChanged || hasChanged("terminating"))) {
    const detail = "terminating>0 is invalid for finished job";
    errors.push(invalid("status.terminating", terminating, detail));
  }
  if (ready !== undefined && ready > active && hasChanged("ready", "active")) {
    errors.push(invalid("status.ready", ready, "cannot set more ready pods than active"));
  }
  const isMet = is(SUCCESS_CRITERIA_MET);
  if (isMet && is(JOB_FAILED)) {
    errors.push(
      createConditionsError("cannot set SuccessCriteriaMet=True and Failed=true conditions"),
    );
  }
  if (isMet && is(FAILURE_TARGET)) {
    errors.push(
      createConditionsError("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"),
    );
  }
  if (spec.successPolicy !== undefined && is(JOB_COMPLETE) && !isMet) {
    const detail =
      "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
    errors.push(createConditionsError(detail));
  }
  return errors;
}

/** Validates that a status update does not revert anything. */
function validateTransitions(change: StatusChange): readonly FieldError[] {
  const { spec, status, old, isTrue: is, wasTrue: was } = change;
  const errors: FieldError[] = [];
  const isLost = (type: string) => was(type) && !is(type);
  for (const type of [JOB_FAILED, JOB_COMPLETE, FAILURE_TARGET].filter(isLost)) {
    errors.push(createConditionsError(`cannot disable the terminal ${type}=True condition`));
  }
  const [failed, succeeded] = [status.failed ?? 0, status.succeeded ?? 0];
  if (failed < (old.failed ?? 0)) {
    errors.push(invalid("status.failed", failed, "cannot decrease the failed counter"));
  }
  if (succeeded < (old.succeeded ?? 0) && !isElastic(spec)) {
    errors.push(invalid("status.succeeded", succeeded, "cannot decrease the succeeded counter"));
  }
  const { completionTime, startTime } = status;
  if (completionTime && old.completionTime && completionTime !== old.completionTime) {
    errors.push(invalid("status.completionTime", completionTime, "field is immutable"));
  }
  const isResumed =
    was(JOB_SUSPENDED) && findCondition(status.conditions, JOB_SUSPENDED)?.status === "False";
  if (old.startTime && startTime !== old.startTime && !spec.suspend && !isResumed) {
    const detail = "field is immutable for unsuspended job once set";
    errors.push(invalid("status.startTime", startTime ?? null, detail));
  }
  if (isLost(SUCCESS_CRITERIA_MET)) {
    errors.push(createConditionsError("cannot disable the SuccessCriteriaMet=True condition"));
  }
  if (was(JOB_COMPLETE) && !was(SUCCESS_CRITERIA_MET) && is(SUCCESS_CRITERIA_MET)) {
    const detail =
      "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
    errors.push(createConditionsError(detail));
  }
  return errors;
}

function createConditionsError(detail: string): FieldError {
  return {
    type: "FieldValueInvalid",
    field: "status.conditions",
    body: `Invalid value: ${detail}`,
  };
}

/** Returns whether an update can lower the completions of a Job, and with them its succeeded Pods. */
function isElastic({ completionMode, completions, parallelism }: JobSpec): boolean {
  return completionMode === "Indexed" && completions === parallelism;
}
