// Builds the published packages: ES modules, CommonJS and types.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { acceptUndefined } from "./optional-members.mjs";
import { isUpToDate } from "./program.mjs";
import { root } from "./root.mjs";
import { captureTool } from "./tool.mjs";

/** The published packages. Each comes after its dependencies, because it is compiled against their built types. */
export const published = [
  "api",
  "crd",
  "core",
  "admission",
  "releases",
  "kueue",
  "diagnose",
  "sim",
  "testing",
  "controller-runtime",
  "cli",
];
const folders = published.map((name) => join(root, "packages", name));

/** Returns the entries of the package in a folder: the import name and, if there is one, the source file. */
export function listEntries(folder) {
  const { name, exports = {} } = manifestIn(folder);
  return Object.entries(exports).map(([subpath, { "@jobset-ts/source": source }]) => ({
    name: `${name}${subpath.slice(1)}`,
    ...(source !== undefined && { source: join(folder, source) }),
  }));
}

/** Returns the repository URL from the package manifests. */
export function repositoryUrl() {
  return manifestIn(folders[0]).repository.url.replace(/^git\+|\.git$/g, "");
}

function manifestIn(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Builds all published packages and prints output only on failure. Returns the exit code. */
export async function build() {
  const { code, output } = await captureBuild();
  process.stderr.write(code === 0 ? "" : output);
  return code;
}

/** Builds the published packages and stops at the first failure. Returns `{ code, output }`. */
export async function captureBuild() {
  for (const folder of folders) {
    const { code, output } = await captureTool("tsup", [], folder);
    if (code !== 0) return { code, output: `${folder}: tsup\n${output}` };
    acceptUndefined(join(folder, "dist"));
  }
  return { code: 0, output: "" };
}

/** Like {@link captureBuild}, but skips the build if it is up to date. */
export async function captureBuildOnce() {
  const last = join(folders.at(-1), "dist", "main.js");
  const sources = ["checks", "go-regexp", ...published].map((name) =>
    join(root, "packages", name, "src"),
  );
  return isUpToDate(last, sources) ? { code: 0, output: "" } : captureBuild();
}
