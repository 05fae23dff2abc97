import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordedEndings } from "./endings.ts";

/** How the stories end on the real control plane, undisturbed; the simulator is held to it, too. */
export function recordedEndings(root: string): RecordedEndings {
  return JSON.parse(readFileSync(fileIn(root), "utf8"));
}

/** Writes down how the stories have ended. */
export function record(root: string, endings: RecordedEndings): void {
  writeFileSync(fileIn(root), `${JSON.stringify(endings, null, 2)}\n`);
}

function fileIn(root: string): string {
  return join(root, "packages", "e2e", "src", "endings.json");
}
