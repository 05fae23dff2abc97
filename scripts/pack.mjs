// The tarballs, as a registry would get them. pnpm packs, since it writes versions for `workspace:*` and adds the LICENSE.
import { mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { captureBuild, published } from "./build.mjs";
import { pnpm } from "./install.mjs";
import { userFolder } from "./program.mjs";
import { say } from "./report.mjs";
import { capture } from "./tool.mjs";

/** Builds all published packages and packs them into a folder, which is made; prints the tarballs. Returns the exit code. */
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
  say(`install all of them, since they need each other: npm install ${join(folder, "*.tgz")}`);
  return 0;
}

/** Packs all published packages, as they are built, into a folder: `{ code, output }`. */
export function pack(folder) {
  const selection = published.flatMap((name) => ["--filter", `./packages/${name}`]);
  return capture("npx", ["--yes", pnpm, "-r", ...selection, "pack", "--pack-destination", folder]);
}

/** The paths of the tarballs in a folder, in their order. */
export function tarballsIn(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  return files.sort().map((file) => join(folder, file));
}
