// Finds a Chromium for tests, or installs one with apt-get.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { say } from "./report.mjs";
import { capture } from "./tool.mjs";

/** The names of the executable in different packages, in order of preference. */
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Returns `{ outcome: "Found", path }` or `{ outcome: "Unavailable", reason }`.
 *
 * `JOBSET_CHROMIUM` has priority. If the user is root and apt-get exists, a missing Chromium is installed.
 */
export async function chromium() {
  const named = process.env.JOBSET_CHROMIUM;
  if (named !== undefined) {
    return existsSync(named)
      ? { outcome: "Found", path: named }
      : { outcome: "Unavailable", reason: `JOBSET_CHROMIUM is ${named}, which does not exist.` };
  }
  const path = names.map(inPath).find(Boolean) ?? (await installed());
  if (path !== undefined) return { outcome: "Found", path };
  const advice =
    "install it (on Debian: apt-get install chromium) or set JOBSET_CHROMIUM to its path";
  return { outcome: "Unavailable", reason: `Chromium not found: ${advice}.` };
}

function inPath(name) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

async function installed() {
  if (inPath("apt-get") === undefined || process.getuid?.() !== 0) return undefined;
  say("installing the Debian package chromium (290 MB, half a minute, only once)");
  await capture("apt-get", ["update"]);
  await capture("apt-get", ["install", "--yes", "--no-install-recommends", "chromium"]);
  return inPath("chromium");
}
