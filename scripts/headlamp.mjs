// The Headlamp plugin: its types, its build and how it looks in a browser.
import { join, relative } from "node:path";
import { chromium } from "./chromium.mjs";
import { installApart } from "./install.mjs";
import { say } from "./report.mjs";
import { root } from "./root.mjs";
import { conclude, runTests, toldCheck } from "./test.mjs";
import { capture, captureTool } from "./tool.mjs";

const folder = join(root, "examples", "headlamp-plugin");

/**
 * Checks the plugin against Headlamp's types, builds it with Headlamp's tools, and tests what was built in a browser. The last
 * line counts each check as one, and each test. Answers with the exit code.
 *
 * @param args - for vitest, such as `--update`
 */
export async function headlamp(args) {
  await installApart(folder, 102);
  const parts = [
    await toldCheck("types, with Headlamp's", () => captureTool("tsc", ["-p", folder])),
    await toldCheck("build, by Headlamp's tools", () =>
      capture("npm", ["run", "build", "--silent"], folder),
    ),
  ];
  if (parts.every(({ failed }) => failed === 0)) {
    say(`the plugin is in ${relative(process.cwd(), join(folder, "dist"))}`);
    parts.push(await inBrowser(args));
  }
  return conclude(parts);
}

/** Without a browser nothing is said of the plugin in one, unless the environment asks for it. */
async function inBrowser(args) {
  const browser = await chromium();
  if (browser.outcome === "Found") {
    process.env.JOBSET_CHROMIUM = browser.path;
    return runTests(["--config", join(folder, "vitest.config.ts"), ...args]);
  }
  process.stdout.write(`skipped in a browser: ${browser.reason}\n`);
  return { passed: 0, failed: process.env.JOBSET_HEADLAMP === "required" ? 1 : 0 };
}
