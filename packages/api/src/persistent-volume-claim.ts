import type { LabelSelector } from "./label-selector.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { ResourceRequirements } from "./pod.ts";
import type { Open } from "./unvalidated.ts";

/**
 * A request for storage.
 *
 * @see Kubernetes `core/v1` `PersistentVolumeClaim`
 */
export interface PersistentVolumeClaim {
  apiVersion: "v1";
  kind: "PersistentVolumeClaim";
  metadata: ObjectMeta;
  spec: PersistentVolumeClaimSpec;
}

/** A claim inside a JobSet. Its name, labels, annotations and spec are used. */
export interface PersistentVolumeClaimTemplate extends Open {
  metadata: ObjectMeta;
  spec: PersistentVolumeClaimSpec;
}

/** The storage that the claim requests. */
export interface PersistentVolumeClaimSpec extends Open {
  accessModes?: string[];
  resources?: ResourceRequirements;
  selector?: LabelSelector;
  /** Absent means the cluster's default class. Empty means no class. */
  storageClassName?: string;
  volumeMode?: string;
  /** The bound volume. */
  volumeName?: string;
}
