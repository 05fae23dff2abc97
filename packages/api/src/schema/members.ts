import * as z from "zod";

/** Returns the schema of an optional member. Null counts as absent, as in the API server. */
export function optional<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
  return schema.nullish() as unknown as z.ZodOptional<Schema>;
}

/**
 * Returns the schema of an object whose members are not checked. The caller guarantees that they are
 * those of `T`.
 */
export function createOpaqueSchema<T extends object>(): z.ZodType<T> {
  return z.looseObject({}) as unknown as z.ZodType<T>;
}

/** Returns the schema of labels and similar maps. */
export function textMap(): z.ZodRecord<z.ZodString, z.ZodString> {
  return z.record(z.string(), z.string());
}
