import type { ReadError } from "@jobset-ts/core";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { KubectlResult } from "./kubectl.ts";

/** The reason why kubectl could not read the cluster. */
export interface ClusterFailure {
  readonly failure: Diagnostic;
}

/** The HTTP status codes of the reasons with which a read can fail. */
const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  NotFound: 404,
  Expired: 410,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
};

/**
 * Parses the API server's error for one kind. Returns `undefined` for errors such as Unauthorized that affect all
 * kinds.
 */
export function parseServerError(stderr: string): ReadError | undefined {
  const [, reason = "", message = ""] = /^Error from server \((\w+)\): (.+)$/m.exec(stderr) ?? [];
  if (reason === "" || reason === "Unauthorized") return undefined;
  const code = Object.hasOwn(codes, reason) ? codes[reason] : undefined;
  return { message, reason, ...(code !== undefined && { code }) };
}

/** The maximum number of lines of kubectl's output in an error. */
const MAX_LINES = 3;

/** Returns the lines of kubectl's standard error without the log of its attempts, or all lines if there are no others. */
function listErrorLines(stderr: string): readonly string[] {
  const lines = stderr
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("Warning: "));
  const errors = lines.filter((line) => !/^[IWE]\d{4} /.test(line));
  return errors.length > 0 ? errors : lines;
}

/** Describes a failed kubectl call. */
export function describeFailure(
  command: string,
  { exitCode, startError, stderr }: KubectlResult,
): Diagnostic {
  if (startError === "ENOENT") {
    return {
      severity: "error",
      message: "kubectl is not on the PATH; it is required to read a cluster",
    };
  }
  const shownLines = listErrorLines(stderr)
    .slice(0, MAX_LINES)
    .map((line) => `: ${line.trim()}`);
  const ending =
    startError !== undefined
      ? `cannot be started: ${startError}`
      : exitCode === undefined
        ? "was ended by a signal"
        : `failed with exit code ${exitCode}`;
  return { severity: "error", message: `${command} ${ending}${shownLines.join("")}` };
}
