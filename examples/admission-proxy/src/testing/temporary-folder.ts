import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of one test, which removes it in the end. */
export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "admission-proxy-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
