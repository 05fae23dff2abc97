// The entry `@jobset-ts/api/schema`: parsers for unvalidated objects. It has its own entry because it imports zod.
import type * as z from "zod";
import { type FieldError, invalid, NO_FIELD } from "./field-error.ts";
import type { JobSet } from "./jobset.ts";
import type { Parsed } from "./parsed.ts";
import { type ClusterObject, makeClusterObjectSchema } from "./schema/cluster-object.ts";
import { getField, toFieldErrors } from "./schema/field-errors.ts";
import { makeJobSetSchema } from "./schema/jobset.ts";

export type { Parsed } from "./parsed.ts";

let jobSet: z.ZodType<JobSet> | undefined;
let clusterObject: z.ZodType<ClusterObject> | undefined;

/**
 * Returns the shape of a JobSet as a zod schema, to build larger schemas from. Built when first asked for.
 *
 * zod answers with a copy; where the object itself matters, use {@link parseJobSet}.
 */
export function jobSetSchema(): z.ZodType<JobSet> {
  jobSet ??= makeJobSetSchema();
  return jobSet;
}

/**
 * Returns the shape of a JobSet, Job, Pod or other object of a cluster as a zod schema, told apart by `kind`. Built
 * when first asked for.
 */
export function clusterObjectSchema(): z.ZodType<ClusterObject> {
  clusterObject ??= makeClusterObjectSchema();
  return clusterObject;
}

/**
 * Parses a value as a JobSet: all required members exist, and all members have the right type.
 *
 * This is less than the API server checks: the CRD (`@jobset-ts/crd`) checks limits, patterns and uniqueness, the
 * webhooks check the rest. Members with a default may be missing, unknown members are allowed, and null counts as
 * absent.
 *
 * @param value - any JSON value, as from `JSON.parse`
 * @returns the very object, not a copy; or everything that is wrong with it, in the order of the API's fields.
 * Never throws
 * @example parseJobSet({ kind: "JobSet" }).errors.map((error) => error.field) // => ["apiVersion", "metadata", "spec"]
 */
export function parseJobSet(value: unknown): Parsed<JobSet> {
  return parse(jobSetSchema(), value);
}

/**
 * Reads a value as one of the objects that JobSet's controller reads or writes: what it is, its metadata, and of a
 * JobSet all that {@link parseJobSet} looks at. Other kinds' `spec` and `status` are taken on trust.
 *
 * @param value - any JSON value, such as an item of a list
 * @returns the very object, not a copy; or everything that is wrong with it. Never throws
 * @example parseClusterObject({ kind: "Secret" }).errors.map((error) => error.field) // => ["kind"]
 */
export function parseClusterObject(value: unknown): Parsed<ClusterObject> {
  return parse(clusterObjectSchema(), value);
}

/**
 * Parses a value with a custom zod schema, and reports errors like the other functions here.
 *
 * @param value - any JSON value
 * @returns the very value, not a copy; or everything that is wrong with it. Never throws
 */
export function parse<T>(schema: z.ZodType<T>, value: unknown): Parsed<T> {
  const errors = listErrors(schema, value);
  const [first] = errors;
  if (first === undefined) return { ok: true, value: value as T };
  return { ok: false, errors: [first, ...errors.slice(1)] };
}

function listErrors(schema: z.ZodType, value: unknown): FieldError[] {
  try {
    const known = new Map<string, readonly string[]>();
    const parsed = schema.safeParse(value, {
      // Without generated code, which workers and strict pages do not allow.
      jitless: true,
      // Only here zod shows which object has the unknown keys.
      error: (issue) => {
        if (issue.code === "unrecognized_keys")
          known.set(getField(issue.path ?? []), listKeys(issue));
        return undefined;
      },
    });
    return toFieldErrors(parsed.error?.issues ?? [], value, known);
  } catch {
    // zod passes issues as arguments of one call, and more than some hundred thousand overflow the stack.
    return [invalid(NO_FIELD, value, "has more mistakes than can be listed", '"object"')];
  }
}

/** Returns the members that the object schema of an issue has. */
function listKeys({ inst }: z.core.$ZodRawIssue): readonly string[] {
  const { def } = (inst as Partial<z.core.$ZodObject> | undefined)?._zod ?? {};
  return Object.keys(def?.shape ?? {});
}
