import { isObject, type KubernetesObject } from "@jobset-ts/api/kubernetes";

/** Where these are absent they are true. */
const TRUE_BY_DEFAULT =
  /\.(automountServiceAccountToken|enableServiceLinks|hostUsers|allowPrivilegeEscalation)$/;

/** The scalars in an object by their paths, as text. What is empty, zero or false is as good as absent. */
export type Leaves = ReadonlyMap<string, string>;

/** Lists that are sets: their elements are told by this member, or by all that they hold. */
const setKeys: Readonly<Record<string, string>> = {
  conditions: "type",
  replicatedJobsStatus: "name",
  ownerReferences: "uid",
  tolerations: "",
  schedulingGates: "name",
};

/** Members that only the server writes, and what is everybody's own: texts, and conditions with a domain in their type. */
const FREE =
  /^status\.conditions\[[^\]]*\/[^\]]*\]|^metadata\.(resourceVersion|uid|creationTimestamp|generation|managedFields|namespace)$|^status\.conditions\[\w+\]\.(message|type)$|^status\.replicatedJobsStatus\[[^\]]*\]\.name$|^apiVersion$/;

/** A write gives an object a successor and leaves it as it is, so what was read of it once holds. */
const known = new WeakMap<KubernetesObject, Leaves>();

const none: Leaves = new Map();

export function leavesOf(object: KubernetesObject | undefined): Leaves {
  if (object === undefined) return none;
  const before = known.get(object);
  if (before !== undefined) return before;
  const leaves = new Map<string, string>();
  collect(object, "", "", leaves);
  known.set(object, leaves);
  return leaves;
}

/** @param name - the last part of the path */
function collect(value: unknown, name: string, path: string, leaves: Map<string, string>): void {
  if (Array.isArray(value)) {
    const key = setKeys[name];
    const met = new Map<unknown, number>();
    for (const [index, element] of value.entries()) {
      const own = key === undefined ? index : keyIn(element, key);
      // What stands there twice is another set.
      const times = met.get(own) ?? 0;
      met.set(own, times + 1);
      const mark = times === 0 ? own : `${own}, ${times + 1}`;
      collect(element, "", `${path}[${mark}]`, leaves);
    }
    return;
  }
  if (isObject(value)) {
    const names = Object.keys(value);
    for (const member of names) {
      collect(value[member], member, path === "" ? member : `${path}.${member}`, leaves);
    }
    // An empty object may mean something, as `emptyDir: {}` does.
    if (names.length === 0 && path.startsWith("spec.")) leaves.set(path, "{}");
    return;
  }
  const isNothing =
    [undefined, null, 0, ""].includes(value as string) ||
    (value === false && !TRUE_BY_DEFAULT.test(path));
  if (!isNothing && !FREE.test(path)) leaves.set(path, JSON.stringify(withoutFraction(value)));
}

/** A server stores times in whole seconds. */
function withoutFraction(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, "$1Z");
}

function keyIn(element: unknown, key: string): unknown {
  return key !== "" && isObject(element) ? element[key] : JSON.stringify(element);
}

/** The paths at which two objects differ. */
export function differences(one: Leaves, other: Leaves): readonly string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path));
}

/** The value at a path, in words. */
export function valueText(leaves: Leaves, path: string): string {
  return leaves.get(path) ?? "nothing";
}
