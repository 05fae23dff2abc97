import {
  isObject,
  nameOf,
  namespaceOf,
  type Pod,
  type Service,
  selectsLabels,
  textOf,
} from "@jobset-ts/api/kubernetes";
import { isTrue } from "../api-server/conditions.ts";
import type { Objects } from "../api-server/objects.ts";
import { hasEnded } from "../api-server/pod-conditions.ts";

/** One address behind a headless Service. */
export interface Endpoint {
  readonly pod: string;
  readonly address: string;
  /** The name in DNS below the Service's; absent where the Pod does not ask for one there. */
  readonly hostname: string | undefined;
  readonly serving: boolean;
  readonly terminating: boolean;
  /** Whether DNS answers with it. */
  readonly ready: boolean;
}

/** The addresses behind a headless Service, by the names of their Pods. DNS follows at once; a real one lags. */
export function endpointsOf(objects: Objects, service: Service): readonly Endpoint[] {
  const { selector, publishNotReadyAddresses } = service.spec ?? {};
  if (!isObject(selector) || Object.keys(selector).length === 0) return [];
  return objects
    .ofKind<Pod>("Pod")
    .filter(
      (pod) =>
        namespaceOf(pod) === namespaceOf(service) &&
        selectsLabels({ matchLabels: selector as Record<string, string> }, pod.metadata.labels) &&
        !hasEnded(pod) &&
        textOf(pod.status?.podIP) !== "",
    )
    .map((pod): Endpoint => {
      const serving = isTrue(pod.status?.conditions, "Ready");
      const terminating = pod.metadata.deletionTimestamp !== undefined;
      const { hostname, subdomain } = pod.spec;
      return {
        pod: nameOf(pod),
        address: textOf(pod.status?.podIP),
        hostname: hostname && subdomain === nameOf(service) ? hostname : undefined,
        serving,
        terminating,
        ready: publishNotReadyAddresses === true || (serving && !terminating),
      };
    })
    .sort((one, other) => (one.pod < other.pod ? -1 : 1));
}
