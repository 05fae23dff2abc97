import { escapeLine, truncate } from "./escape.ts";
import { createPaint } from "./paint.ts";

/** Where something is written, both counted from 1. */
export interface Position {
  readonly line: number;
  /** In UTF-16 code units, as editors mostly count. */
  readonly column: number;
}

/** One line for standard error: what is wrong, or worth knowing, and where. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  /** The file as the user named it; absent when it is about no file. */
  readonly file?: string;
  readonly position?: Position;
  /** The path of the field; absent or empty when it is about no field. */
  readonly field?: string;
  readonly message: string;
  /** The number of errors that this diagnostic stands for, if it summarizes several. */
  readonly count?: number;
}

/** How many diagnostics are shown; the rest is counted. */
export const MAX_SHOWN = 20;

/** How many characters of a message are shown; a bad value may be of any length. */
const MAX_MESSAGE = 1000;
const MAX_FIELD = 300;

/**
 * The diagnostics as lines for a terminal or a log, errors first, then warnings, then notes, at most {@link MAX_SHOWN} of them.
 *
 * `file.yaml:12:7: spec.replicatedJobs[0].replicas: Invalid value: …`, the form in which editors find the place.
 * Control characters are escaped, so that no file can move the cursor or forge a line.
 *
 * @param colour - whether the terminal shows colours
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], colour: boolean): string {
  const told = (["error", "warning", "note"] as const)
    .flatMap((severity) => diagnostics.filter((one) => one.severity === severity))
    .filter(({ count }) => count === undefined);
  const shown = told.slice(0, MAX_SHOWN);
  const lines = shown.map((diagnostic) => formatDiagnostic(diagnostic, colour));
  const left = diagnostics.reduce((sum, { count = 1 }) => sum + count, -shown.length);
  if (left > 0) lines.push(`… and ${left.toLocaleString("en")} more`);
  return lines.map((line) => `${line}\n`).join("");
}

function formatDiagnostic(diagnostic: Diagnostic, colour: boolean): string {
  const { severity, file, position, field = "", message } = diagnostic;
  const paint = createPaint(colour);
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
