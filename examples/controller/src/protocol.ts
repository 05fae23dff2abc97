import { createInterface } from "node:readline";
import { log } from "./log.ts";
import type { Program } from "./program.ts";

const STOP_WITHIN_MS = 2_500;

/**
 * Talks to whoever started the program: says on standard output when it is ready, switches feature gates that are
 * named on standard input, and ends when standard input closes or a signal asks for it.
 */
export function serveProtocol(program: Program): void {
  const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
  void program.ready.then(() => say({ ready: true }));

  let isStopping = false;
  const stop = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log("info", "stopping", { reason });
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    void program.stop().finally(() => process.exit(0));
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(signal));
  void program.leadershipLost.then(() => stop("another replica leads"));

  const input = createInterface({ input: process.stdin });
  input.on("line", (line) => {
    if (line.trim() !== "") say(answerTo(line, program));
  });
  input.on("close", () => stop("standard input has closed"));
}

function answerTo(line: string, program: Program): { ok: true } | { error: string } {
  try {
    const { featureGates } = JSON.parse(line);
    if (typeof featureGates !== "object" || featureGates === null) {
      return { error: "featureGates is missing" };
    }
    for (const [name, value] of Object.entries(featureGates)) {
      if (typeof value !== "boolean")
        return { error: `featureGates.${name} is neither true nor false` };
    }
    program.switchGates(featureGates);
    return { ok: true };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
