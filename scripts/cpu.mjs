// Measures CPU time, user and system. Unlike wall-clock time, it depends little on the load of the machine.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./root.mjs";

/** Clock ticks per second. Linux uses this value on every platform that Node supports. */
const TICKS = 100;

/**
 * Returns the CPU seconds of this process so far, including descendants that have exited. Returns undefined on systems other than
 * Linux, because they do not report the time of children.
 */
export function cpuSeconds() {
  if (!existsSync("/proc/self/stat")) return undefined;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name of the command, in parentheses, may contain anything. utime, stime, cutime and cstime are fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const { user, system } = process.cpuUsage();
  const ofChildren = Number(fields[13]) + Number(fields[14]);
  return (user + system) / 1e6 + ofChildren / TICKS;
}

/** Returns the files with the most CPU time, as lines to print, from the report that `measure-cpu.mjs` writes. */
export function mostExpensive(report, count = 10) {
  const costs = report
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .sort((one, other) => other.seconds - one.seconds);
  return costs
    .slice(0, count)
    .map(({ seconds, file }) => `${seconds.toFixed(1).padStart(6)} s  ${relative(root, file)}\n`);
}
