// biome-ignore lint/suspicious/noExplicitAny: subjects see objects of any shape
export type Loose = any;

/** Returns the next value of a member or an element; undefined removes it. */
export type Change = (value: Loose, owner: Loose, index: number, length: number) => Loose;

/**
 * Changes an object in place.
 *
 * @param path - names with dots between them; `*` means each element or member. A missing owner is skipped.
 */
export function edit(object: Loose, path: string, change: Change): void {
  if (typeof object !== "object" || object === null) return;
  const [name = "", ...rest] = path.split(".");
  const keys = name === "*" ? Object.keys(object) : [name];
  for (const [index, key] of keys.entries()) {
    if (rest.length > 0) edit(object[key], rest.join("."), change);
    else assign(object, key, change(object[key], object, index, keys.length));
  }
  if (Array.isArray(object)) object.splice(0, keys.length, ...object.filter(() => true));
}

/** Writes a value and creates missing owners. Removes the value if it is undefined. */
export function put(object: Loose, path: string, value: Loose): void {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) assign(object, name, value);
  else if (object[name] !== undefined || value !== undefined) {
    object[name] ??= {};
    put(object[name], rest.join("."), value);
  }
}

function assign(object: Loose, name: string, value: Loose): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}

export function get(object: Loose, path: string): Loose {
  return path.split(".").reduce((value, name) => value?.[name], object);
}

export function list(value: Loose): Loose[] {
  return Array.isArray(value) ? value : [];
}

export const words = (text: string): readonly string[] => text.split(" ");

/** The members of a Pod's spec. */
export const podSpecMembers = words(
  "volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName serviceAccount automountServiceAccountToken nodeName hostNetwork hostPID hostIPC shareProcessNamespace securityContext imagePullSecrets hostname subdomain affinity schedulerName tolerations hostAliases priorityClassName priority dnsConfig readinessGates runtimeClassName enableServiceLinks preemptionPolicy overhead topologySpreadConstraints setHostnameAsFQDN os hostUsers schedulingGates resourceClaims resources hostnameOverride schedulingGroup",
);
