import type { Unvalidated } from "@jobset-ts/api";
import { getLabel, getName } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { findTrueCondition } from "@jobset-ts/core/status";
import type { JobSetView } from "../../view/jobset-view.ts";
import { QUEUE_NAME_KEY } from "../../view/queue-name.ts";
import { type ChainedOwner, listOwnerChain } from "../owners/owner-chain.ts";
import {
  findKueueObject,
  KUEUE_GROUP,
  PREBUILT_WORKLOAD_KEY,
  type Workload,
} from "./kueue-objects.ts";

/**
 * Returns the Workload of a JobSet or of a controller above it. If there are several, returns the unfinished one,
 * then the newest, because a Workload that scales has one for each size.
 */
export function findWorkload(view: JobSetView): Unvalidated<Workload> | undefined {
  for (const { uid, object } of listOwnerChain(view)) {
    const prebuilt = object === undefined ? undefined : getLabel(object, PREBUILT_WORKLOAD_KEY);
    if (prebuilt !== undefined) {
      const workload = findKueueObject<Workload>(view, "Workload", view.namespace, prebuilt);
      if (workload !== undefined) return workload;
    }
    const [workload] = findWorkloadsOf(view, uid);
    if (workload !== undefined) return workload;
  }
  return undefined;
}

/** Returns the Workloads that the object with a UID controls, the current one first. */
export function findWorkloadsOf(
  { facts }: Pick<JobSetView, "facts">,
  uid: string,
): readonly Unvalidated<Workload>[] {
  if (uid === "") return [];
  const createdAt = ({ metadata }: Unvalidated<Workload>) => {
    const time: unknown = metadata?.creationTimestamp;
    return typeof time === "string" ? time : "";
  };
  return [...facts.controlledBy<Workload>(uid, "Workload", KUEUE_GROUP)].sort(
    (one, other) =>
      Number(isTrue(one, "Finished")) - Number(isTrue(other, "Finished")) ||
      compareBytes(createdAt(other), createdAt(one)) ||
      compareBytes(getName(one), getName(other)),
  );
}

/** Reports whether a condition of a Workload is true. */
function isTrue(workload: Unvalidated<Workload>, type: string): boolean {
  return findTrueCondition(workload.status?.conditions, type) !== undefined;
}

/** Returns the object that carries the name of the queue, with the name. */
export function findQueued(
  view: JobSetView,
): { readonly queued: ChainedOwner; readonly queue: string } | undefined {
  for (const queued of listOwnerChain(view)) {
    const queue = queued.object === undefined ? undefined : getLabel(queued.object, QUEUE_NAME_KEY);
    if (queue !== undefined && queue !== "") return { queued, queue };
  }
  return undefined;
}
