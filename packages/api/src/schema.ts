// The entry `@jobset-ts/api/schema`: parsers for unvalidated objects. It has its own entry because it imports zod.
import type * as z from "zod";
import { type FieldError, invalid, NO_FIELD } from "./field-error.ts";
import type { JobSet } from "./jobset.ts";
import type { Parsed } from "./parsed.ts";
import { getField, toFieldErrors } from "./schema/field-errors.ts";
import { makeJobSetSchema } from "./schema/jobset.ts";

export type { Parsed } from "./parsed.ts";

let jobSet: z.ZodType<JobSet> | undefined;

/**
 * Returns the shape of a JobSet as a zod schema, for use in larger schemas. It is created on the first call.
 *
 * zod returns a copy of the object. To get the object itself, use {@link parseJobSet}.
 */
export function jobSetSchema(): z.ZodType<JobSet> {
  jobSet ??= makeJobSetSchema();
  return jobSet;
}

/**
 * Parses a value as a JobSet: all required members exist, and all members have the right type.
 *
 * This is less than the API server checks: the CRD (`@jobset-ts/crd`) checks limits, patterns and uniqueness, the
 * webhooks check the rest. Members with a default may be missing, unknown members are allowed, and null counts as
 * absent.
 *
 * @param value - any JSON value, as from `JSON.parse`
 * @returns the object itself, or all errors in the order of the API's fields. Never throws
 * @example parseJobSet({ kind: "JobSet" }).errors.map((error) => error.field) // => ["apiVersion", "metadata", "spec"]
 */
export function parseJobSet(value: unknown): Parsed<JobSet> {
  return parse(jobSetSchema(), value);
}

/**
 * Parses a value with a custom zod schema, and reports errors like the other functions here.
 *
 * @param value - any JSON value
 * @returns the value itself, or all errors. Never throws
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
      // Disables generated code, which workers and pages with a strict content security policy do not allow.
      jitless: true,
      // zod shows only here which object has the unknown keys.
      error: (issue) => {
        if (issue.code === "unrecognized_keys")
          known.set(getField(issue.path ?? []), listKeys(issue));
        return undefined;
      },
    });
    return toFieldErrors(parsed.error?.issues ?? [], value, known);
  } catch {
    // zod passes issues as arguments of one call, and more than about a hundred thousand overflow the
    // stack.
    return [invalid(NO_FIELD, value, "has more errors than can be listed", '"object"')];
  }
}

/** Returns the members that the object schema of an issue has. */
function listKeys({ inst }: z.core.$ZodRawIssue): readonly string[] {
  const { def } = (inst as Partial<z.core.$ZodObject> | undefined)?._zod ?? {};
  return Object.keys(def?.shape ?? {});
}
