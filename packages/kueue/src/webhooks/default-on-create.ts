import { JOBSET_CONTROLLER_NAME, type JobSet, type Observed } from "@jobset-ts/api";
import {
  controllerOf,
  type KubernetesObject,
  labelOf,
  nameOf,
  namespaceOf,
  selectsLabels,
  textOf,
} from "@jobset-ts/api/kubernetes";
import type { KueueFeatures } from "../features.ts";
import {
  DEFAULT_LOCAL_QUEUE,
  DEFAULT_PRIORITY_CLASS,
  MULTIKUEUE_CONTROLLER_NAME,
  PRIORITY_CLASS_KEY,
  QUEUE_NAME_KEY,
} from "../keys.ts";
import { type KueueCluster, named } from "../objects/cluster.ts";
import type { KueueConfig } from "../objects/config.ts";
import { objectsOf } from "../objects/members.ts";
import { type KueueResult, notFoundMessage, refused } from "../objects/refusal.ts";
import { isEnabled, kueueAncestor } from "./ancestor.ts";

/** Whether Kueue may say who manages a JobSet: while it is JobSet's own controller. */
export function canDefaultManagedBy(jobSet: Observed<JobSet>, features: KueueFeatures): boolean {
  const managedBy = jobSet?.spec?.managedBy ?? undefined;
  return (
    features.has("MultiKueue") && (managedBy === undefined || managedBy === JOBSET_CONTROLLER_NAME)
  );
}
