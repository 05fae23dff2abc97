import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
} from "@jobset-ts/api/conditions";

/** The state of the object that a pass reconciles. A JobSet is `Foreign` if it is being deleted or another controller manages it. */
export type ReconcileStage = "Alive" | "Finished" | "Foreign" | "Gone";

/**
 * An incorrect request of a controller, or a missing one. A code that ends in `Member` is about one field of an
 * object.
 */
export type ViolationCode =
  | "Hang"
  | "NoConvergence"
  | "EventSubject"
  | "EventType"
  | "EventReason"
  | "MissingEvent"
  | "RejectedRequest"
  | "OtherClientsMember"
  | "OtherJobSetsService"
  | "JobSetDeletion"
  | "JobSetMember"
  | "JobCreation"
  | "JobBeforeEarlierJobs"
  | "JobBeforeDependencies"
  | "JobBeforeItsTurn"
  | "JobDeletion"
  | "JobPropagationPolicy"
  | "ServiceExistence"
  | "ServiceMember"
  | "PersistentVolumeClaimExistence"
  | "PersistentVolumeClaimMember"
  | "PodDeletion"
  | "DisruptionTargetMember"
  | "NewOwnerMember"
  | "NewJobSetKeyMember"
  | "NewJobSuspendMember"
  | "NewJobSubdomainMember"
  | "NewJobPodSpecMember"
  | "NewJobUserKeyMember"
  | "NewJobMember"
  | "JobSuspensionMember"
  | "JobTemplateMember"
  | "JobScaleMember"
  | "JobCountMember"
  | "JobRestartCountMember"
  | "RestartsMember"
  | "CountedRestartsMember"
  | "InPlaceAttemptMember"
  | "ExecutionAttemptsMember"
  | "TransitionTimeMember"
  | "CompletedMember"
  | "FailedMember"
  | "RestartingMember"
  | "StatusMember"
  | "Other";

/** A request that a controller must not send, or one that it fails to send. */
export interface RequestViolation {
  readonly code: ViolationCode;
  /** The state of the reconciled object when the pass began. */
  readonly stage: ReconcileStage;
  /** The field that is wrong, as in `spec.template.spec.containers[0].image`. Undefined if the request as a whole is wrong. */
  readonly path?: string | undefined;
  readonly message: string;
}

/** Returns whether a pass hangs. This violates every law, because nothing can be checked after it. */
export function isHang({ code }: RequestViolation): boolean {
  return code === "Hang";
}

/** Returns the code for an object that a controller creates, deletes or deletes with a wrong propagation policy. */
export function getObjectCode(
  kind: string,
  operation: "creation" | "deletion" | "propagation",
): ViolationCode {
  switch (kind) {
    case "JobSet":
      return operation === "creation" ? "JobSetMember" : "JobSetDeletion";
    case "Job":
      if (operation === "propagation") return "JobPropagationPolicy";
      return operation === "creation" ? "JobCreation" : "JobDeletion";
    case "Service":
      return "ServiceExistence";
    case "PersistentVolumeClaim":
      return "PersistentVolumeClaimExistence";
    case "Pod":
      return operation === "creation" ? "Other" : "PodDeletion";
    default:
      return "Other";
  }
}

/** Returns the code for a field of an object that a controller creates. */
export function getNewMemberCode(kind: string, path: string): ViolationCode {
  const isKey = /^(spec\.template\.)?metadata\.(labels|annotations)\./.test(path);
  if (path.startsWith("metadata.ownerReferences")) return "NewOwnerMember";
  if (isKey && path.includes("jobset.sigs.k8s.io/")) return "NewJobSetKeyMember";
  if (kind !== "Job") return getMemberCode(kind, path);
  if (path === "spec.suspend") return "NewJobSuspendMember";
  if (path === "spec.template.spec.subdomain") return "NewJobSubdomainMember";
  if (path.startsWith("spec.template.spec")) return "NewJobPodSpecMember";
  return /^(spec\.template\.)?metadata\./.test(path) ? "NewJobUserKeyMember" : "NewJobMember";
}

/** Returns the code for a field of an existing object. */
export function getMemberCode(kind: string, path: string): ViolationCode {
  switch (kind) {
    case "JobSet":
      return getJobSetMemberCode(path);
    case "Job":
      if (path.startsWith("spec.template")) return "JobTemplateMember";
      return jobCodes.get(path) ?? "Other";
    case "Service":
      return "ServiceMember";
    case "PersistentVolumeClaim":
      return "PersistentVolumeClaimMember";
    default:
      return path.startsWith("status.conditions[DisruptionTarget]")
        ? "DisruptionTargetMember"
        : "Other";
  }
}

const jobCodes: ReadonlyMap<string, ViolationCode> = new Map([
  ["spec.suspend", "JobSuspensionMember"],
  ["status.startTime", "JobSuspensionMember"],
  ["spec.parallelism", "JobScaleMember"],
  ["spec.completions", "JobScaleMember"],
]);

function getJobSetMemberCode(path: string): ViolationCode {
  const [, member = "", key = "", below = ""] =
    /^status\.(\w+)(?:\[([^\]]*)\]\.?)?(.*)$/.exec(path) ?? [];
  if (member === "") return "JobSetMember";
  if (member === "conditions") {
    // The key of a duplicate ends in its number, as in `Completed, 2`.
    const isDuplicate = key.includes(",");
    if (below === "lastTransitionTime" && !isDuplicate) return "TransitionTimeMember";
    return conditionCodes.get(key) ?? "StatusMember";
  }
  if (member !== "replicatedJobsStatus") return statusCodes.get(member) ?? "StatusMember";
  if (below.startsWith("jobRestarts")) return "JobRestartCountMember";
  return JOB_COUNTS.has(below) ? "JobCountMember" : "StatusMember";
}

const JOB_COUNTS: ReadonlySet<string> = new Set([
  "ready",
  "succeeded",
  "failed",
  "active",
  "suspended",
]);

const statusCodes: ReadonlyMap<string, ViolationCode> = new Map([
  ["restarts", "RestartsMember"],
  ["restartsCountTowardsMax", "CountedRestartsMember"],
  ["currentInPlaceRestartAttempt", "InPlaceAttemptMember"],
  ["previousInPlaceRestartAttempt", "InPlaceAttemptMember"],
  ["executionAttempts", "ExecutionAttemptsMember"],
  ["terminalState", "FailedMember"],
]);

const conditionCodes: ReadonlyMap<string, ViolationCode> = new Map([
  [CONDITION_COMPLETED, "CompletedMember"],
  [CONDITION_FAILED, "FailedMember"],
  [CONDITION_RESTARTING, "RestartingMember"],
]);
