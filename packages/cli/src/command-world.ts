import { stdinOnce } from "./input/sources.ts";
import { type FilesAndCluster, kubectlOnPath } from "./live/kubectl.ts";
import { printableLines } from "./output/printable.ts";
import { progressLine } from "./output/progress.ts";
import type { Io } from "./run.ts";

/**
 * Returns what a command reads from and reports its progress to.
 *
 * @param stderr - where kubectl may ask for a login
 */
export function openWorld(
  io: Io,
  stderr: Io["stderr"],
): { readonly world: Io & FilesAndCluster; readonly clearProgress: () => void } {
  const line = progressLine(io.stderr, io.now);
  const ask = (said: string) => stderr.write(printableLines(said), () => {});
  const kubectl = kubectlOnPath(io.env, stderr.isTTY === true ? ask : undefined);
  const world = { ...stdinOnce(io), kubectl, progress: line.say };
  return { world, clearProgress: line.clear };
}
