import { isEqualJson, type PodSpec, validateDNS1123Label } from "@jobset-ts/api/kubernetes";

/** The last valid spec with a list of containers, without its hostname. Stored objects are immutable. */
const validSpecs = new WeakMap<object, object>();

/**
 * Returns whether the spec of a stored Pod or template is known to be valid. Sibling Jobs and Pods share their
 * containers and differ only in hostnames, so one of them is validated in full.
 */
export function isKnownPodSpec(spec: PodSpec | undefined): boolean {
  if (spec === undefined) return false;
  const { hostname, ...others } = spec;
  const valid = validSpecs.get(others.containers);
  if (valid === undefined || !isEqualJson(others, valid)) return false;
  return hostname === undefined || validateDNS1123Label(hostname).length === 0;
}

/** Remembers a spec that was validated without errors. */
export function rememberPodSpec(spec: PodSpec | undefined): void {
  if (spec === undefined) return;
  const { hostname: _, ...others } = spec;
  validSpecs.set(others.containers, others);
}
