// What is looked at of the packed tarballs.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { published } from "../build.mjs";
import { tarballsIn } from "../pack.mjs";
import { root } from "../root.mjs";
import { capture, captureTool } from "../tool.mjs";

/** What is looked at of the tarballs in a folder, by names. */
export function packed(folder) {
  return {
    "publint, of every tarball": () =>
      ofEvery(tarballsIn(folder), (file) => captureTool("publint", ["--strict", file])),
    "are the types wrong? of every tarball that can be imported": () =>
      ofEvery(tarballsIn(folder).filter(isImported), (file) =>
        captureTool("attw", ["--profile", "strict", "--format", "ascii", "--no-emoji", file]),
      ),
  };
}

/**
 * The changesets that wait name packages that there are, and lead to one version for all that are published. Where a checkout
 * has no branch `main` to compare with, only those of the commit to come are looked at.
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
    return release?.newVersion ?? "stays as it is";
  });
  const text = published.map((name, index) => `${name}: ${versions[index]}`).join("\n");
  return { code: new Set(versions).size === 1 ? 0 : 1, output: text };
}

/** Whether a tarball has entries; that of a command has none. */
function isImported(file) {
  const name = published.find((one) => file.includes(`jobset-ts-${one}-`));
  const manifest = readFileSync(join(root, "packages", name, "package.json"), "utf8");
  return JSON.parse(manifest).exports !== undefined;
}

async function ofEvery(items, take) {
  for (const item of items) {
    const { code, output } = await take(item);
    if (code !== 0) return { code, output: `${item}\n${output}` };
  }
  return { code: 0, output: "" };
}
