import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of the workspace. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
