// One process at a time.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const LOOK_AGAIN_AFTER_MS = 100;

/**
 * Calls `act` while no other process does so under the same name of a file, waiting until it is its turn. Who was killed
 * meanwhile no longer counts.
 *
 * @param file - in a folder that exists; is there as long as `act` takes
 * @returns what `act` does
 */
export async function exclusively(file, act) {
  while (!taken(file)) await setTimeout(LOOK_AGAIN_AFTER_MS);
  try {
    return await act();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Whether this process has the file now. */
function taken(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (isLeftBehind(file)) rmSync(file, { force: true });
  return false;
}

function isLeftBehind(file) {
  try {
    const holder = Number(readFileSync(file, "utf8"));
    // Whoever is about to write its number is alive.
    if (holder > 0) process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
