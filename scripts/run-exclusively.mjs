// Runs a function in one process at a time.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const POLL_MS = 100;

/**
 * Calls `act` while it holds a lock file, and waits if another process holds it. Ignores the lock of a process that no longer runs.
 *
 * @param file - the lock file, in an existing folder; deleted afterwards
 * @returns the result of `act`
 */
export async function runExclusively(file, act) {
  while (!taken(file)) await setTimeout(POLL_MS);
  try {
    return await act();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Tries to create the lock file. Returns whether it succeeded. */
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
    // An empty file means that the owner is about to write its process ID, so it is alive.
    if (holder > 0) process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
