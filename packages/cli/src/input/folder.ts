import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What is in a folder; a link to a file is that file. */
export interface FolderEntry {
  /** Without the folder's. */
  readonly name: string;
  readonly type: "file" | "folder" | "linked folder" | "broken link" | "other";
}

/** What is in a folder of this machine, in any order. */
export async function readFolder(path: string): Promise<readonly FolderEntry[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return Promise.all(
    entries.map(async (entry) => ({ name: entry.name, type: await typeOf(entry, path) })),
  );
}

async function typeOf(entry: Dirent, folder: string): Promise<FolderEntry["type"]> {
  if (entry.isDirectory()) return "folder";
  if (entry.isFile()) return "file";
  if (!entry.isSymbolicLink()) return "other";
  try {
    const target = await stat(join(folder, entry.name));
    if (target.isDirectory()) return "linked folder";
    return target.isFile() ? "file" : "other";
  } catch {
    return "broken link";
  }
}
