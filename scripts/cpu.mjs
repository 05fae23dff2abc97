// CPU seconds, user and system time: they say what a run costs, however busy the machine is with other things.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./root.mjs";

/** The clock ticks of a second; Linux has had so many on every platform that Node runs on. */
const TICKS = 100;

/**
 * CPU seconds that this process has used until now, with its children that have ended, and with theirs. Undefined where
 * the system does not report those of children: only Linux does.
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

/** The files that need the most CPU, in lines to print, out of the lines that `measure-cpu.mjs` has written. */
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
