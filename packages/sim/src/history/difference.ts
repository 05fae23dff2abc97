import type { Patch } from "immer";

/**
 * Returns the differences between two versions of an object, one line per path. Omits the resource version.
 *
 * @example
 * const patch = (value: boolean) => ({ op: "replace" as const, path: ["spec", "suspend"], value });
 * formatDiff({ patches: [patch(true)], inverse: [patch(false)] }) // => ["spec.suspend: false → true"]
 */
export function formatDiff({
  patches,
  inverse,
}: {
  readonly patches: readonly Patch[];
  readonly inverse: readonly Patch[];
}): readonly string[] {
  const before = new Map(inverse.map((patch) => [pathText(patch), patch.value as unknown]));
  return patches.flatMap((patch) => {
    const path = pathText(patch);
    if (path === "metadata.resourceVersion") return [];
    const [old, value] = [valueText(before.get(path)), valueText(patch.value)];
    if (patch.op === "add") return [`${path}: + ${value}`];
    return [patch.op === "remove" ? `${path}: − ${old}` : `${path}: ${old} → ${value}`];
  });
}

/**
 * Returns the changed fields of an object, with the old and new value of numbers and booleans. Omits other values,
 * because they may be secret, and fields that the state of an object shows or the API server sets.
 */
export function listChangedFields({
  patches,
  inverse,
}: {
  readonly patches: readonly Patch[];
  readonly inverse: readonly Patch[];
}): readonly string[] {
  const before = new Map(inverse.map((patch) => [pathText(patch), patch.value as unknown]));
  return patches.flatMap((patch) => {
    const path = pathText(patch);
    if (SEPARATELY_SHOWN_PATH.test(path)) return [];
    const values = [before.get(path), patch.value as unknown];
    const isPlain = values.every((value) => ["number", "boolean"].includes(typeof value));
    return [isPlain ? `${path}: ${values.join(" → ")}` : path];
  });
}

const SEPARATELY_SHOWN_PATH =
  /^(?:spec\.suspend|metadata\.(?:resourceVersion|generation|deletion\w+|managedFields))(?:\.|$)/;

function pathText({ path }: Patch): string {
  return path.map((step) => (typeof step === "number" ? `[${step}]` : step)).join(".");
}

const MAX_VALUE = 300;

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}
