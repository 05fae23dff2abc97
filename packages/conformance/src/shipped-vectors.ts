import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The files of recorded decisions that come with this package, in name order.
 *
 * The program is bundled into a folder of its own, so the vectors are looked for upwards from wherever it runs.
 */
export function shippedVectors(): readonly string[] {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    const vectors = join(folder, "packages", "conformance", "vectors");
    if (existsSync(vectors)) return filesIn(vectors);
    if (dirname(folder) === folder) return [];
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl.gz") || name.endsWith(".jsonl"))
    .sort()
    .map((name) => join(folder, name));
}
