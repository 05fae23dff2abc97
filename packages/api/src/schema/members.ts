import * as z from "zod";

/** A member that may be absent. Null reads as absent, as it does to the API server. */
export function optional<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
  return schema.nullish() as unknown as z.ZodOptional<Schema>;
}

/** An object whose members are not looked at; that they are those of `T` is taken on trust. */
export function opaque<T extends object>(): z.ZodType<T> {
  return z.looseObject({}) as unknown as z.ZodType<T>;
}

/** Labels and their like. */
export function textMap(): z.ZodRecord<z.ZodString, z.ZodString> {
  return z.record(z.string(), z.string());
}
