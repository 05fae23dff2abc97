import type { BehaviorOptions } from "../jobset-version/behavior.ts";
import type { CommandResult } from "../output/command-result.ts";
import { jobSetJsonSchema } from "./schema/json-schema.ts";

/** Prints the JSON Schema of a JobSet, for editors. */
export function schema({ jobsetVersion }: Pick<BehaviorOptions, "jobsetVersion">): CommandResult {
  const text = `${JSON.stringify(jobSetJsonSchema(jobsetVersion?.schema), null, 2)}\n`;
  return { output: [text], diagnostics: [], exitCode: 0 };
}
