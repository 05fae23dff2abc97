import type { Service } from "@jobset-ts/api/kubernetes";
import { type ObjectBuilder, withBuilderMethods } from "./object-steps.ts";

/** A Service for tests. */
export type AService = Service & ObjectBuilder<AService>;

/**
 * Creates a headless Service without an owner in the namespace `default`.
 *
 * @example aService("train").kind // => "Service"
 */
export function aService(name: string): AService {
  return fluent({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: "default", uid: `${name}-uid` },
    spec: { clusterIP: "None" },
  });
}

const fluent = withBuilderMethods<Service, AService>({});
