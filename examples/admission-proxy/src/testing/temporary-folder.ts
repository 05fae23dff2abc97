import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder for one test, with a function that removes it. */
export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "admission-proxy-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
