// What each `npm run` command does once the workspace is installed. A command takes the arguments behind
// `--` and answers with its exit code.
import { join } from "node:path";
import { runProgram, spawnProgram } from "./program.mjs";
import { root } from "./root.mjs";
import { spawnTool } from "./tool.mjs";

const shippedJobSet = join(root, "examples", "leader-worker", "jobset.yaml");

export const commands = {
  /** The `jobset` command; without arguments it renders the shipped JobSet. */
  start: (args) => runProgram("cli", args.length > 0 ? args : ["render", "-f", shippedJobSet]),
  test: async () => (await import("./test.mjs")).test(),
  "test:long": async (args) => (await import("./test.mjs")).testLong(args),
  conformance: (args) => runProgram("conformance", args),
  /** Drives the example controller through a real control plane; words in `args` choose rounds and stories. */
  e2e: (args) => runProgram("e2e", [root, ...args]),
  bench: (args) => spawnProgram("bench", args, ["--expose-gc"]),
  format: () => spawnTool("biome", ["check", "--write", "."]),
  build: async () => (await import("./build.mjs")).build(),
  surface: async () => (await import("./surface.mjs")).writeSurface(),
};
