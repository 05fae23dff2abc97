import { parseArgs } from "node:util";
import { findRelease, type Release } from "@jobset-ts/releases";
import type { QuirkMode } from "./families/family.ts";

/** The parsed command line. */
export interface Options {
  /** The file arguments. An empty list means the decisions shipped with this package. */
  readonly files: readonly string[];
  readonly quirks: QuirkMode;
  /** The release whose decisions are replayed. Undefined means main. */
  readonly release?: Release;
  /** The selected families. An empty list means all. */
  readonly families: readonly string[];
  /** The ID of the only case to replay. */
  readonly id?: string;
  /** The number of differing cases to show per family. */
  readonly differences: number;
  /** Whether to replay only a sample of the cases of a large file. */
  readonly isShort: boolean;
}

/** Options, a request for help, or an error in the arguments. */
export type ParsedOptions =
  | { readonly action: "Replay"; readonly options: Options }
  | { readonly action: "ShowHelp" }
  | { readonly action: "Refuse"; readonly message: string };

/** The text of `--help`. */
export const usage = `Usage: npm run conformance -- [options] [VECTORS…]
       npm run conformance -- DUMPS
       npm run conformance -- TRACES…

Replays recorded decisions of upstream from VECTORS, *.jsonl and *.jsonl.gz files or folders of them without their subfolders,
and compares our answers with them. Without VECTORS it replays the decisions in packages/conformance/vectors.

Of DUMPS, a folder with truth.jsonl and the dumps that it names, it diagnoses the JobSets and compares with the truth.
packages/conformance/dumps is one.

Of TRACES, files or folders of recorded histories, it plays the inputs in a simulated cluster and compares line by line.

  --release VERSION       replay the decisions of a release, from the folder releases beside VECTORS
  --quirks upstream|none  reproduce upstream's defects (default), or answer as we do by default
  --family NAME           only this family; repeatable
  --id ID                 only the case with this id
  --differences N         how many differing cases to show per family (default 3)
  --short                 of each file, replay 1,000 cases and each tenth of the others
  --help                  this text

Exits 0 when all agree, 1 on any difference or unreadable input, 2 on wrong arguments.
`;

/** Parses the command line. An invalid flag or value is rejected with one sentence. */
export function parseOptions(args: readonly string[]): ParsedOptions {
  const parsed = splitArguments(args);
  if (typeof parsed === "string") return { action: "Refuse", message: parsed };
  const { values, positionals } = parsed;
  if (values.help) return { action: "ShowHelp" };
  const { quirks } = values;
  if (quirks !== "upstream" && quirks !== "none") {
    return { action: "Refuse", message: `--quirks must be upstream or none, not "${quirks}"` };
  }
  if (!/^\d{1,9}$/.test(values.differences)) {
    const message = `--differences must be a non-negative integer, not "${values.differences}"`;
    return { action: "Refuse", message };
  }
  const found = values.release === undefined ? undefined : findRelease(values.release);
  if (found?.ok === false) return { action: "Refuse", message: found.message };
  const options: Options = {
    files: positionals,
    quirks,
    release: found?.value,
    families: values.family,
    id: values.id,
    differences: Number(values.differences),
    isShort: values.short,
  };
  return { action: "Replay", options };
}

/** Returns the arguments by flag, or Node's error message. */
function splitArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        release: { type: "string" },
        quirks: { type: "string", default: "upstream" },
        family: { type: "string", multiple: true, default: [] },
        id: { type: "string" },
        differences: { type: "string", default: "3" },
        short: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
