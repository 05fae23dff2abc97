import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** An entry of a folder. A link to a file counts as this file. */
export interface FolderEntry {
  /** The name without the path of the folder. */
  readonly name: string;
  readonly kind: "File" | "Folder" | "LinkedFolder" | "BrokenLink" | "Other";
}

/** Lists the entries of a folder, in any order. */
export async function readFolder(path: string): Promise<readonly FolderEntry[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return Promise.all(
    entries.map(async (entry) => ({ name: entry.name, kind: await getKind(entry, path) })),
  );
}

async function getKind(entry: Dirent, folder: string): Promise<FolderEntry["kind"]> {
  if (entry.isDirectory()) return "Folder";
  if (entry.isFile()) return "File";
  if (!entry.isSymbolicLink()) return "Other";
  try {
    const target = await stat(join(folder, entry.name));
    if (target.isDirectory()) return "LinkedFolder";
    return target.isFile() ? "File" : "Other";
  } catch {
    return "BrokenLink";
  }
}
