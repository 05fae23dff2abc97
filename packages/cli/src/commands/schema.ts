import type { CommandResult } from "../output/command-result.ts";
import { jobSetJsonSchema } from "./schema/json-schema.ts";

/** Prints the JSON Schema of a JobSet, for editors. */
export function schema(): CommandResult {
  const text = `${JSON.stringify(jobSetJsonSchema(), null, 2)}\n`;
  return { output: [text], diagnostics: [], exitCode: 0 };
}
