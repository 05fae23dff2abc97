import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import { getName, getNamespace, type ObjectMeta } from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";
import { KUEUE_API_VERSION } from "../keys.ts";
import type { Workload } from "../objects/workload.ts";

/**
 * A request to the API server. It contains the changed parts of the object in full, as they are afterwards. Other parts
 * are absent. An absent `status` of `patchStatus` means an empty status.
 */
export type KueueEffect =
  | { readonly verb: "create"; readonly target: ObjectKey; readonly object: Workload }
  /** The whole object, or its changed parts. */
  | ({ readonly verb: "update" | "patch"; readonly target: ObjectKey } & ChangedParts)
  | {
      readonly verb: "patchStatus";
      readonly target: ObjectKey;
      readonly status: NonNullable<Unvalidated<Workload>["status"]>;
    }
  | { readonly verb: "delete"; readonly target: ObjectKey };

/** The parts that an update changes. */
interface ChangedParts {
  readonly metadata?: Unvalidated<ObjectMeta>;
  readonly spec?:
    | NonNullable<Unvalidated<Workload>["spec"]>
    | NonNullable<Unvalidated<JobSet>["spec"]>;
}

/** Returns the key of a Workload. */
export function workloadKey(workload: Unvalidated<Workload>): ObjectKey {
  return {
    apiVersion: KUEUE_API_VERSION,
    kind: "Workload",
    namespace: getNamespace(workload),
    name: getName(workload),
  };
}

/** Returns the key of a JobSet. */
export function jobSetKey(jobSet: Unvalidated<JobSet>): ObjectKey {
  return {
    apiVersion: JOBSET_API_VERSION,
    kind: JOBSET_KIND,
    namespace: getNamespace(jobSet),
    name: getName(jobSet),
  };
}
