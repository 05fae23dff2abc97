// Runs in a browser. The caller that opened the page reads the result.
import { type Entries, type Outcome, smoke } from "./smoke.ts";

declare global {
  var smokeOutcomes: Promise<readonly Outcome[]> | undefined;
}

export default function start(entries: Entries): void {
  globalThis.smokeOutcomes = smoke(entries);
}
