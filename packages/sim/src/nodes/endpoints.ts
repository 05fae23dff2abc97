import {
  asString,
  getName,
  getNamespace,
  isObject,
  matchesLabelSelector,
  type Pod,
  type Service,
} from "@jobset-ts/api/kubernetes";
import { isConditionTrue } from "../api-server/conditions.ts";
import type { Objects } from "../api-server/objects.ts";
import { isPodFinished } from "../api-server/pod-conditions.ts";

/** One address of a headless Service. */
export interface Endpoint {
  readonly pod: string;
  readonly address: string;
  /** The DNS name below that of the Service. Undefined if the Pod does not request one. */
  readonly hostname: string | undefined;
  readonly serving: boolean;
  readonly terminating: boolean;
  /** Whether DNS returns the address. */
  readonly ready: boolean;
}

/** Returns the addresses of a headless Service, by Pod name. DNS follows at once; real DNS lags. */
export function getEndpoints(objects: Objects, service: Service): readonly Endpoint[] {
  const { selector, publishNotReadyAddresses } = service.spec ?? {};
  if (!isObject(selector) || Object.keys(selector).length === 0) return [];
  return objects
    .ofKind<Pod>("Pod")
    .filter(
      (pod) =>
        getNamespace(pod) === getNamespace(service) &&
        matchesLabelSelector(
          { matchLabels: selector as Record<string, string> },
          pod.metadata.labels,
        ) &&
        !isPodFinished(pod) &&
        asString(pod.status?.podIP) !== "",
    )
    .map((pod): Endpoint => {
      const serving = isConditionTrue(pod.status?.conditions, "Ready");
      const terminating = pod.metadata.deletionTimestamp !== undefined;
      const { hostname, subdomain } = pod.spec;
      return {
        pod: getName(pod),
        address: asString(pod.status?.podIP),
        hostname: hostname && subdomain === getName(service) ? hostname : undefined,
        serving,
        terminating,
        ready: publishNotReadyAddresses === true || (serving && !terminating),
      };
    })
    .sort((one, other) => (one.pod < other.pod ? -1 : 1));
}
