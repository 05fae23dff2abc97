import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { CONDITION_RESTARTING, jobSetReasons } from "@jobset-ts/api/conditions";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  asInteger,
  asRecord,
  asString,
  type Event,
  getLabel,
  isObject,
  type Job,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { SNAPSHOT_KINDS } from "@jobset-ts/core";
import { isFinished } from "@jobset-ts/core/policies";
import { findTrueCondition } from "@jobset-ts/core/status";
import { diagnosedKinds } from "@jobset-ts/diagnose";
import { allChecks } from "@jobset-ts/diagnose/all";
import type { FileInput } from "../../input/cluster.ts";
import type { InputObject } from "../../input/objects.ts";

/**
 * Returns the kinds that were requested from the cluster. A single list with several kinds is the output of one kubectl
 * command, so it contains every requested kind, even without objects. For other files, only the kind of a typed list is
 * known to be complete.
 */
export function findRequestedKinds({ documents, objects }: FileInput): readonly string[] {
  const [first] = documents;
  const isOneList = documents.length === 1 && first?.apiVersion === "v1" && first.kind === "List";
  const occurring = new Set(objects.map(({ value }) => value.kind));
  if (isOneList && occurring.size > 1) {
    // Not every cluster serves the other kinds. Those that are read together occur together, except for Karpenter's.
    const groups = allChecks.map(({ kinds }) => kinds.filter((kind) => !KARPENTER.includes(kind)));
    const others = groups.filter((kinds) => kinds.some((kind) => occurring.has(kind)));
    const requested = [...diagnosedKinds, ...others.flat(), ...KARPENTER];
    // A user who has omitted one kind may have omitted others.
    if (objects.some(({ value }) => refersToOmittedKind(value, occurring)))
      return requested.filter((kind) => occurring.has(kind));
    const omitted = new Set<string>();
    // Pods cannot run without nodes, so a user who may only read a namespace has written the list.
    const isPodOnNode = ({ value }: InputObject) => value.kind === "Pod" && isOnNode(value);
    if (!occurring.has("Node") && objects.some(isPodOnNode)) omitted.add("Node");
    // The controller creates the Service of a JobSet before its Jobs.
    const hasEvent = (reason: string) =>
      objects.some(
        ({ value }) => value.kind === "Event" && (value as Unvalidated<Event>).reason === reason,
      );
    const hasService = objects.some(isChildJob) || hasEvent(jobSetReasons.JobCreationFailed);
    if (!occurring.has("Service") && hasService && !hasEvent(jobSetReasons.ServiceCreationFailed)) {
      omitted.add("Service");
    }
    return requested.filter((kind) => !omitted.has(kind));
  }
  const childJobs = objects.filter(isChildJob);
  const isWithoutPods = childJobs.length > 0 && !childJobs.some(hasPods);
  return diagnosedKinds.filter((kind) => {
    if (kind === "Pod" && isWithoutPods && !occurring.has("Pod")) return true;
    const apiVersion = SNAPSHOT_KINDS.get(kind)?.apiVersion;
    return documents.some((one) => one.kind === `${kind}List` && one.apiVersion === apiVersion);
  });
}

const KARPENTER: readonly string[] = ["NodeClaim", "NodePool"];

function isChildJob({ value }: InputObject): boolean {
  return value.kind === "Job" && getLabel(value, JOBSET_NAME_KEY) !== undefined;
}

/** Reports whether a Job has or had Pods, or does not count them yet. */
function hasPods({ value }: InputObject): boolean {
  const { status } = value as Unvalidated<Job>;
  const { startTime, active, succeeded, failed, terminating } = asRecord(status);
  return (
    startTime === undefined ||
    [active, succeeded, failed, terminating].some((count) => asInteger(count, 0) !== 0)
  );
}

/** Reports whether an object shows that there are Jobs or Pods, although the list has none. */
function refersToOmittedKind(
  value: InputObject["value"],
  occurring: ReadonlySet<unknown>,
): boolean {
  switch (value.kind) {
    case "Job":
      return !occurring.has("Pod") && countActive((value as Unvalidated<Job>).status) > 0;
    case "Pod":
      return (
        !occurring.has("Job") && isOnNode(value) && getLabel(value, JOBSET_NAME_KEY) !== undefined
      );
    case "JobSet":
      return !occurring.has("Job") && hasActiveJobs(value);
    default:
      return false;
  }
}

/** Reports whether the status of a JobSet counts active or ready Jobs. During a restart, it counts earlier Jobs. */
function hasActiveJobs(jobSet: Unvalidated<JobSet>): boolean {
  const { conditions, replicatedJobsStatus } = asRecord(jobSet.status);
  if (isFinished(jobSet) || asString(jobSet.spec?.managedBy) !== "") return false;
  if (findTrueCondition(conditions, CONDITION_RESTARTING) !== undefined) return false;
  return asArray(replicatedJobsStatus).some((entry) => isObject(entry) && countActive(entry) > 0);
}

/** Returns a number above 0 if a status counts active or ready Pods or Jobs. */
function countActive(
  status: { readonly active?: unknown; readonly ready?: unknown } | undefined,
): number {
  return asInteger(status?.active, 0) + asInteger(status?.ready, 0);
}

/** Reports whether a Pod has a node. */
export function isOnNode({ spec }: Unvalidated<Pod>): boolean {
  return asString(asRecord(spec).nodeName) !== "";
}
