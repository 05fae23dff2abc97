// The guides, followed as a new user does: from an empty folder, with the packages as they would be published.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureBuild } from "./build.mjs";
import { pack } from "./pack-check/packed.mjs";
import { fail } from "./report.mjs";
import { root } from "./root.mjs";
import { conclude, runTests, toldCheck } from "./test.mjs";
import { capture } from "./tool.mjs";

/** The last line counts the build as one, and each step of each guide. Answers with the exit code. */
export async function guides() {
  const { code } = await capture("npm", ["view", "typescript@6.0.3", "version"]);
  if (code !== 0) fail("the package registry cannot be reached, and guides install from it.", 2);
  const packed = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  try {
    const parts = [await toldCheck("build, and what npm would pack", () => buildAndPack(packed))];
    process.env.JOBSET_PACKED = packed;
    const config = join(root, "docs", "guides.vitest.config.ts");
    if (parts[0].failed === 0) parts.push(await runTests(["--config", config]));
    return conclude(parts);
  } finally {
    rmSync(packed, { recursive: true });
  }
}

async function buildAndPack(folder) {
  const built = await captureBuild();
  return built.code === 0 ? pack(folder) : built;
}
