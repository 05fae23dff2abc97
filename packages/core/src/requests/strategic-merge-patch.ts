import { isObject } from "../jobset-members.ts";
import { applyChanges, type FieldChange } from "../plan/field-changes.ts";

/**
 * Returns the strategic merge patch with some changes. It does not mention other members. So members that a client does
 * not know remain, in the object and in the elements of its lists. A list that is replaced as a whole, such as
 * tolerations, is one change. In a list with a merge key, changes are addressed by {@link ElementKey}. No change may be
 * inside a part that another change sets or removes.
 *
 * @param about - the object's metadata, which is sent with the patch: a `resourceVersion` and a `uid` are conditions
 * @returns `undefined` if a name begins with `$`, which the server treats as a directive. Keys of labels, annotations
 * and resources never do
 * @see Kubernetes `strategicpatch`
 * @example strategicMergePatch([{ path: ["spec", "suspend"], value: false }, { path: ["status", "startTime"] }], { resourceVersion: "7" }) // => { metadata: { resourceVersion: "7" }, spec: { suspend: false }, status: { startTime: null } }
 */
export function strategicMergePatch(
  changes: readonly FieldChange[],
  about: { readonly uid?: string; readonly resourceVersion?: string },
): Readonly<Record<string, unknown>> | undefined {
  const isSafe = changes.every(
    ({ path, value }) => !path.some(isInstruction) && !containsDirective(value),
  );
  return isSafe ? applyChanges({ metadata: about }, changes.map(asInstruction)) : undefined;
}

/** Converts a change of the object to a change of the patch. */
function asInstruction({ path, value }: FieldChange): FieldChange {
  const isElement = typeof path.at(-1) === "object";
  if (value === undefined) return { path, value: isElement ? { $patch: "delete" } : null };
  // A map is merged by default, and an element is merged into the one with its key.
  return isObject(value) && !isElement
    ? { path, value: { $patch: "replace", ...value } }
    : { path, value };
}

function isInstruction(name: unknown): boolean {
  return typeof name === "string" && name.startsWith("$");
}

/** No stored object is nested that deep. */
const MAX_DEPTH = 200;

function containsDirective(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    depth === MAX_DEPTH ||
    Object.entries(value).some(
      ([name, member]) => isInstruction(name) || containsDirective(member, depth + 1),
    )
  );
}
