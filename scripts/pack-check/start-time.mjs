// Measures the CPU time that the installed command takes to start. Shell completion starts it at each press of Tab.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** The maximum CPU time of a start, as a multiple of the time of Node alone. */
const MOST = 1.7;

/** The number of runs of each program. The programs alternate, so other load affects all of them equally, and the least time counts. */
const RUNS = 15;

const starts = [["--help"], ["__complete", "re"], ["__complete", "plan", "--"]];

/** Compares the start of the command that is installed in a folder with the start of an empty Node program. Returns `{ code, output }`. */
export function startsFast(home) {
  const main = join(home, "node_modules", "@jobset-ts", "cli", "dist", "main.js");
  const calls = [["-e", "0"], ...starts.map((args) => [main, ...args])];
  const millis = calls.map(() => []);
  for (let run = 0; run < RUNS; run++) {
    for (const [at, args] of calls.entries()) millis[at].push(cpuMillis(args));
  }
  const [bare, ...others] = millis.map((values) => Math.min(...values));
  const ratios = others.map((one) => one / bare);
  const lines = starts.map(
    (args, at) => `jobset ${args.join(" ")}: ${ratios[at].toFixed(2)} times the CPU time of Node\n`,
  );
  return { code: ratios.every((ratio) => ratio <= MOST) ? 0 : 1, output: lines.join("") };
}

function cpuMillis(args) {
  const preloaded = ["--require", join(import.meta.dirname, "print-cpu.cjs")];
  const { stderr } = spawnSync(process.execPath, [...preloaded, ...args], { encoding: "utf8" });
  return Number(stderr.trimEnd().split("\n").at(-1));
}
