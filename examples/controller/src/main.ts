import { randomBytes } from "node:crypto";
import { hostname, setPriority } from "node:os";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { logLine, writeLine } from "@jobset-ts/controller-runtime";
import { version } from "../package.json";
import { isCommand, runCommand } from "./install/commands.ts";
import { HELP, readOptions } from "./options.ts";
import { Program, serveThread } from "./program.ts";
import { serveProtocol } from "./protocol.ts";
import type { ThreadStart } from "./thread.ts";

/** The nice value of the reconcile thread. Its weight is about a fifth of that of a normal thread, which has 0. */
const PASSES_PRIORITY = 7;

// The threads of the program run the same file.
if (parentPort !== null && !isMainThread) {
  const start: ThreadStart = workerData;
  if (start.name === "passes") lowerPriority();
  await serveThread(parentPort, start);
} else await main(process.argv.slice(2));

/**
 * Clients wait for webhooks and probes but not for passes. On a busy machine passes run later and see more changes at
 * once, so that they write fewer statuses. Only Linux has thread priorities.
 */
function lowerPriority(): void {
  if (process.platform === "linux") setPriority(0, PASSES_PRIORITY);
}

async function main(args: readonly string[]): Promise<void> {
  try {
    // Hostnames and process IDs are not unique: in a Pod, the process ID is always 1.
    const identity = `${hostname()}_${randomBytes(8).toString("hex")}`;
    if (isCommand(args[0])) process.exitCode = await runCommand(args[0], args.slice(1));
    else if (args.includes("--help")) process.stdout.write(HELP);
    else if (args.includes("--version")) process.stdout.write(`${version}\n`);
    else serveProtocol(await Program.start(readOptions(args, identity)));
  } catch (error) {
    writeLine(logLine("error", error instanceof Error ? error.message : String(error)));
    process.exitCode = 2;
  }
}
