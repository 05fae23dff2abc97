// What each `npm run` command needs installed, how long it takes where that is long, and what it does then. `run` and
// `takes` are given the arguments behind `--`; `run` answers with the exit code.
import { join, relative } from "node:path";
import { runProgram, userFolder } from "./program.mjs";
import { say } from "./report.mjs";
import { root } from "./root.mjs";
import { spawnTool } from "./tool.mjs";

export const commands = {
  /** The `jobset` command; without arguments it shows what becomes of the shipped JobSet. */
  start: {
    needs: "programs",
    run: (args) => (args.length > 0 ? runProgram("cli", args) : showShippedJobSet()),
  },
  test: {
    needs: "tools",
    takes: () => "three to four minutes on two cores",
    run: async () => (await import("./test.mjs")).test(),
  },
  /** The tests that start the programs as their users do, in every runtime. */
  "test:processes": {
    needs: "everything",
    takes: () => "about a minute",
    run: async () => (await import("./test.mjs")).testProcesses(),
  },
  "test:long": {
    needs: "everything",
    takes: (args) => (args.length > 0 ? "up to ten minutes a file" : "ten to twenty minutes"),
    run: async (args) => (await import("./test.mjs")).testLong(args),
  },
  conformance: {
    needs: "programs",
    takes: (args) => (args.length > 0 ? undefined : "about ten seconds"),
    run: (args) => runProgram("conformance", args),
  },
  /** Drives the example controller through a real control plane; words in `args` choose rounds and stories. */
  e2e: {
    needs: "controller",
    takes: (args) =>
      args.length > 0 && args[0] !== "at-scale" ? undefined : "three to five minutes on two cores",
    run: (args) => runProgram("e2e", [root, ...args]),
  },
  /** Builds the Headlamp plugin, and looks at it in a browser; `args` are for the tests. */
  headlamp: {
    needs: "tools",
    takes: () => "about a minute",
    run: async (args) => (await import("./headlamp.mjs")).headlamp(args),
  },
  /** Builds the Pepr module, and sends it recorded reviews; `args` are for the tests. */
  pepr: {
    needs: "tools",
    takes: () => "about a minute",
    run: async (args) => (await import("./pepr.mjs")).pepr(args),
  },
  /** The tests in every Node, and what is published in every runtime; words in `args` choose some of them. */
  everywhere: {
    needs: "everything",
    takes: (args) =>
      args.length === 0 || args.some((name) => name.startsWith("node"))
        ? "two to five minutes for each Node, whose tests run whole, and one for all others"
        : "about a minute",
    run: async (args) => (await import("./everywhere.mjs")).everywhere(args),
  },
  /** Examines the laws of `@jobset-ts/testing`. */
  "mutate:answers": {
    needs: "tools",
    takes: (args) => (args.includes("--short") ? "about three minutes" : "about an hour"),
    run: (args) => runProgram("mutants", args),
  },
  /** Changes the sources of packages, a little each time, and looks whether their tests see it. */
  mutate: {
    needs: "tools",
    takes: (args) => (args.includes("--all") ? "three to six hours" : "half an hour to an hour"),
    run: async (args) => (await import("./mutate.mjs")).mutate(args),
  },
  bench: {
    needs: "programs",
    takes: (args) => (args.length > 0 ? undefined : "five to ten minutes"),
    run: (args) => runProgram("bench", args),
  },
  format: { needs: "tools", run: () => spawnTool("biome", ["check", "--write", "."]) },
  build: {
    needs: "tools",
    takes: () => "about a minute",
    run: async () => (await import("./build.mjs")).build(),
  },
  /** The tarballs of the packages, for who installs them from a clone; `folder` is made. */
  pack: {
    needs: "tools",
    takes: () => "about a minute",
    run: async ([folder = "tarballs"]) => (await import("./pack.mjs")).packInto(folder),
  },
  "pack-check": {
    needs: "tools",
    takes: () => "four to eight minutes",
    run: async () => (await import("./pack-check.mjs")).packCheck(),
  },
  /** Follows the guides as a new user does. */
  guides: {
    needs: "tools",
    takes: () => "two to three minutes",
    run: async () => (await import("./guides.mjs")).guides(),
  },
  /** Makes the reference of the packages from their docstrings. */
  docs: {
    needs: "tools",
    run: async () => (await import("./docs.mjs")).docs(),
  },
  /** The one file to install, and what krew takes, in `packages/cli/release`. */
  "release-files": {
    needs: "tools",
    run: async () => (await import("./release-files.mjs")).releaseFiles(),
  },
  surface: {
    needs: "tools",
    takes: () => "about a minute",
    run: async () => (await import("./surface.mjs")).writeSurface(),
  },
};

async function showShippedJobSet() {
  const shipped = join(root, "examples", "leader-worker", "jobset.yaml");
  const code = await runProgram("cli", ["render", "-f", shipped, "-o", "table"]);
  const named = relative(userFolder(), shipped);
  say(`these objects as YAML: npm start --silent -- render -f ${named}`);
  return code;
}
