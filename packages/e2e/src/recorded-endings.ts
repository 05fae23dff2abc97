import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordedEndings } from "./endings.ts";

/**
 * Reads the outcomes of the stories on the real control plane, without disturbance. The simulator must reach them, too.
 */
export function recordedEndings(root: string): RecordedEndings {
  return JSON.parse(readFileSync(fileIn(root), "utf8"));
}

/** Writes the outcomes of the stories. */
export function record(root: string, endings: RecordedEndings): void {
  writeFileSync(fileIn(root), `${JSON.stringify(endings, null, 2)}\n`);
}

function fileIn(root: string): string {
  return join(root, "packages", "e2e", "src", "endings.json");
}
