import { parseTime, type Unvalidated } from "@jobset-ts/api";
import {
  asInteger,
  asString,
  findCondition,
  getName,
  getNamespace,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { HeldJobSet } from "./hold.ts";
import { findKueueObject, KUEUE_GROUP, type LocalQueue, type Workload } from "./kueue-objects.ts";

/** Returns the Workload that a ClusterQueue in strict order has to admit first. Undefined if it is the Workload itself. */
export function findAhead(
  { view, workload }: HeldJobSet,
  clusterQueueName: string,
): Unvalidated<Workload> | undefined {
  const waiting = view.facts
    .objects<Workload>("Workload", KUEUE_GROUP)
    .filter((one) => {
      const { spec, status } = one;
      if (spec?.active === false || !isIn(view, one, clusterQueueName)) return false;
      return ["QuotaReserved", "Finished"].every(
        (type) => findCondition(status?.conditions, type)?.status !== "True",
      );
    })
    .sort(
      (one, other) =>
        asInteger(other.spec?.priority, 0) - asInteger(one.spec?.priority, 0) ||
        createdAt(one) - createdAt(other) ||
        compareBytes(getName(one), getName(other)),
    );
  return waiting[0] === workload ? undefined : waiting[0];
}

function isIn(view: HeldJobSet["view"], workload: Unvalidated<Workload>, clusterQueue: string) {
  const queue = asString(workload.spec?.queueName);
  const local = findKueueObject<LocalQueue>(view, "LocalQueue", getNamespace(workload), queue);
  return local?.spec?.clusterQueue === clusterQueue;
}

function createdAt({ metadata }: Unvalidated<Workload>): number {
  return parseTime(metadata?.creationTimestamp) ?? 0;
}
