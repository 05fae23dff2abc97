import { parseArgs } from "node:util";
import type { QuirkMode } from "./families/family.ts";

/** What the user asked for. */
export interface Options {
  /** As typed; none means the decisions shipped with this package. */
  readonly files: readonly string[];
  readonly quirks: QuirkMode;
  /** Only these families; none means all. */
  readonly families: readonly string[];
  /** Only the case with this id. */
  readonly id?: string;
  /** How many differing cases of a family are shown. */
  readonly differences: number;
}

/** Options, a request for help, or what is wrong with the arguments. */
export type ParsedOptions =
  | { readonly action: "Replay"; readonly options: Options }
  | { readonly action: "ShowHelp" }
  | { readonly action: "Refuse"; readonly message: string };

/** How the command is used, for `--help`. */
export const usage = `Usage: npm run conformance -- [options] [VECTORS…]
       npm run conformance -- DUMPS
       npm run conformance -- TRACES…

Replays recorded decisions of upstream from VECTORS, *.jsonl and *.jsonl.gz files or folders of them without their subfolders,
and compares our answers with them. Without VECTORS it replays the decisions in packages/conformance/vectors.

Of DUMPS, a folder with truth.jsonl and the dumps that it names, it diagnoses the JobSets and compares with the truth.
packages/conformance/dumps is one.

Of TRACES, files or folders of recorded histories, it plays the inputs in a simulated cluster and compares line by line.

  --quirks upstream|none  reproduce upstream's defects (default), or answer as we do by default
  --family NAME           only this family; repeatable
  --id ID                 only the case with this id
  --differences N         how many differing cases to show per family (default 3)
  --help                  this text

Exits 0 when all agree, 1 on any difference or unreadable input, 2 on wrong arguments.
`;

/** Reads the command line. A wrong flag or value is refused with one sentence. */
export function parseOptions(args: readonly string[]): ParsedOptions {
  const parsed = splitArguments(args);
  if (typeof parsed === "string") return { action: "Refuse", message: parsed };
  const { values, positionals } = parsed;
  if (values.help) return { action: "ShowHelp" };
  const { quirks } = values;
  if (quirks !== "upstream" && quirks !== "none") {
    return { action: "Refuse", message: `--quirks is upstream or none, not "${quirks}"` };
  }
  if (!/^\d{1,9}$/.test(values.differences)) {
    const message = `--differences is a whole number from 0, not "${values.differences}"`;
    return { action: "Refuse", message };
  }
  const options: Options = {
    files: positionals,
    quirks,
    families: values.family,
    id: values.id,
    differences: Number(values.differences),
  };
  return { action: "Replay", options };
}

/** The arguments by flag, or what Node says is wrong with them. */
function splitArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quirks: { type: "string", default: "upstream" },
        family: { type: "string", multiple: true, default: [] },
        id: { type: "string" },
        differences: { type: "string", default: "3" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
