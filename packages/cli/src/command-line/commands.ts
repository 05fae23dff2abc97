import type { CommandSpec } from "./command-spec.ts";
import { dumpCommands } from "./dump-commands.ts";
import { jobSetCommands } from "./jobset-commands.ts";
import { simulationCommands } from "./simulation-commands.ts";
import { toolCommands } from "./tool-commands.ts";

/** The table of commands, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  ...jobSetCommands,
  ...toolCommands,
  ...simulationCommands,
  ...dumpCommands,
];
