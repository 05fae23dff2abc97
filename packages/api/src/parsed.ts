import type { FieldError } from "./field-error.ts";

/** The result of parsing an unvalidated value: the value with its type, or all errors. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly [FieldError, ...FieldError[]] };
