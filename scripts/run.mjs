// The one entry of every `npm` command: checks Node, installs what is missing, then runs the command.
// It must load without any dependency, and on a Node too old for the rest, so that it can say so.
import { fail, requireNode } from "./report.mjs";

requireNode();

const [command = "", ...args] = process.argv.slice(2);
const { commands } = await import("./commands.mjs");
const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
if (run === undefined) {
  fail(`unknown command "${command}": use one of ${Object.keys(commands).join(", ")}`, 2);
} else {
  const { install } = await import("./install.mjs");
  install();
  process.exitCode = await run(args);
}
