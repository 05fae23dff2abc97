import { fstatSync } from "node:fs";
import { createInterface } from "node:readline";
import { asRecord, isObject } from "@jobset-ts/api/kubernetes";
import { logLine, writeLine } from "@jobset-ts/controller-runtime";
import type { Program } from "./program.ts";

const STOP_WITHIN_MS = 2_500;

/**
 * Talks to the parent process: reports on standard output that the program is ready, switches feature gates from
 * standard input, and exits when standard input closes or a signal arrives. The exit code is 0, or 1 if another replica
 * has taken over or a thread has died.
 */
export function serveProtocol(program: Program): void {
  // A closed output is not a reason to exit. A parent that exits closes standard input as well.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
  void program.ready.then(() => say({ ready: true }));

  let isStopping = false;
  const stop = (reason: string, exitCode = 0) => {
    if (isStopping) return;
    isStopping = true;
    writeLine(logLine("info", "stopping", { reason }));
    setTimeout(() => process.exit(exitCode), STOP_WITHIN_MS).unref();
    void program.stop().finally(() => process.exit(exitCode));
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(signal));
  void program.ended.then((reason) => stop(reason, 1));

  const input = createInterface({ input: process.stdin });
  // Lines are processed one after the other.
  let answered = Promise.resolve();
  input.on("line", (line) => {
    if (line.trim() === "") return;
    answered = answered.then(async () => {
      say(await respond(line, program));
    });
  });
  input.on("close", () => {
    if (isStandardInputHeld()) stop("standard input has closed");
  });
}

/** Returns whether a parent process holds standard input. In a Pod, standard input is /dev/null, which ends at once. */
function isStandardInputHeld(): boolean {
  return process.stdin.isTTY || !fstatSync(0).isCharacterDevice();
}

async function respond(line: string, program: Program): Promise<{ ok: true } | { error: string }> {
  try {
    const { featureGates } = asRecord(JSON.parse(line));
    if (!isObject(featureGates)) return { error: "featureGates is not an object" };
    for (const [name, value] of Object.entries(featureGates)) {
      if (typeof value !== "boolean") return { error: `featureGates.${name} is not a boolean` };
    }
    await program.switchGates(featureGates as Readonly<Record<string, boolean>>);
    return { ok: true };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
