import { isSuspended, parseTime, type Unvalidated } from "@jobset-ts/api";
import { asString, findCondition, getName, isBeingDeleted } from "@jobset-ts/api/kubernetes";
import type { Evidence } from "@jobset-ts/checks";
import type { ObjectKey } from "@jobset-ts/core";
import {
  conditionEvidence,
  createKey,
  fieldEvidence,
  jobSetKey,
  type Observation,
} from "../../checks/check-results.ts";
import type { FindingId } from "../../checks/finding-ids.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { listMembers, type Workload } from "./kueue-objects.ts";

/** Why Kueue does not start a JobSet. */
export interface Hold extends Omit<Observation, "objects" | "evidence"> {
  readonly id: FindingId;
  readonly message: string;
  /** The objects in addition to the Workload and the JobSet. */
  readonly objects?: readonly ObjectKey[];
  /** The evidence in addition to the conditions of the Workload. */
  readonly evidence?: readonly Evidence[];
}

/** A JobSet that Kueue holds, with its Workload. */
export interface HeldJobSet {
  readonly view: JobSetView;
  readonly workload: Unvalidated<Workload>;
  readonly key: ObjectKey;
  /** `Workload` and its name. */
  readonly title: string;
}

export const MULTIKUEUE = "kueue.x-k8s.io/multikueue";

/** Reports whether Kueue decides when a JobSet starts: it is suspended, or MultiKueue runs it in another cluster. */
export function isHeld({ jobSet, isFinished }: JobSetView): boolean {
  if (isFinished || isBeingDeleted(jobSet)) return false;
  return isSuspended(jobSet) || jobSet.spec?.managedBy === MULTIKUEUE;
}

/** Returns a JobSet with its Workload. */
export function createHeld(view: JobSetView, workload: Unvalidated<Workload>): HeldJobSet {
  return {
    view,
    workload,
    key: createKey("Workload", workload),
    title: `Workload ${getName(workload)}`,
  };
}

/** Returns a condition of a Workload, with text for its unvalidated members. */
export function readCondition({ workload }: Pick<HeldJobSet, "workload">, type: string) {
  const found = findCondition(workload.status?.conditions, type);
  return {
    isFound: found !== undefined,
    isTrue: found?.status === "True",
    reason: asString(found?.reason),
    message: asString(found?.message),
    time: found?.lastTransitionTime,
  };
}

const shownConditions = ["Evicted", "Preempted", "PodsReady", "QuotaReserved"];

/** Returns the observation of a hold: its own evidence first, then the conditions of the Workload. */
export function observeHold({ view, workload, key }: HeldJobSet, hold: Hold): Observation {
  const { id: _, message, objects = [], evidence = [], ...rest } = hold;
  const conditions = shownConditions.flatMap((type) => {
    const condition = readCondition({ workload }, type);
    if (
      !condition.isFound ||
      (type !== "QuotaReserved" && type !== "PodsReady" && !condition.isTrue)
    )
      return [];
    const text = `${condition.reason}: ${condition.message}`;
    return message.includes(condition.message) && evidence.length > 0
      ? []
      : [conditionEvidence(key, type, text)];
  });
  const { requeueState } = workload.status ?? {};
  const requeueAt = parseTime(requeueState?.requeueAt);
  const requeue =
    requeueAt === undefined || requeueAt < view.now
      ? []
      : [fieldEvidence(key, "status.requeueState.requeueAt", asString(requeueState?.requeueAt))];
  return {
    ...rest,
    objects: [...objects, key, jobSetKey(view)],
    evidence: [...evidence, ...conditions, ...requeue],
  };
}

/** Returns the admission checks of a Workload that are not ready. */
export function listUnreadyChecks({ workload }: Pick<HeldJobSet, "workload">) {
  return listMembers(workload.status?.admissionChecks).filter(({ state }) => state !== "Ready");
}
