import type { Position } from "../output/diagnostics.ts";
import type { DocumentError, DuplicateField } from "./document-error.ts";
import type { LocatedValue } from "./located-value.ts";

/** One document of a file or stream. */
export interface Document {
  /** What it says; what was refused in it is null. */
  readonly value: unknown;
  /** What is wrong with it as a document, whatever it describes. */
  readonly errors: readonly DocumentError[];
  /** In the order of the text. */
  readonly duplicates: readonly DuplicateField[];
  /** The same value with the places where its parts are written. */
  readonly root: LocatedValue;
  /** Line and column of an offset. */
  readonly positionAt: (offset: number) => Position;
}
