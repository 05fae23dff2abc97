// In a browser. Whoever opened the page asks for what came of it.
import { type Entries, type Outcome, smoke } from "./smoke.ts";

declare global {
  var smokeOutcomes: Promise<readonly Outcome[]> | undefined;
}

export default function start(entries: Entries): void {
  globalThis.smokeOutcomes = smoke(entries);
}
