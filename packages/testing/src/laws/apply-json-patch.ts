import { isSameData } from "../same-data.ts";

/** The result of applying a JSON Patch. */
export type AppliedPatch =
  | { readonly ok: true; readonly value: unknown }
  /** The message names the operation that cannot be applied, and the reason. */
  | { readonly ok: false; readonly message: string };

/**
 * Applies a JSON Patch to a JSON value. This version is slow and follows the RFC literally.
 *
 * @param patch - any JSON value, as in a webhook's response
 * @see RFC 6902; RFC 6901
 * @example applyJsonPatch({ a: [1, 3] }, [{ op: "add", path: "/a/1", value: 2 }]) // => { ok: true, value: { a: [1, 2, 3] } }
 */
export function applyJsonPatch(value: unknown, patch: unknown): AppliedPatch {
  if (!Array.isArray(patch)) return { ok: false, message: "a patch is a list" };
  let after = value;
  for (const [index, operation] of patch.entries()) {
    const { op, path, from } = operation ?? {};
    const hasValue = !needsValue.has(op) || Object.hasOwn(operation, "value");
    const isRead = op === "move" || op === "copy";
    if (!knownOperations.has(op) || !hasValue || !isPointer(path) || (isRead && !isPointer(from))) {
      return { ok: false, message: `operation ${index} is malformed` };
    }
    const changed = applyOperation(after, { op, path, from, value: operation.value });
    if (changed === undefined) return { ok: false, message: `operation ${index} has no target` };
    after = changed.value;
  }
  return { ok: true, value: after };
}

const needsValue: ReadonlySet<unknown> = new Set(["add", "replace", "test"]);
const knownOperations: ReadonlySet<unknown> = new Set([...needsValue, "remove", "move", "copy"]);

function isPointer(path: unknown): path is string {
  return typeof path === "string" && /^(\/|$)/.test(path);
}

function listSteps(path: string): readonly string[] {
  return path.split("/").slice(1).map(unescapeToken);
}

interface AnyOperation {
  readonly op: "add" | "remove" | "replace" | "test" | "move" | "copy";
  readonly path: string;
  readonly from: string;
  readonly value: unknown;
}

/** Returns the value after one operation. Undefined if the operation has no target or is a failing test. */
function applyOperation(
  whole: unknown,
  { op, path, from, value }: AnyOperation,
): { readonly value: unknown } | undefined {
  const steps = listSteps(path);
  switch (op) {
    case "test": {
      const found = valueAt(whole, steps);
      return found !== undefined && isSameData(found.value, value) ? { value: whole } : undefined;
    }
    case "copy":
    case "move": {
      // A value cannot be moved into itself.
      if (op === "move" && path.startsWith(`${from}/`)) return undefined;
      const found = valueAt(whole, listSteps(from));
      if (found === undefined) return undefined;
      if (op === "move" && path === from) return { value: whole };
      const rest =
        op === "move"
          ? changedAt(whole, listSteps(from), { op: "remove", value: undefined })
          : { value: whole };
      return rest && changedAt(rest.value, steps, { op: "add", value: found.value });
    }
    default:
      return changedAt(whole, steps, { op, value });
  }
}

function valueAt(
  whole: unknown,
  [step, ...rest]: readonly string[],
): { readonly value: unknown } | undefined {
  if (step === undefined) return { value: whole };
  if (typeof whole !== "object" || whole === null) return undefined;
  if (Array.isArray(whole) && !/^(0|[1-9][0-9]*)$/.test(step)) return undefined;
  const member = Object.entries(whole).find(([name]) => name === step);
  return member && valueAt(member[1], rest);
}

interface Operation {
  readonly op: "add" | "remove" | "replace";
  readonly value: unknown;
}

/** Returns the value with one part changed. Undefined if the part does not exist. */
function changedAt(
  whole: unknown,
  [step, ...rest]: readonly string[],
  operation: Operation,
): { readonly value: unknown } | undefined {
  if (step === undefined) return operation.op === "remove" ? undefined : { value: operation.value };
  if (Array.isArray(whole)) return changeList(whole, step, rest, operation);
  if (typeof whole !== "object" || whole === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(whole));
  if (rest.length > 0 || operation.op !== "add") {
    if (!members.has(step)) return undefined;
  }
  if (rest.length === 0 && operation.op === "remove") members.delete(step);
  else {
    const changed = changedAt(members.get(step), rest, operation);
    if (changed === undefined) return undefined;
    members.set(step, changed.value);
  }
  return { value: Object.fromEntries(members) };
}

function changeList(
  list: readonly unknown[],
  step: string,
  rest: readonly string[],
  operation: Operation,
): { readonly value: unknown } | undefined {
  const isNew = rest.length === 0 && operation.op === "add";
  const index = step === "-" && isNew ? list.length : Number(step);
  const isIndex = step === "-" || /^(0|[1-9][0-9]*)$/.test(step);
  if (!isIndex || !(index < list.length + (isNew ? 1 : 0))) return undefined;
  if (isNew) return { value: list.toSpliced(index, 0, operation.value) };
  if (rest.length === 0 && operation.op === "remove") return { value: list.toSpliced(index, 1) };
  const changed = changedAt(list[index], rest, operation);
  return changed === undefined ? undefined : { value: list.with(index, changed.value) };
}

function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
