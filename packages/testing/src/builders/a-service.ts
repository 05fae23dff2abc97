import type { Service } from "@jobset-ts/api/kubernetes";
import { type ObjectBuilder, stepping } from "./object-steps.ts";

/** A Service to test with. */
export type AService = Service & ObjectBuilder<AService>;

/**
 * A headless Service in the namespace `default` that nobody owns.
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

const fluent = stepping<Service, AService>({});
