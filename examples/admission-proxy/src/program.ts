import { fstatSync } from "node:fs";
import process from "node:process";
import { errorMessage, logLine, writeLine } from "@jobset-ts/controller-runtime";
import { version } from "../package.json";
import { HELP, type Options, readOptions } from "./options.ts";
import { admissionProxy } from "./proxy.ts";

/** Starts a TLS server. Each runtime provides its own. */
export type Serve = (
  respond: (request: Request) => Promise<Response>,
  options: Options,
) => Promise<Server>;

/** A listening server. */
export interface Server {
  /** Stops accepting requests. Resolves when all requests in progress have a response. */
  stop(): Promise<void>;
}

const STOP_WITHIN_MS = 2_500;

/**
 * Runs the program in runtimes with a command line. It parses the command line, serves, prints `{"ready":true}` to
 * standard output, and exits on SIGTERM or when standard input closes.
 */
export async function runProgram(serve: Serve): Promise<void> {
  try {
    const args = process.argv.slice(2);
    const text = args.includes("--help") ? HELP : args.includes("--version") && `${version}\n`;
    if (text) {
      process.stdout.write(text);
      return;
    }
    const options = readOptions(args, process.env);
    const server = await serve(admissionProxy(options.proxy), options);
    stopOnSignal(server);
    process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
  } catch (error) {
    writeLine(logLine("error", errorMessage(error)));
    process.exit(2);
  }
}

function stopOnSignal(server: Server): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    void server.stop().finally(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (isStandardInputHeld()) process.stdin.on("end", stop).on("close", stop).resume();
}

/** Returns whether a parent process holds standard input. In a Pod, standard input is /dev/null, which ends at once. */
function isStandardInputHeld(): boolean {
  const input = fstatSync(0);
  return input.isFIFO() || input.isSocket();
}
