import type { FieldError } from "./field-error.ts";

/** What came of reading a value that nobody has checked: the value, now of known shape, or all that is wrong with it. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly [FieldError, ...FieldError[]] };
