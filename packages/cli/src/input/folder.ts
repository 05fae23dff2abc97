import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What is in a folder; a link to a file is that file. */
export interface FolderEntry {
  /** Without the folder's. */
  readonly name: string;
  readonly kind: "File" | "Folder" | "LinkedFolder" | "BrokenLink" | "Other";
}

/** What is in a folder of this machine, in any order. */
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
