// Runs a program of the workspace straight from its TypeScript source.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.mjs";

const cache = join(root, "node_modules", ".cache", "jobset-ts");

/**
 * Bundles `packages/<name>/src/main.ts` and runs it in this process, in the folder where the user typed the
 * command, so that relative file names mean what they say. Answers with the exit code that it has set.
 */
export async function runProgram(name, args) {
  const file = await bundleProgram(name);
  process.chdir(userFolder());
  process.setSourceMapsEnabled(true);
  process.argv.splice(1, process.argv.length, file, ...args);
  await import(pathToFileURL(file).href);
  return process.exitCode ?? 0;
}

/** The same in a process of its own, for a program that needs flags of Node. */
export async function spawnProgram(name, args, nodeFlags) {
  const file = await bundleProgram(name);
  const child = spawn(process.execPath, ["--enable-source-maps", ...nodeFlags, file, ...args], {
    cwd: userFolder(),
    stdio: "inherit",
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve(code ?? 3));
  });
}

/**
 * One JavaScript file out of a program's TypeScript sources, all packages included; answers its path. It is
 * made anew only when a source has changed.
 *
 * @param folder - the program's own
 * @param entry - the source in it to start from
 */
export async function bundleProgram(
  name,
  folder = join(root, "packages", name),
  entry = "src/main.ts",
) {
  const file = join(cache, `${name}.mjs`);
  const stamp = `${file}.stamp`;
  const sources = fingerprint();
  if (existsSync(file) && existsSync(stamp) && readFileSync(stamp, "utf8") === sources) return file;
  const { build } = await import("esbuild");
  // Two commands may start at once: each writes a file of its own and puts it in place whole.
  const unfinished = `${file}.${process.pid}`;
  await build({
    entryPoints: [join(folder, entry)],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
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
  renameSync(unfinished, file);
  writeFileSync(stamp, sources);
  return file;
}

/** Where the user typed the command; npm itself runs it in the workspace's folder. */
export function userFolder() {
  const byNpm = process.env.npm_lifecycle_event !== undefined;
  return (byNpm && process.env.INIT_CWD) || process.cwd();
}

/** Changes with every file of every package's sources and manifests, and with what is installed. */
function fingerprint() {
  const hash = createHash("sha256");
  const add = (path) => {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path}\0${mtimeMs}\0${size}\n`);
  };
  add(join(root, "node_modules", ".installed"));
  const folders = ["packages", "examples"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
  );
  for (const folder of folders.sort()) {
    for (const part of ["src", "manifests"]) {
      const sources = join(folder, part);
      if (!existsSync(sources)) continue;
      for (const path of readdirSync(sources, { recursive: true, encoding: "utf8" }).sort()) {
        if (/\.(ts|yaml)$/.test(path)) add(join(sources, path));
      }
    }
  }
  return hash.digest("hex");
}
