import type { ObjectMeta } from "./object-meta.ts";
import type { Open } from "./unvalidated.ts";

/**
 * A name for a set of Pods.
 *
 * @see Kubernetes `core/v1` `Service`
 */
export interface Service {
  apiVersion: "v1";
  kind: "Service";
  metadata: ObjectMeta;
  spec: ServiceSpec;
}

/** The Pods that a Service selects. */
export interface ServiceSpec extends Open {
  /** `None` makes the Service headless: its name resolves to the Pods themselves. */
  clusterIP?: string;
  /** Labels of the Pods. */
  selector?: Record<string, string>;
  /** Whether Pods resolve before they are ready. */
  publishNotReadyAddresses?: boolean;
}
