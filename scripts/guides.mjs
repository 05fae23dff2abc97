// The guides, followed as a new user does: from an empty folder, with the packages as they would be published.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureBuild, published } from "./build.mjs";
import { fail } from "./report.mjs";
import { root } from "./root.mjs";
import { check, conclude, runTests } from "./test.mjs";
import { capture } from "./tool.mjs";

/** The last line counts the build as one, and each step of each guide. Answers with the exit code. */
export async function guides() {
  const { code } = await capture("npm", ["view", "typescript@6.0.3", "version"]);
  if (code !== 0) fail("the package registry cannot be reached, and guides install from it.", 2);
  const packed = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  try {
    const parts = [await check("build, and what npm would pack", () => pack(packed))];
    process.stdout.write(parts[0].text);
    process.env.JOBSET_PACKED = packed;
    const config = join(root, "docs", "guides.vitest.config.ts");
    if (parts[0].failed === 0) parts.push(await runTests(["--config", config]));
    return conclude(parts);
  } finally {
    rmSync(packed, { recursive: true });
  }
}

/** By pnpm, since it writes the versions of our packages into what it packs. */
async function pack(folder) {
  const built = await captureBuild();
  if (built.code !== 0) return built;
  for (const name of published) {
    const args = ["--yes", "pnpm@12.21.0", "pack", "--pack-destination", folder];
    const packed = await capture("npx", args, join(root, "packages", name));
    if (packed.code !== 0) return packed;
  }
  return { code: 0, output: "" };
}
