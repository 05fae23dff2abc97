import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = new URL("../../../", import.meta.url);
const hook = `import { writeSync } from "node:fs";
export function load(url, context, next) { writeSync(2, url + "\\n"); return next(url, context); }`;
const listing = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hook))});`;

function dataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** Returns the folders of the modules that the program loads for a command line, and the names of other packages. */
function listLoadedFolders(args: readonly string[]): readonly string[] {
  const preloaded = [new URL("scripts/load-sources.mjs", root).href, dataUrl(listing)];
  const imports = preloaded.flatMap((url) => ["--import", url]);
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const flags = ["--conditions=@jobset-ts/source", ...imports];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, main, ...args], {
    encoding: "utf8",
  });
  expect(stdout).not.toBe("");
  const files = stderr.split("\n").filter((url) => url.startsWith("file:"));
  const paths = files.map((url) => dirname(url.slice(root.href.length)));
  return [...new Set(paths.map((path) => path.replace(/^.*node_modules\//, "")))].sort();
}

it.each([[["--help"]], [["__complete", "plan", "--"]]])(
  "jobset %j loads the table of commands, and neither the code of a command nor another package of the workspace",
  (args) => {
    expect(listLoadedFolders(args)).toEqual([
      "commander",
      "packages/cli",
      "packages/cli/src",
      "packages/cli/src/command-line",
      "packages/cli/src/output",
    ]);
  },
);

it("jobset plan --help loads what its options need, but no code of the command", () => {
  const folders = listLoadedFolders(["plan", "--help"]);
  expect(folders).toContain("packages/api/src");
  expect(folders).toContain("packages/releases/src");
  const ofCommands = /^packages\/(cli\/src\/commands|admission|diagnose|kueue|sim)/;
  expect(folders.filter((folder) => ofCommands.test(folder))).toEqual([]);
});
