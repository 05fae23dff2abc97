import type { PersistentVolumeClaim } from "@jobset-ts/api/kubernetes";
import { type ObjectBuilder, withBuilderMethods } from "./object-steps.ts";

/** A PVC for tests. */
export type AClaim = PersistentVolumeClaim & ObjectBuilder<AClaim>;

/**
 * Creates a PVC without an owner in the namespace `default`.
 *
 * @example aClaim("data-train").metadata.name // => "data-train"
 */
export function aClaim(name: string): AClaim {
  return fluent({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace: "default", uid: `${name}-uid` },
    spec: {},
  });
}

const fluent = withBuilderMethods<PersistentVolumeClaim, AClaim>({});
