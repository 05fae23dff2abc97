// Follows the pages like a new user: from an empty folder, with the packed packages.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureBuild } from "./build.mjs";
import { pack } from "./pack.mjs";
import { withRegistry } from "./pack-check/registry.mjs";
import { fail } from "./report.mjs";
import { root } from "./root.mjs";
import { reportCheck, runTests, summarizeParts } from "./test.mjs";
import { capture } from "./tool.mjs";

/** The last line counts the build and each step of each guide. Returns the exit code. */
export async function guides() {
  const { code } = await capture("npm", ["view", "typescript@6.0.3", "version"]);
  if (code !== 0)
    fail("the package registry is not reachable, and the guides install packages from it.", 2);
  const packed = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  try {
    const parts = [await reportCheck("build and pack", () => buildAndPack(packed))];
    if (parts[0].failed === 0) parts.push(await followPages(packed, ["guides"]));
    return summarizeParts(parts);
  } finally {
    rmSync(packed, { recursive: true });
  }
}

async function buildAndPack(folder) {
  const built = await captureBuild();
  return built.code === 0 ? pack(folder) : built;
}

/**
 * Follows pages with the tarballs in a folder. Returns the counts of the steps.
 *
 * @param names - the names of `docs/*.follow.ts` files
 */
export function followPages(packed, names) {
  const config = join(root, "docs", "guides.vitest.config.ts");
  return withRegistry(packed, (npm) => {
    process.env.JOBSET_NPM = JSON.stringify(npm);
    return runTests(["--config", config, ...names.map((name) => `docs/${name}.follow`)]);
  });
}
