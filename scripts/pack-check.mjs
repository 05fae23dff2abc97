// Checks the packages before publishing: the sources, the build, the tarballs, and an installation.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureBuild } from "./build.mjs";
import { followPages } from "./guides.mjs";
import { pack } from "./pack.mjs";
import { installed } from "./pack-check/installed.mjs";
import { oneVersion, packed } from "./pack-check/packed.mjs";
import { compareSurface } from "./surface.mjs";
import { compile, reportCheck, summarizeParts } from "./test.mjs";
import { captureTool } from "./tool.mjs";

/**
 * Runs the checks in parts. Each part depends on the previous ones, so the command stops after a part that fails. The last line
 * counts the checks. Returns the exit code.
 */
export async function packCheck() {
  const folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  const parts = [
    { "types, with the compiler of the build": () => compile("typescript") },
    { build: captureBuild },
    {
      "public surface": compareSurface,
      sizes: () => captureTool("size-limit", []),
      "one version for all packages": () => oneVersion(folder),
      "pnpm pack": () => pack(folder),
    },
    packed(folder),
    ...installed(folder),
  ];
  const results = [];
  try {
    for (const part of parts) {
      for (const [name, take] of Object.entries(part)) {
        results.push(await reportCheck(name, take));
      }
      if (results.some(({ failed }) => failed > 0)) return summarizeParts(results);
    }
    results.push(await followPages(folder, ["packages", "pages", "guides"]));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return summarizeParts(results);
}
