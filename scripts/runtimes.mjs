// Finds the runtimes that tests start beside the Node that they run in.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { root } from "./root.mjs";
import { capture } from "./tool.mjs";

// They are large, and so a package of their own, which is installed for tests alone.
const require = createRequire(
  join(root, "examples", "admission-proxy", "runtimes", "package.json"),
);

/** Where the package of a runtime has its binary for each platform. */
const files = { bun: "bin/bun", deno: "deno", workerd: "bin/workerd" };

/** One of each release line; the one that runs already is taken as it is. */
const nodes = { 20: "20.20.2", 22: "22.23.3", 24: "24.21.0" };

/**
 * The binary that a runtime's package has for this platform, in an optional dependency of its own.
 *
 * @param runtime - `bun`, `deno` or `workerd`
 * @returns `undefined` where there is none, or none that starts: one for glibc is installed on musl, too
 */
export function encodeBinary(runtime) {
  const manifest = require.resolve(`${runtime}/package.json`);
  for (const name of Object.keys(require(manifest).optionalDependencies ?? {})) {
    try {
      const installed = createRequire(manifest).resolve(`${name}/package.json`);
      const extension = process.platform === "win32" ? ".exe" : "";
      const binary = join(dirname(installed), files[runtime] + extension);
      if (spawnSync(binary, ["--version"]).status === 0) return binary;
    } catch {
      // It is for another platform.
    }
  }
  return undefined;
}

/**
 * Finds a Node of a release line, or lets npm fetch one: `{ outcome: "Found", path }`, or
 * `{ outcome: "Unavailable", reason }`.
 */
export async function createNode(major) {
  if (process.versions.node.startsWith(`${major}.`)) {
    return { outcome: "Found", path: process.execPath };
  }
  const version = nodes[major];
  const print = "node -p process.execPath";
  const { output } = await capture("npx", ["--yes", "-p", `node@${version}`, "-c", print]);
  const path = output.trim().split("\n").at(-1) ?? "";
  const { status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  if (status === 0 && stdout.trim() === `v${version}`) return { outcome: "Found", path };
  const why =
    output
      .trim()
      .split("\n")
      .find((line) => /error|\bE[A-Z]{4}/i.test(line)) ?? "it does not start";
  return { outcome: "Unavailable", reason: `npx does not find node@${version}: ${why}` };
}
