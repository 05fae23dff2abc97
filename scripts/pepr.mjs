// The Pepr module: its build by Pepr's own tool, and its answers to what was recorded.
import { existsSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { captureBuildOnce } from "./build.mjs";
import { installApart } from "./install.mjs";
import { say } from "./report.mjs";
import { root } from "./root.mjs";
import { conclude, runTests, toldCheck } from "./test.mjs";
import { capture, captureTool } from "./tool.mjs";

const folder = join(root, "examples", "pepr");
const built = join(folder, "dist", "pepr-jobset.js");

/**
 * Builds the packages, and the module of them, and sends the module recorded reviews. The last line counts each check as
 * one, and each test. Answers with the exit code.
 *
 * @param args - for vitest
 */
export async function pepr(args) {
  await installApart(folder, 210);
  const checks = {
    "packages, as they are published": captureBuildOnce,
    "module, by pepr build": buildModule,
    "types of its tests": () => captureTool("tsc", ["-p", join(folder, "module-tests")]),
  };
  const parts = [];
  for (const [name, take] of Object.entries(checks)) {
    parts.push(await toldCheck(name, take));
    if (parts.at(-1).failed > 0) return conclude(parts);
  }
  say(`the module and its manifests are in ${relative(process.cwd(), join(folder, "dist"))}`);
  parts.push(await runTests(["--config", join(folder, "vitest.config.mts"), ...args]));
  return conclude(parts);
}

/** Pepr says with 0 that it has built what it has not. */
async function buildModule() {
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  const { code, output } = await capture("npm", ["run", "build", "--silent"], folder);
  return { code: existsSync(built) ? code : 1, output };
}
