import { asInteger, asString } from "@jobset-ts/api/kubernetes";
import type { Termination } from "../../view/containers.ts";

/** Exit codes above 128 are 128 plus the signal. */
const signals: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

/** Describes the end of a container, such as `OOMKilled (exit code 137, SIGKILL)`, with its termination message. */
export function describeTermination(terminated: Termination): string {
  const code = terminated.exitCode;
  const number =
    asInteger(code, 0) > 128 ? asInteger(code, 0) - 128 : asInteger(terminated.signal, 0);
  const signal = signals[number];
  const details = [
    ...(Number.isInteger(code) ? [`exit code ${code}`] : []),
    ...(signal === undefined ? [] : [signal]),
  ];
  const reason = asString(terminated.reason) || "Unknown";
  const end = details.length === 0 ? reason : `${reason} (${details.join(", ")})`;
  const memory = isOutOfMemory(terminated) ? `${end}, out of memory` : end;
  // The message is kept complete, because a part of a value could not be redacted.
  const message = asString(terminated.message).trim();
  return message === "" ? memory : `${memory}: ${message}`;
}

/** Reports whether a container was killed because it used more memory than its limit. */
export function isOutOfMemory({ reason }: Termination): boolean {
  return reason === "OOMKilled";
}
