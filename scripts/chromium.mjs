// Finds a Chromium to test in, or installs one where that is Debian's way.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { say } from "./report.mjs";
import { capture } from "./tool.mjs";

/** What it is called in its packages. */
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * `{ outcome: "Found", path }`, or `{ outcome: "Unavailable", reason }`. What `JOBSET_CHROMIUM` names is taken before any
 * other; as root with apt-get at hand, a missing one is installed.
 */
export async function chromium() {
  const named = process.env.JOBSET_CHROMIUM;
  if (named !== undefined) {
    return existsSync(named)
      ? { outcome: "Found", path: named }
      : { outcome: "Unavailable", reason: `JOBSET_CHROMIUM names ${named}, which is not there.` };
  }
  const path = names.map(inPath).find(Boolean) ?? (await installed());
  if (path !== undefined) return { outcome: "Found", path };
  const how = "install one (on Debian: apt-get install chromium), or name one in JOBSET_CHROMIUM";
  return { outcome: "Unavailable", reason: `there is no Chromium; ${how}.` };
}

function inPath(name) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

async function installed() {
  if (inPath("apt-get") === undefined || process.getuid?.() !== 0) return undefined;
  say("installs Debian's chromium, 290 MB; once, half a minute");
  await capture("apt-get", ["update"]);
  await capture("apt-get", ["install", "--yes", "--no-install-recommends", "chromium"]);
  return inPath("chromium");
}
