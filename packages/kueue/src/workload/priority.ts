import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { asInteger, asString, getLabel, getName } from "@jobset-ts/api/kubernetes";
import { compareBytes, goQuote } from "@jobset-ts/api/text";
import { PRIORITY_CLASS_KEY } from "../keys.ts";
import { findNamed, type KueueCluster, type PriorityClass } from "../objects/cluster.ts";
import type { KueueEvent } from "../objects/event.ts";
import { failResult, type KueueResult, notFoundMessage } from "../objects/kueue-error.ts";
import { listObjects } from "../objects/members.ts";
import {
  hasQuotaReserved,
  type PodSet,
  type PriorityClassRef,
  type Workload,
} from "../objects/workload.ts";

/** The classes that define priorities. */
export type PriorityClasses = Pick<KueueCluster, "workloadPriorityClasses" | "priorityClasses">;

/** The priority of a Workload, and the class that defines it. */
export interface WorkloadPriority {
  readonly priority: number;
  readonly priorityClassRef?: PriorityClassRef;
}

/**
 * Returns the priority of a JobSet's Workload. It comes from the JobSet's label, otherwise from the first Pod set that
 * names a class, otherwise from the global default class, otherwise it is 0. If there are several global default
 * classes, the lowest value and then the smallest name wins.
 *
 * @returns an error if a named class does not exist
 * @example
 * const jobSet = { metadata: { labels: { "kueue.x-k8s.io/priority-class": "high" } } };
 * const priority = workloadPriority(jobSet, [], { workloadPriorityClasses: [{ metadata: { name: "high" }, value: 7 }] });
 * priority.ok && priority.value.priority // => 7
 */
export function workloadPriority(
  jobSet: Unvalidated<JobSet>,
  podSets: readonly Unvalidated<PodSet>[],
  classes: PriorityClasses,
): KueueResult<WorkloadPriority> {
  const label = getLabel(jobSet, PRIORITY_CLASS_KEY) ?? "";
  if (label !== "") {
    const found = findNamed(classes?.workloadPriorityClasses, label);
    if (found !== undefined)
      return { ok: true, value: createPriority("kueue.x-k8s.io", "WorkloadPriorityClass", found) };
    const message = notFoundMessage("workloadpriorityclasses.kueue.x-k8s.io", label);
    return failResult("NotFound", message, classNotFoundEvent(label));
  }
  const name = firstPriorityClassName(podSets);
  if (name !== undefined) {
    const found = findNamed(classes?.priorityClasses, name);
    if (found !== undefined)
      return { ok: true, value: createPriority("scheduling.k8s.io", "PriorityClass", found) };
    return failResult("NotFound", notFoundMessage("priorityclasses.scheduling.k8s.io", name));
  }
  const everybodys = globalDefault(classes);
  return {
    ok: true,
    value:
      everybodys === undefined
        ? { priority: 0 }
        : createPriority("scheduling.k8s.io", "PriorityClass", everybodys),
  };
}

function createPriority(
  group: string,
  kind: string,
  found: Unvalidated<PriorityClass>,
): WorkloadPriority {
  const name = getName(found as { metadata: { name: string } });
  return { priority: asInteger(found.value, 0), priorityClassRef: { group, kind, name } };
}

function classNotFoundEvent(name: string): KueueEvent {
  return {
    type: "Warning",
    reason: "WorkloadPriorityClassNotFound",
    message: `WorkloadPriorityClass ${goQuote(name)} not found`,
  };
}

function firstPriorityClassName(podSets: readonly Unvalidated<PodSet>[]): string | undefined {
  return listObjects(podSets)
    .map(({ template }) => asString(template?.spec?.priorityClassName))
    .find((name) => name !== "");
}

function globalDefault(classes: PriorityClasses): Unvalidated<PriorityClass> | undefined {
  const name = (one: Unvalidated<PriorityClass>) => asString(one.metadata?.name);
  return listObjects(classes?.priorityClasses)
    .filter(({ globalDefault }) => globalDefault === true)
    .sort(
      (left, right) =>
        asInteger(left.value, 0) - asInteger(right.value, 0) ||
        compareBytes(name(left), name(right)),
    )[0];
}

/** The change of a Workload's priority in a reconcile of its JobSet. */
export type PriorityChange =
  | { readonly action: "Keep" }
  | ({ readonly action: "Update" } & WorkloadPriority);

/**
 * Decides whether a Workload adopts the changed priority label of its JobSet. It does not while its priority comes from
 * a PriorityClass, or while it holds quota without any class. A changed value of the same class has no effect.
 *
 * @returns an error if the newly named class does not exist
 * @example
 * const workload = { spec: { priority: 7, priorityClassRef: { group: "g", kind: "WorkloadPriorityClass", name: "high" } } };
 * const change = priorityChange({}, workload, {});
 * change.ok && change.value // => { action: "Update", priority: 0 }
 */
export function priorityChange(
  jobSet: Unvalidated<JobSet>,
  workload: Unvalidated<Workload>,
  classes: PriorityClasses,
): KueueResult<PriorityChange> {
  const keep = { ok: true, value: { action: "Keep" } } as const;
  const ref = workload?.spec?.priorityClassRef ?? undefined;
  if (ref?.kind === "PriorityClass") return keep;
  if (ref === undefined && hasQuotaReserved(workload)) return keep;
  if ((getLabel(jobSet, PRIORITY_CLASS_KEY) ?? "") === asString(ref?.name)) return keep;
  const desired = workloadPriority(jobSet, listObjects(workload?.spec?.podSets), classes);
  if (!desired.ok) {
    const message = `prepare workload priority: ${desired.refusal.message}`;
    return failResult("NotFound", message, desired.refusal.event);
  }
  const { priority, priorityClassRef } = desired.value;
  const isSame =
    priority === asInteger(workload?.spec?.priority, 0) &&
    asString(priorityClassRef?.name) === asString(ref?.name) &&
    asString(priorityClassRef?.kind) === asString(ref?.kind) &&
    asString(priorityClassRef?.group) === asString(ref?.group);
  return isSame ? keep : { ok: true, value: { action: "Update", ...desired.value } };
}
