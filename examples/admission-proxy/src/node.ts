import { serveOverTls } from "./node-server.ts";
import { runProgram } from "./program.ts";

await runProgram(serveOverTls);
