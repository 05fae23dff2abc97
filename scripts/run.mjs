// The entry point of every `npm` command: checks the Node version, installs missing dependencies and runs the command. It must load
// without dependencies and in old Node versions, so that it can report them.
import { fail, requireNode, say } from "./report.mjs";

requireNode();

const [command = "", ...args] = process.argv.slice(2);
const { commands } = await import("./commands.mjs");
if (!Object.hasOwn(commands, command)) {
  fail(`unknown command "${command}": use one of ${Object.keys(commands).join(", ")}`, 2);
}
const { needs, takes, run } = commands[command];
const { install } = await import("./install.mjs");
await install(needs);
const duration = takes?.(args);
if (duration !== undefined) say(`${command} takes ${duration}`);
process.exitCode = await run(args);
