import { isObject } from "@jobset-ts/api/kubernetes";

/**
 * The key that identifies the elements of a list. Other lists of Jobs, Pods and webhook configurations are replaced as
 * a whole.
 */
const mergeKeys: Readonly<Record<string, string>> = {
  conditions: "type",
  containers: "name",
  initContainers: "name",
  schedulingGates: "name",
  webhooks: "name",
};

type Members = Readonly<Record<string, unknown>>;

/**
 * Applies a strategic merge patch to a Job, Pod or webhook configuration, as far as our patches need it: members and
 * elements are merged, null removes, and `$patch` replaces a map or deletes an element. New elements of a list precede
 * the existing ones.
 *
 * @see Kubernetes `strategicpatch`
 * @example applyStrategicMergePatch({ a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }) // => { a: { c: 2, d: 3 } }
 * @example applyStrategicMergePatch({ conditions: [{ type: "A", x: 1 }] }, { conditions: [{ type: "A", y: 2 }, { type: "B" }] }) // => { conditions: [{ type: "B" }, { type: "A", x: 1, y: 2 }] }
 */
export function applyStrategicMergePatch<Value>(value: Value, patch: unknown): Value {
  return mergePatch(value, patch, "") as Value;
}

function mergePatch(value: unknown, patch: unknown, member: string): unknown {
  const mergeKey = mergeKeys[member];
  if (Array.isArray(patch) && mergeKey !== undefined) return mergedList(value, patch, mergeKey);
  if (!isObject(patch)) return patch;
  const { $patch, ...expected } = patch as Members;
  const members = new Map(isObject(value) && $patch !== "replace" ? Object.entries(value) : []);
  for (const [name, part] of Object.entries(expected)) {
    if (part === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), part, name));
  }
  return Object.fromEntries(members);
}

function mergedList(value: unknown, patch: readonly Members[], mergeKey: string): unknown {
  const before: readonly Members[] = Array.isArray(value) ? value : [];
  const patchOf = (element: Members | null) =>
    patch.find((one) => element?.[mergeKey] === one[mergeKey]);
  const added = patch.filter((one) => !before.some((element) => patchOf(element) === one));
  const remaining = before.filter((element) => patchOf(element)?.$patch !== "delete");
  return [
    ...added.filter(({ $patch }) => $patch !== "delete"),
    ...remaining.map((element) => {
      const change = patchOf(element);
      return change === undefined ? element : mergePatch(element, change, "");
    }),
  ];
}
