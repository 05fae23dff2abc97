// Finds the runtimes that tests start, such as Bun or another Node version.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { root } from "./root.mjs";
import { capture } from "./tool.mjs";

// The runtimes are large, so they are dependencies of a separate package that only tests install.
const require = createRequire(
  join(root, "examples", "admission-proxy", "runtimes", "package.json"),
);

/** The path of the binary in the platform package of each runtime. */
const files = { bun: "bin/bun", deno: "deno", workerd: "bin/workerd" };

/** One version of each major. If the current Node has the same major, it is used instead. */
const nodes = { 20: "20.20.2", 22: "22.23.3", 24: "24.21.0" };

/**
 * Returns the path of the runtime's binary for this platform, which is in an optional dependency.
 *
 * @param runtime - `bun`, `deno` or `workerd`
 * @returns `undefined` if there is no binary that starts; npm installs glibc binaries on musl systems, too
 */
export function findBinary(runtime) {
  const manifest = require.resolve(`${runtime}/package.json`);
  for (const name of Object.keys(require(manifest).optionalDependencies ?? {})) {
    try {
      const installed = createRequire(manifest).resolve(`${name}/package.json`);
      const extension = process.platform === "win32" ? ".exe" : "";
      const binary = join(dirname(installed), files[runtime] + extension);
      if (spawnSync(binary, ["--version"]).status === 0) return binary;
    } catch {
      // The dependency is for another platform.
    }
  }
  return undefined;
}

/**
 * Finds a Node of a major version, or downloads it with npm. Returns `{ outcome: "Found", path }` or
 * `{ outcome: "Unavailable", reason }`.
 */
export async function findNode(major) {
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
      .find((line) => /error|\bE[A-Z]{4}/i.test(line)) ?? "the binary does not start";
  return { outcome: "Unavailable", reason: `npx cannot install node@${version}: ${why}` };
}
