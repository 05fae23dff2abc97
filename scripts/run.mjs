// The one entry of every `npm` command: checks Node, installs what is missing, then runs the command.
// It must load without any dependency, and on a Node too old for the rest, so that it can say so.
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
