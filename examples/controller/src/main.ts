import { hostname } from "node:os";
import { log } from "./log.ts";
import { readOptions } from "./options.ts";
import { Program } from "./program.ts";
import { serveProtocol } from "./protocol.ts";

try {
  const options = readOptions(process.argv.slice(2), `${hostname()}_${process.pid}`);
  const program = await Program.start(options);
  serveProtocol(program);
} catch (error) {
  log("error", error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
