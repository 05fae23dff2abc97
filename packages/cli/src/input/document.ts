import type { Position } from "../output/diagnostics.ts";
import type { DocumentError, DuplicateField } from "./document-error.ts";
import type { LocatedValue } from "./located-value.ts";

/** One document of a file or stream. */
export interface Document {
  /** The value of the document. Invalid parts are null. */
  readonly value: unknown;
  /** The errors of the document itself, independent of its objects. */
  readonly errors: readonly DocumentError[];
  /** The duplicate fields, in the order of the text. */
  readonly duplicates: readonly DuplicateField[];
  /** The same value with the positions of its parts. */
  readonly root: LocatedValue;
  /** Returns the line and column of an offset. */
  readonly positionAt: (offset: number) => Position;
}
