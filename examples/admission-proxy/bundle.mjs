#!/usr/bin/env node
// Bundles the proxy and the library into one JavaScript file for a runtime:
//   node bundle.mjs node|bun|deno|worker FILE
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { install } from "../../scripts/install.mjs";

export const runtimes = ["node", "bun", "deno", "worker"];

/** @param runtime - one of {@link runtimes} */
export async function bundle(runtime, file) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: [join(import.meta.dirname, "src", `${runtime}.ts`)],
    outfile: file,
    bundle: true,
    platform: "neutral",
    // Node, Bun and Deno all provide the Node modules for files and arguments.
    external: runtime === "worker" ? [] : ["node:*"],
    format: "esm",
    target: "es2022",
    minify: true,
    conditions: ["@jobset-ts/source"],
    mainFields: ["module", "main"],
    legalComments: "none",
    logLevel: "error",
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [runtime, file] = process.argv.slice(2);
  if (!runtimes.includes(runtime) || file === undefined) {
    process.stderr.write(`usage: bundle.mjs ${runtimes.join("|")} FILE\n`);
    process.exit(2);
  }
  await install("programs");
  await bundle(runtime, resolve(file));
}
