import { escapeUnprintable } from "@jobset-ts/api/text";
import { release, releases } from "@jobset-ts/releases";
import { isDumpFolder, runDumps } from "./dumps.ts";
import { type Options, parseOptions, usage } from "./options.ts";
import { type InputError, type RecordedCase, readCases } from "./read-cases.ts";
import {
  familiesOfReleases,
  type ReleaseOutputs,
  readReleaseOutputs,
} from "./releases/release-outputs.ts";
import { type ReleaseCase, type ReplayOptions, replayCase } from "./replay.ts";
import { reportText, sumTotals } from "./report.ts";
import { vectorFiles } from "./shipped-vectors.ts";
import { Tally } from "./tally.ts";
import { isTraceInput, runTraces } from "./traces/run-traces.ts";

/** The environment of the command. */
export interface Environment {
  readonly families: ReplayOptions["families"];
  readonly notYetCovered: ReplayOptions["notYetCovered"];
  /** Returns the files to replay if no file is given. */
  readonly shipped: () => readonly string[];
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
}

const releaseNames = releases.map(({ name }) => name);

/** Every case agrees. */
const EXIT_AGREES = 0;
/** A case differs or cannot be read. */
const EXIT_DIFFERS = 1;
/** The arguments are invalid or match no case. */
const WRONG_USAGE = 2;

/** The number of cases of a file that a short replay does not sample. */
const MAX_WHOLE = 1000;

/** Runs the command with its arguments and returns the exit code. */
export async function run(args: readonly string[], environment: Environment): Promise<number> {
  const parsed = parseOptions(args);
  switch (parsed.action) {
    case "ShowHelp":
      environment.writeOut(usage);
      return EXIT_AGREES;
    case "Refuse":
      environment.writeError(`conformance: ${escapeUnprintable(parsed.message)}\n`);
      return WRONG_USAGE;
    case "Replay":
      return replay(parsed.options, environment);
  }
}

function replay(options: Options, environment: Environment): number | Promise<number> {
  const { files } = options;
  if (files.some(isDumpFolder)) return diagnoseDumps(options, environment);
  if (files.length > 0 && files.every(isTraceInput)) return playTraces(options, environment);
  return replayAndReport(options, environment);
}

/** Traces do not depend on quirks, because they cover only the cluster around a JobSet. */
function playTraces(options: Options, { writeOut, writeError }: Environment): number {
  const totals = runTraces(options.files, options, (line) => writeOut(`${line}\n`));
  if (totals !== undefined) return totals.failed > 0 ? EXIT_DIFFERS : EXIT_AGREES;
  writeError("conformance: no trace matches --family and --id\n");
  return WRONG_USAGE;
}

/** Dumps are replayed separately, because they have neither families nor quirks. */
function diagnoseDumps({ files }: Options, { writeOut, writeError }: Environment): number {
  const [folder = "", ...others] = files;
  if (others.length > 0) {
    writeError("conformance: a folder of dumps cannot be combined with other arguments\n");
    return WRONG_USAGE;
  }
  return runDumps(folder, (line) => writeOut(`${line}\n`)).failed > 0 ? EXIT_DIFFERS : EXIT_AGREES;
}

async function replayAndReport(options: Options, environment: Environment): Promise<number> {
  const tally = await replayFiles(options, environment);
  // A family that was selected by file, name or id must not be skipped because it is not covered. Only a replay of
  // everything lists it and continues.
  const isRequested = options.files.length > 0 || isFiltered(options);
  const reportOptions = { failNotYetCovered: isRequested };
  environment.writeOut(reportText(tally, reportOptions));
  if (tally.isEmpty && tally.inputErrors === 0) {
    environment.writeError("conformance: no case matches --family, --id and --release\n");
    return WRONG_USAGE;
  }
  return sumTotals(tally, reportOptions).failed > 0 ? EXIT_DIFFERS : EXIT_AGREES;
}

async function replayFiles(options: Options, environment: Environment): Promise<Tally> {
  const tally = new Tally();
  const { families, notYetCovered } = environment;
  const replayOptions = { ...options, families, notYetCovered };
  const isEverything = options.files.length === 0 && options.quirks === "upstream";
  const countInputError = (error: InputError) => {
    tally.inputErrors += 1;
    environment.writeError(`${escapeUnprintable(inputErrorText(error))}\n`);
  };
  const files =
    options.files.length > 0 ? options.files.flatMap(vectorFiles) : environment.shipped();
  if (files.length === 0)
    countInputError({ file: "packages/conformance/vectors", reason: "no files" });
  // A replay of everything includes the sample of the releases.
  const names = options.release ? [options.release.name] : isEverything ? releaseNames : [];
  const isSelected = (number: number) =>
    !options.isShort || number <= MAX_WHOLE || number % 10 === 0;
  for (const file of files) {
    const ofReleases = await readReleaseOutputs(file, names);
    for await (const read of readCases(file, isSelected)) {
      if (!read.ok) {
        countInputError(read.error);
        continue;
      }
      if (!isWanted(read.value, options)) continue;
      if (options.release === undefined) replayCase(read.value, replayOptions, tally);
      for (const one of casesOfReleases(read.value, ofReleases)) {
        replayCase(read.value, replayOptions, tally, one);
      }
    }
  }
  return tally;
}

/** Lists the releases for which a case was recorded. */
function casesOfReleases(
  { family, id }: RecordedCase,
  ofReleases: ReadonlyMap<string, ReleaseOutputs>,
): readonly ReleaseCase[] {
  if (!familiesOfReleases.has(family)) return [];
  return [...ofReleases].flatMap(([name, { isComplete, byId }]) => {
    const recorded = byId.get(id);
    return isComplete || recorded !== undefined ? [{ release: release(name), recorded }] : [];
  });
}

function inputErrorText({ file, line, reason }: InputError): string {
  return line === undefined ? `${file}: ${reason}` : `${file}:${line}: ${reason}`;
}

function isFiltered({ families, id }: Options): boolean {
  return families.length > 0 || id !== undefined;
}

function isWanted(recorded: RecordedCase, { families, id }: Options): boolean {
  if (families.length > 0 && !families.includes(recorded.family)) return false;
  return id === undefined || recorded.id === id;
}
