// Runs a program of the workspace from its TypeScript sources. esbuild bundles them into one file when they change, which takes a third
// of a second. tsx takes more than a second at every start, and Node strips types only since 22.18. Neither of them imports YAML
// manifests as text or starts the worker threads of a program.
import { existsSync, readdirSync, renameSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.mjs";

const modules = join(root, "node_modules");

/**
 * Runs `packages/<name>/src/main.ts` in this process. Changes to the folder where the user ran the command, so relative paths work.
 * Returns the exit code of the program.
 */
export async function runProgram(name, args) {
  const file = await bundleProgram(name);
  process.chdir(userFolder());
  process.setSourceMapsEnabled(true);
  process.argv.splice(1, process.argv.length, file, ...args);
  await import(pathToFileURL(file).href);
  return process.exitCode ?? 0;
}

/**
 * Bundles a program and all its packages into one JavaScript file. Returns the path of the file.
 *
 * @param folder - the folder of the program
 * @param entry - the entry point in this folder
 */
export async function bundleProgram(
  name,
  folder = join(root, "packages", name),
  entry = "src/main.ts",
) {
  const file = join(modules, ".cache", "jobset-ts", `${name}.mjs`);
  if (isUpToDate(file)) return file;
  const { build } = await import("esbuild");
  const begun = new Date();
  // Two commands may run at the same time. Each writes a separate file and renames it.
  const unfinished = `${file}.${process.pid}`;
  await build({
    entryPoints: [join(folder, entry)],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // esbuild locates its binary relative to its own file.
    external: ["esbuild"],
    conditions: ["@jobset-ts/source"],
    mainFields: ["module", "main"],
    sourcemap: "inline",
    sourcesContent: false,
    // The bundle contains the manifests that a program installs.
    loader: { ".yaml": "text" },
    logLevel: "error",
    banner: {
      // Bundled CommonJS dependencies load Node modules with `require`.
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  // The bundle may lack changes that were made during the build, so its time is set to the start of
  // the build.
  utimesSync(unfinished, begun, begun);
  renameSync(unfinished, file);
  return file;
}

/** Returns the folder where the user ran the command. npm runs scripts in the workspace root. */
export function userFolder() {
  const byNpm = process.env.npm_lifecycle_event !== undefined;
  return (byNpm && process.env.INIT_CWD) || process.cwd();
}

/**
 * Returns whether a file is newer than all sources and the installed dependencies.
 *
 * @param folders - the source folders; by default, those of all packages and examples
 */
export function isUpToDate(file, folders = sourceFolders()) {
  if (!existsSync(file)) return false;
  const { mtimeMs } = statSync(file);
  const isOlder = (path) => !existsSync(path) || statSync(path).mtimeMs < mtimeMs;
  return (
    isOlder(join(modules, ".installed")) &&
    // The time of a folder changes when a file is added or removed.
    folders.every((folder) => isOlder(folder) && filesIn(folder).every(isOlder))
  );
}

function sourceFolders() {
  return ["packages", "examples"]
    .map((parent) => join(root, parent))
    .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)))
    .flatMap((folder) => [join(folder, "src"), join(folder, "manifests")]);
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
}
