// Builds the Pepr module with the Pepr tool and replays recorded reviews.
import { existsSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { captureBuildOnce } from "./build.mjs";
import { installApart } from "./install.mjs";
import { say } from "./report.mjs";
import { root } from "./root.mjs";
import { reportCheck, runTests, summarizeParts } from "./test.mjs";
import { capture, captureTool } from "./tool.mjs";

const folder = join(root, "examples", "pepr");
const built = join(folder, "dist", "pepr-jobset.js");

/**
 * Builds the packages and the module, and sends recorded reviews to the module. The last line counts checks and tests. Returns the
 * exit code.
 *
 * @param args - arguments for vitest
 */
export async function pepr(args) {
  await installApart(folder, 210);
  const checks = {
    "build of the packages": captureBuildOnce,
    "build of the module with pepr build": buildModule,
    "types of the module tests": () => captureTool("tsc", ["-p", join(folder, "module-tests")]),
  };
  const parts = [];
  for (const [name, take] of Object.entries(checks)) {
    parts.push(await reportCheck(name, take));
    if (parts.at(-1).failed > 0) return summarizeParts(parts);
  }
  say(`the module and its manifests are in ${relative(process.cwd(), join(folder, "dist"))}`);
  parts.push(await runTests(["--config", join(folder, "vitest.config.mts"), ...args]));
  return summarizeParts(parts);
}

/** Checks that the output exists, because `pepr build` may exit with 0 without building. */
async function buildModule() {
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  const { code, output } = await capture("npm", ["run", "build", "--silent"], folder);
  return { code: existsSync(built) ? code : 1, output };
}
