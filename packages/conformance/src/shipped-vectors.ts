import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Returns the files of recorded decisions in this package, in name order.
 *
 * The program is bundled into another folder, so it searches for the vectors in its parent folders.
 */
export function listShippedVectors(): readonly string[] {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    const vectors = join(folder, "packages", "conformance", "vectors");
    if (existsSync(vectors)) return filesIn(vectors);
    if (dirname(folder) === folder) return [];
  }
}

/**
 * Returns the files of recorded decisions for a path. For a folder, these are the files in it in name order, without
 * subfolders. A path without such files is returned unchanged, and the reader reports it.
 */
export function vectorFiles(path: string): readonly string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
  const files = filesIn(path);
  return files.length === 0 ? [path] : files;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && /\.jsonl(?:\.gz)?$/.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .map((name) => join(folder, name));
}
