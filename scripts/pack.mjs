// Packs the packages into tarballs with pnpm, which replaces `workspace:*` with versions and adds the LICENSE file.
import { mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { captureBuild, published } from "./build.mjs";
import { pnpm } from "./install.mjs";
import { userFolder } from "./program.mjs";
import { say } from "./report.mjs";
import { capture } from "./tool.mjs";

/** Builds all published packages, packs them into a folder and prints the tarballs. Creates the folder. Returns the exit code. */
export async function packInto(name) {
  const folder = resolve(userFolder(), name);
  mkdirSync(folder, { recursive: true });
  for (const take of [captureBuild, () => pack(folder)]) {
    const { code, output } = await take();
    if (code !== 0) {
      process.stderr.write(output);
      return code;
    }
  }
  for (const file of tarballsIn(folder)) console.log(file);
  say(`to install all packages: npm install ${join(folder, "*.tgz")}`);
  return 0;
}

/** Packs the built packages into a folder. Returns `{ code, output }`. */
export function pack(folder) {
  const selection = published.flatMap((name) => ["--filter", `./packages/${name}`]);
  return capture("npx", ["--yes", pnpm, "-r", ...selection, "pack", "--pack-destination", folder]);
}

/** Returns the sorted paths of the tarballs in a folder. */
export function tarballsIn(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  return files.sort().map((file) => join(folder, file));
}
