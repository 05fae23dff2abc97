import { escapeLine, truncate } from "./escape.ts";
import { createPaint } from "./paint.ts";

/** A position in a text. Line and column start at 1. */
export interface Position {
  readonly line: number;
  /** The column in UTF-16 code units, as in most editors. */
  readonly column: number;
}

/** A message for standard error, with its position. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  /** The file as the user named it. Absent if the message is about no file. */
  readonly file?: string;
  readonly position?: Position;
  /** The path of the field. Absent or empty if the message is about no field. */
  readonly field?: string;
  readonly message: string;
  /** The number of errors that this diagnostic represents, if it summarizes several. */
  readonly count?: number;
}

/** The maximum number of diagnostics. The others are counted. */
export const MAX_SHOWN = 20;

/** The maximum number of characters of a message, because an invalid value can have any length. */
const MAX_MESSAGE = 1000;
const MAX_FIELD = 300;

/**
 * Formats diagnostics as lines for a terminal or a log: errors, then warnings, then notes, at most {@link MAX_SHOWN}.
 *
 * The format is `file.yaml:12:7: spec.replicatedJobs[0].replicas: Invalid value: …`, in which editors find the
 * position. Control characters are escaped, so that no file can move the cursor or forge a line.
 *
 * @param isColored - whether the text has colors
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], isColored: boolean): string {
  const sorted = (["error", "warning", "note"] as const)
    .flatMap((severity) => diagnostics.filter((one) => one.severity === severity))
    .filter(({ count }) => count === undefined);
  const shown = sorted.slice(0, MAX_SHOWN);
  const lines = shown.map((diagnostic) => formatDiagnostic(diagnostic, isColored));
  const left = diagnostics.reduce((sum, { count = 1 }) => sum + count, -shown.length);
  if (left > 0) lines.push(`… and ${left.toLocaleString("en")} more`);
  return lines.map((line) => `${line}\n`).join("");
}

function formatDiagnostic(diagnostic: Diagnostic, isColored: boolean): string {
  const { severity, file, position, field = "", message } = diagnostic;
  const paint = createPaint(isColored);
  const place = [file ?? "jobset", position?.line, position?.column].filter(
    (part) => part !== undefined,
  );
  const parts = [paint("bold", escapeLine(place.join(":")))];
  if (severity === "warning") parts.push(paint("yellow", "warning"));
  if (severity === "note") parts.push(paint("cyan", "note"));
  if (field !== "") parts.push(paint("cyan", truncate(escapeLine(field), MAX_FIELD)));
  parts.push(truncate(escapeLine(message), MAX_MESSAGE));
  return parts.join(": ");
}
