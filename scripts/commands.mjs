// The `npm run` commands. `needs` is the installation that a command requires, and `takes` returns its duration if it is long. `run` and
// `takes` get the arguments after `--`. `run` returns the exit code.
import { join, relative } from "node:path";
import { runProgram, userFolder } from "./program.mjs";
import { say } from "./report.mjs";
import { root } from "./root.mjs";
import { spawnTool } from "./tool.mjs";

export const commands = {
  /** Runs the `jobset` command. Without arguments, it prints the objects of an example JobSet. */
  start: {
    needs: "programs",
    run: (args) => (args.length > 0 ? runProgram("cli", args) : showShippedJobSet()),
  },
  test: {
    needs: "tools",
    takes: () => "three to four minutes on two cores",
    run: async () => (await import("./test.mjs")).test(),
  },
  /** Runs the tests that start the programs as processes, in every runtime. */
  "test:processes": {
    needs: "everything",
    takes: () => "about a minute",
    run: async () => (await import("./test.mjs")).testProcesses(),
  },
  "test:long": {
    needs: "everything",
    takes: (args) =>
      args.length > 0 ? "up to ten minutes for each file" : "ten to twenty minutes",
    run: async (args) => (await import("./test.mjs")).testLong(args),
  },
  /** Finds phrases that the language guide replaces, in documentation, comments, messages and test names. */
  prose: {
    needs: "tools",
    run: async () => {
      const { code, output } = await (await import("./prose.mjs")).checkProse();
      process.stdout.write(output);
      return code;
    },
  },
  /** Checks format, lint rules, the direction of imports, dead code and dependencies. */
  lint: {
    needs: "tools",
    run: async () => (await import("./lint.mjs")).lint(),
  },
  conformance: {
    needs: "programs",
    takes: (args) => (args.length > 0 ? undefined : "about ten seconds"),
    run: (args) => runProgram("conformance", args),
  },
  /** Runs the example controller on a real control plane. `args` select rounds and scenarios. */
  e2e: {
    needs: "controller",
    takes: (args) =>
      args.length > 0 && args[0] !== "at-scale" ? undefined : "three to five minutes on two cores",
    run: (args) => runProgram("e2e", [root, ...args]),
  },
  /** Builds the Headlamp plugin and tests it in a browser. `args` are passed to vitest. */
  headlamp: {
    needs: "tools",
    takes: () => "about a minute",
    run: async (args) => (await import("./headlamp.mjs")).headlamp(args),
  },
  /** Builds the Pepr module and sends it recorded reviews. `args` are passed to vitest. */
  pepr: {
    needs: "tools",
    takes: () => "about a minute",
    run: async (args) => (await import("./pepr.mjs")).pepr(args),
  },
  /** Runs the tests in every Node version and the built packages in every runtime. `args` select runtimes. */
  everywhere: {
    needs: "everything",
    takes: (args) =>
      args.length === 0 || args.some((name) => name.startsWith("node"))
        ? "two to five minutes for each Node version, and one minute for all other runtimes"
        : "about a minute",
    run: async (args) => (await import("./everywhere.mjs")).everywhere(args),
  },
  /** Tests the laws of `@jobset-ts/testing` with wrong and correct controllers and webhooks. */
  "mutate:answers": {
    needs: "tools",
    takes: (args) => (args.includes("--short") ? "about three minutes" : "about an hour"),
    run: (args) => runProgram("mutants", args),
  },
  /** Runs mutation tests. */
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
  /** Packs the packages into tarballs in `folder`, which is created. */
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
  /** Follows the guides in empty folders, like a new user. */
  guides: {
    needs: "tools",
    takes: () => "two to three minutes",
    run: async () => (await import("./guides.mjs")).guides(),
  },
  /** Generates the API reference from the docstrings. */
  docs: {
    needs: "tools",
    run: async () => (await import("./docs.mjs")).docs(),
  },
  /** Builds the single-file command and the krew archive in `packages/cli/release`. */
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
