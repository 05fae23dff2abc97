// Runs a program of the workspace from its TypeScript sources, as one file that esbuild makes of them when they change.
// That takes a third of a second once; tsx, which needs no file, takes more than one at every start. Node strips types by
// itself only from 22.18 on. And neither brings in manifests as text, or starts the threads of a program.
import { existsSync, readdirSync, renameSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.mjs";

const modules = join(root, "node_modules");

/**
 * Runs `packages/<name>/src/main.ts` in this process, in the folder where the user typed the command, so that relative
 * file names mean what they say. Answers with the exit code that it has set.
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
 * One JavaScript file out of a program's TypeScript sources, all packages included; answers its path.
 *
 * @param folder - the program's own
 * @param entry - the source in it to start from
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
  // Two commands may start at once: each writes a file of its own and puts it in place whole.
  const unfinished = `${file}.${process.pid}`;
  await build({
    entryPoints: [join(folder, entry)],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // It finds its own program by where it lies.
    external: ["esbuild"],
    conditions: ["@jobset-ts/source"],
    mainFields: ["module", "main"],
    sourcemap: "inline",
    sourcesContent: false,
    // What a program installs is in it.
    loader: { ".yaml": "text" },
    logLevel: "error",
    banner: {
      // Bundled CommonJS dependencies still ask for Node's own modules by `require`.
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  // What changes while it is made is not in it, perhaps.
  utimesSync(unfinished, begun, begun);
  renameSync(unfinished, file);
  return file;
}

/** Where the user typed the command; npm itself runs it in the workspace's folder. */
export function userFolder() {
  const byNpm = process.env.npm_lifecycle_event !== undefined;
  return (byNpm && process.env.INIT_CWD) || process.cwd();
}

/**
 * Whether a file is younger than all that is installed and all sources.
 *
 * @param folders - where the sources are; else wherever those of a program may be
 */
export function isUpToDate(file, folders = sourceFolders()) {
  if (!existsSync(file)) return false;
  const { mtimeMs } = statSync(file);
  const isOlder = (path) => !existsSync(path) || statSync(path).mtimeMs < mtimeMs;
  return (
    isOlder(join(modules, ".installed")) &&
    // A folder changes when a file in it comes or goes.
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
