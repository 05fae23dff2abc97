// What is published: JavaScript for both module systems, and types.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isUpToDate } from "./program.mjs";
import { root } from "./root.mjs";
import { capture, captureTool } from "./tool.mjs";

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

/** Builds all published packages; says something only when one fails. Answers with the exit code. */
export async function build() {
  const { code, output } = await captureBuild();
  process.stderr.write(code === 0 ? "" : output);
  return code;
}

/** Builds and checks all published packages up to the first failure: `{ code, output }`. */
export async function captureBuild() {
  for (const folder of folders) {
    const { code, output } = await captureTool("tsup", [], folder);
    if (code !== 0) return { code, output: `${folder}: tsup\n${output}` };
  }
  const linted = await captureLint();
  if (linted.code !== 0) return linted;
  // This Node may be one that lets `require` load ES modules; it is told not to, as Node 22.0 and Jest do not.
  const script = join(root, "scripts", "commonjs.cjs");
  return capture(process.execPath, ["--no-experimental-require-module", script, ...folders]);
}

/** The same, unless what is there was built from what the sources are now. */
export async function captureBuildOnce() {
  const last = join(folders.at(-1), "dist", "main.js");
  const sources = ["go-regexp", ...published].map((name) => join(root, "packages", name, "src"));
  return isUpToDate(last, sources) ? { code: 0, output: "" } : captureBuild();
}

/** Looks at what would be packed as a user would see it. */
async function captureLint() {
  const packed = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  try {
    // npm takes longer to start than to pack, so it packs all of them at once.
    const pack = await capture("npm", ["pack", "--pack-destination", packed, ...folders]);
    if (pack.code !== 0) return pack;
    for (const file of readdirSync(packed)) {
      const linted = await captureTool("publint", ["--strict", join(packed, file)]);
      if (linted.code !== 0) return linted;
    }
    return { code: 0, output: "" };
  } finally {
    rmSync(packed, { recursive: true });
  }
}
