// Checks the tarballs and the changesets.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { published } from "../build.mjs";
import { tarballsIn } from "../pack.mjs";
import { root } from "../root.mjs";
import { capture, captureTool } from "../tool.mjs";

/** Returns the checks of the tarballs in a folder, by name. */
export function packed(folder) {
  return {
    "publint for each tarball": () =>
      checkEvery(tarballsIn(folder), (file) => captureTool("publint", ["--strict", file])),
    "Are the Types Wrong? for each tarball with entries": () =>
      checkEvery(tarballsIn(folder).filter(isImported), (file) =>
        captureTool("attw", ["--profile", "strict", "--format", "ascii", "--no-emoji", file]),
      ),
  };
}

/**
 * Checks that the changesets name existing packages and lead to one version for all published packages. If the checkout has no branch
 * `main`, it checks only changesets that are not committed.
 */
export async function oneVersion(folder) {
  const file = join(folder, "releases.json");
  const main = await capture("git", ["rev-parse", "--verify", "--quiet", "main"]);
  const since = main.code === 0 ? [] : ["--since", "HEAD"];
  const args = ["status", ...since, "--output", relative(root, file)];
  const { code, output } = await captureTool("changeset", args);
  if (code !== 0) return { code, output };
  const { releases } = JSON.parse(readFileSync(file, "utf8"));
  const versions = published.map((name) => {
    const release = releases.find((one) => one.name === `@jobset-ts/${name}`);
    return release?.newVersion ?? "unchanged";
  });
  const text = published.map((name, index) => `${name}: ${versions[index]}`).join("\n");
  return { code: new Set(versions).size === 1 ? 0 : 1, output: text };
}

/** Returns whether a tarball has entries to import. The tarball of the command has none. */
function isImported(file) {
  const name = published.find((one) => file.includes(`jobset-ts-${one}-`));
  const manifest = readFileSync(join(root, "packages", name, "package.json"), "utf8");
  return JSON.parse(manifest).exports !== undefined;
}

async function checkEvery(items, take) {
  for (const item of items) {
    const { code, output } = await take(item);
    if (code !== 0) return { code, output: `${item}\n${output}` };
  }
  return { code: 0, output: "" };
}
