import { limitStdinToOneRead } from "./input/sources.ts";
import { createKubectl, type FilesAndCluster } from "./live/kubectl.ts";
import { escapeText } from "./output/escape.ts";
import { createProgressLine } from "./output/progress.ts";
import type { Io } from "./run.ts";

/**
 * Creates the inputs of a command, and the output for its progress.
 *
 * @param stderr - where kubectl may prompt for a login
 */
export function openWorld(
  io: Io,
  stderr: Io["stderr"],
): { readonly world: Io & FilesAndCluster; readonly clearProgress: () => void } {
  const line = createProgressLine(io.stderr, io.now);
  const prompt = (text: string) => stderr.write(escapeText(text), () => {});
  const create = io.createKubectl ?? createKubectl;
  const kubectl = create(io.env, stderr.isTTY === true ? prompt : undefined);
  const world = { ...limitStdinToOneRead(io), kubectl, progress: line.say };
  return { world, clearProgress: line.clear };
}
