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
 * Which Pods are exempt from counting as unscheduled since a Job owns them. The exemption is meant for the Jobs of Helm's
 * hooks, which may rightly lack the tolerations that a cluster asks for.
 *
 * - `parity`: the kind of an owner contains `Job`, so that `CronJob`, `RayJob` and `JobSet` are among them, as in the
 *   script that this census comes from
 * - `exactKind`: the kind of an owner is `Job`
 * - `helmHook`: the Pod, or the Job that controls it, is a hook of Helm's
 * - `none`: no Pod is
 *
 * All Pods of a JobSet are owned by Jobs. By the first two rules one that is stuck does not show among the unscheduled.
 */
export type JobOwnedRule = (typeof jobOwnedRules)[number];

/** Every value of {@link JobOwnedRule}. */
export const jobOwnedRules = ["parity", "exactKind", "helmHook", "none"] as const;

/** Whether a Pod is exempt by a rule. */
export function jobOwnership(
  rule: JobOwnedRule,
  snapshot: Snapshot,
): (pod: Unvalidated<Pod>) => boolean {
  switch (rule) {
    case "parity":
      return (pod) => hasOwner(pod, (kind) => kind.includes("Job"));
    case "exactKind":
      return (pod) => hasOwner(pod, (kind) => kind === "Job");
    case "helmHook":
      return (pod) => isHelmHook(pod) || isHelmHook(controllingJob(pod, snapshot));
    case "none":
      return () => false;
  }
}

function hasOwner(pod: Unvalidated<Pod>, isMeant: (kind: string) => boolean): boolean {
  return asArray(pod.metadata?.ownerReferences).some((owner) => isMeant(asString(owner?.kind)));
}

function isHelmHook(object: Parameters<typeof getAnnotation>[0] | undefined): boolean {
  return object !== undefined && getAnnotation(object, "helm.sh/hook") !== undefined;
}

/** The Job that controls a Pod, if it is in the snapshot: an earlier Job of its name is another one. */
function controllingJob(pod: Unvalidated<Pod>, snapshot: Snapshot) {
  const owner = getControllerOf(pod);
  if (owner === undefined || owner.kind !== "Job") return undefined;
  const job = snapshot.job(getNamespace(pod), asString(owner.name));
  return job !== undefined && getUid(job) === asString(owner.uid) ? job : undefined;
}
