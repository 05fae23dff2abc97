// What would be published, looked at before it is: as sources, as it is built, as it is packed, and as whoever installs it
// has it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureBuild } from "./build.mjs";
import { followPages } from "./guides.mjs";
import { pack } from "./pack.mjs";
import { installed } from "./pack-check/installed.mjs";
import { oneVersion, packed } from "./pack-check/packed.mjs";
import { compareSurface } from "./surface.mjs";
import { compile, conclude, toldCheck } from "./test.mjs";
import { captureTool } from "./tool.mjs";

/**
 * Looks at what would be published, part by part, and at no further part when one goes wrong, since each stands on those
 * before it. The last line counts each look as one; answers with the exit code.
 */
export async function packCheck() {
  const folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  const parts = [
    { "types, by the compiler that builds": () => compile("typescript") },
    { "the build": captureBuild },
    {
      "public surface": compareSurface,
      sizes: () => captureTool("size-limit", []),
      "one version for all that changes": () => oneVersion(folder),
      "what pnpm packs": () => pack(folder),
    },
    packed(folder),
    ...installed(folder),
  ];
  const results = [];
  try {
    for (const part of parts) {
      for (const [name, take] of Object.entries(part)) {
        results.push(await toldCheck(name, take));
      }
      if (results.some(({ failed }) => failed > 0)) return conclude(results);
    }
    results.push(await followPages(folder, ["packages", "pages", "guides"]));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return conclude(results);
}
