import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordedOutcomes } from "./story-outcomes.ts";

/**
 * Reads the outcomes of the stories on the real control plane, without disturbance. The simulator must reach the same
 * outcomes.
 */
export function readRecordedOutcomes(root: string): RecordedOutcomes {
  return JSON.parse(readFileSync(fileIn(root), "utf8"));
}

/** Writes the outcomes of the stories. */
export function writeRecordedOutcomes(root: string, endings: RecordedOutcomes): void {
  writeFileSync(fileIn(root), `${JSON.stringify(endings, null, 2)}\n`);
}

function fileIn(root: string): string {
  return join(root, "packages", "e2e", "src", "outcomes.json");
}
