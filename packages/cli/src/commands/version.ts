import type { CommandResult } from "../output/command-result.ts";
import { formatYaml } from "../output/yaml.ts";

/** The options of `version`. */
export interface VersionOptions {
  /** The output format. Absent means only the version. */
  readonly output?: "json" | "yaml";
}

/** Prints the version of this command. */
export function printVersion(version: string, { output }: VersionOptions): CommandResult {
  return { output: [formatVersion(version, output)], diagnostics: [], exitCode: 0 };
}

function formatVersion(version: string, format: VersionOptions["output"]): string {
  if (format === undefined) return `${version}\n`;
  const shown = { clientVersion: { gitVersion: `v${version}` } };
  return format === "json" ? `${JSON.stringify(shown, null, 2)}\n` : formatYaml(shown);
}
