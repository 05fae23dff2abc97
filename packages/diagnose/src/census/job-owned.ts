import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asString,
  getAnnotation,
  getControllerOf,
  getNamespace,
  getUid,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";

/**
 * The Pods that never count as unscheduled because a Job owns them. The exemption is for Helm hook Jobs, which may lack
 * the tolerations that a cluster requires.
 *
 * - `KindContainsJob`: the kind of an owner contains `Job`, which includes `CronJob`, `RayJob` and `JobSet`, as in the script
 *   from which this count comes
 * - `ExactKind`: the kind of an owner is `Job`
 * - `HelmHook`: the Pod or its controlling Job is a Helm hook
 * - `None`: no Pod is exempt
 *
 * Jobs own all Pods of a JobSet. With the first two rules, a stuck JobSet has no unscheduled Pods.
 */
export type JobOwnedRule = (typeof jobOwnedRules)[number];

/** Every value of {@link JobOwnedRule}. */
export const jobOwnedRules = ["KindContainsJob", "ExactKind", "HelmHook", "None"] as const;

/** Reports whether a rule exempts a Pod. */
export function jobOwnership(
  rule: JobOwnedRule,
  snapshot: Snapshot,
): (pod: Unvalidated<Pod>) => boolean {
  switch (rule) {
    case "KindContainsJob":
      return (pod) => hasOwner(pod, (kind) => kind.includes("Job"));
    case "ExactKind":
      return (pod) => hasOwner(pod, (kind) => kind === "Job");
    case "HelmHook":
      return (pod) => isHelmHook(pod) || isHelmHook(controllingJob(pod, snapshot));
    case "None":
      return () => false;
  }
}

function hasOwner(pod: Unvalidated<Pod>, isExemptKind: (kind: string) => boolean): boolean {
  return asArray(pod.metadata?.ownerReferences).some((owner) =>
    isExemptKind(asString(owner?.kind)),
  );
}

function isHelmHook(object: Parameters<typeof getAnnotation>[0] | undefined): boolean {
  return object !== undefined && getAnnotation(object, "helm.sh/hook") !== undefined;
}

/** Returns the Job that controls a Pod if the snapshot contains it. An earlier Job of the same name does not count. */
function controllingJob(pod: Unvalidated<Pod>, snapshot: Snapshot) {
  const owner = getControllerOf(pod);
  if (owner === undefined || owner.kind !== "Job") return undefined;
  const job = snapshot.job(getNamespace(pod), asString(owner.name));
  return job !== undefined && getUid(job) === asString(owner.uid) ? job : undefined;
}
