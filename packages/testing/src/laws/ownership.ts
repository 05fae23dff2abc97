// The owners of fields: JobSet's controller, the user's templates, the API server, or another client.
import type { JobSetConditionType } from "@jobset-ts/api/conditions";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  CONDITION_STARTUP_COMPLETED,
  CONDITION_STARTUP_IN_PROGRESS,
  CONDITION_SUSPENDED,
} from "@jobset-ts/api/conditions";
import { getShape } from "@jobset-ts/api/typed";
import type { MemberOwner } from "./controller-case.ts";

const conditionTypes: ReadonlySet<unknown> = new Set<JobSetConditionType>([
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_SUSPENDED,
  CONDITION_RESTARTING,
  CONDITION_STARTUP_IN_PROGRESS,
  CONDITION_STARTUP_COMPLETED,
]);

/** Returns whether JobSet defines a condition type. */
export function isJobSetCondition(type: unknown): boolean {
  return conditionTypes.has(type);
}

/** The status fields that JobSet defines. */
export const jobSetStatusMembers: ReadonlySet<string> = new Set([
  ...getShape("JobSetStatus").byName.keys(),
  // Added in the next release.
  "executionAttempts",
]);

/** Returns the owner of a field of a JobSet or of an object that a JobSet controls, by the path of a leaf. */
export function getOwner(kind: string, path: string): MemberOwner {
  if (/^metadata\.(labels|annotations|finalizers|ownerReferences)\b/.test(path))
    return JOBSET_KEY.test(path) ? "JobSet" : "Anybody";
  if (kind === "JobSet") return ownerInJobSet(path);
  if (kind === "Service" && !WRITTEN_IN_SERVICES.test(path)) return "Others";
  if (kind === "PersistentVolumeClaim") return "Others";
  if (kind === "Job" && /^(spec|status)\./.test(path) && !CHANGED_IN_JOBS.test(path))
    return "Others";
  return "JobSet";
}

function ownerInJobSet(path: string): MemberOwner {
  const [, member = ""] = /^status\.(\w+)/.exec(path) ?? [];
  if (member === "") return "JobSet";
  if (!jobSetStatusMembers.has(member)) return "Anybody";
  const [, type] = /^status\.conditions\[([^,\]]*)/.exec(path) ?? [];
  return type === undefined || isJobSetCondition(type) ? "JobSet" : "Anybody";
}

const JOBSET_KEY = /^metadata\.(labels|annotations)\.(alpha\.)?jobset\.sigs\.k8s\.io\//;

/** The fields that JobSet writes in its Service. */
const WRITTEN_IN_SERVICES = /^spec\.(clusterIP|selector\..*|publishNotReadyAddresses)$/;

/** The fields that JobSet changes in a Job. */
const CHANGED_IN_JOBS =
  /^(spec\.(suspend|parallelism|completions|template\b.*)|status\.startTime)$/;
