// What is published: JavaScript for both module systems, and types.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { acceptUndefined } from "./optional-members.mjs";
import { isUpToDate } from "./program.mjs";
import { root } from "./root.mjs";
import { captureTool } from "./tool.mjs";

/** A package comes after those that it imports, whose built types it is compiled against. */
export const published = [
  "api",
  "crd",
  "core",
  "admission",
  "kueue",
  "diagnose",
  "sim",
  "testing",
  "controller-runtime",
  "cli",
];
const folders = published.map((name) => join(root, "packages", name));

/** The entries of a package in a folder: the name by which each is imported, and the source file of those that have one. */
export function listEntries(folder) {
  const { name, exports = {} } = manifestIn(folder);
  return Object.entries(exports).map(([subpath, { "@jobset-ts/source": source }]) => ({
    name: `${name}${subpath.slice(1)}`,
    ...(source !== undefined && { source: join(folder, source) }),
  }));
}

/** Where the sources are, as the manifest of every published package says. */
export function repositoryUrl() {
  return manifestIn(folders[0]).repository.url.replace(/^git\+|\.git$/g, "");
}

function manifestIn(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Builds all published packages; says something only when one fails. Answers with the exit code. */
export async function build() {
  const { code, output } = await captureBuild();
  process.stderr.write(code === 0 ? "" : output);
  return code;
}

/** Builds all published packages up to the first failure: `{ code, output }`. */
export async function captureBuild() {
  for (const folder of folders) {
    const { code, output } = await captureTool("tsup", [], folder);
    if (code !== 0) return { code, output: `${folder}: tsup\n${output}` };
    acceptUndefined(join(folder, "dist"));
  }
  return { code: 0, output: "" };
}

/** The same, unless what is there was built from what the sources are now. */
export async function captureBuildOnce() {
  const last = join(folders.at(-1), "dist", "main.js");
  const sources = ["checks", "go-regexp", ...published].map((name) =>
    join(root, "packages", name, "src"),
  );
  return isUpToDate(last, sources) ? { code: 0, output: "" } : captureBuild();
}
