// Checks and builds the Headlamp plugin and tests it in a browser.
import { join, relative } from "node:path";
import { chromium } from "./chromium.mjs";
import { installApart } from "./install.mjs";
import { say } from "./report.mjs";
import { root } from "./root.mjs";
import { reportCheck, runTests, summarizeParts } from "./test.mjs";
import { capture, captureTool } from "./tool.mjs";

const folder = join(root, "examples", "headlamp-plugin");

/**
 * Checks the types of the plugin, builds it with the Headlamp tools and tests the result in a browser. The last line counts checks
 * and tests. Returns the exit code.
 *
 * @param args - arguments for vitest, such as `--update`
 */
export async function headlamp(args) {
  await installApart(folder, 102);
  const parts = [
    await reportCheck("types of the Headlamp plugin", () => captureTool("tsc", ["-p", folder])),
    await reportCheck("build of the Headlamp plugin", () =>
      capture("npm", ["run", "build", "--silent"], folder),
    ),
  ];
  if (parts.every(({ failed }) => failed === 0)) {
    say(`the plugin is in ${relative(process.cwd(), join(folder, "dist"))}`);
    parts.push(await inBrowser(args));
  }
  return summarizeParts(parts);
}

/** Skips the browser tests if there is no browser. They fail instead if JOBSET_HEADLAMP is `required`. */
async function inBrowser(args) {
  const browser = await chromium();
  if (browser.outcome === "Found") {
    process.env.JOBSET_CHROMIUM = browser.path;
    return runTests(["--config", join(folder, "vitest.config.ts"), ...args]);
  }
  process.stdout.write(`skipped the browser tests: ${browser.reason}\n`);
  return { passed: 0, failed: process.env.JOBSET_HEADLAMP === "required" ? 1 : 0 };
}
