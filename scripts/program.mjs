// Runs a program of the workspace straight from its TypeScript source.
import { spawn } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/**
 * Bundles `packages/<name>/src/main.ts` and runs it, in the folder where the user typed the command, so
 * that relative file names mean what they say. Answers with the program's exit code.
 */
export async function runProgram(name, args, nodeFlags = []) {
  const file = await bundleProgram(name);
  const typedHere = process.env.npm_lifecycle_event !== undefined && process.env.INIT_CWD;
  const child = spawn(process.execPath, ["--enable-source-maps", ...nodeFlags, file, ...args], {
    cwd: typedHere || process.cwd(),
    stdio: "inherit",
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve(code ?? 3));
  });
}

/** One JavaScript file out of a program's TypeScript sources, all packages included; answers its path. */
export async function bundleProgram(name) {
  const { build } = await import("esbuild");
  const file = join(root, "node_modules", ".cache", "jobset-ts", `${name}.mjs`);
  const unfinished = `${file}.${process.pid}`;
  await build({
    entryPoints: [join(root, "packages", name, "src", "main.ts")],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@jobset-ts/source"],
    mainFields: ["module", "main"],
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "error",
    banner: {
      // Bundled CommonJS dependencies still ask for Node's own modules by `require`.
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  renameSync(unfinished, file);
  return file;
}
