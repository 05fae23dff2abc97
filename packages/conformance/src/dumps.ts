import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { escapeUnprintable } from "@jobset-ts/api/text";
import { createContext, createSnapshot } from "@jobset-ts/core";
import {
  type Diagnosis,
  diagnose,
  diagnosedKinds,
  indexCluster,
  latestTimestamp,
  toDiagnosisJson,
} from "@jobset-ts/diagnose";
import { allChecks } from "@jobset-ts/diagnose/all";

/** The name of the file with the known problems of a folder of dumps. */
const EXPECTED_CAUSES_FILE = "truth.jsonl";

/** Returns whether an argument names a folder of dumps with known problems. */
export function isDumpFolder(path: string): boolean {
  return existsSync(join(path, EXPECTED_CAUSES_FILE)) && statSync(path).isDirectory();
}

/** The known diagnosis of one JobSet in a dump. */
interface ExpectedCause {
  readonly file: string;
  /** `namespace/name`. */
  readonly jobSet: string;
  readonly status: string;
  readonly statusAlternatives: readonly string[];
  /** The root causes, or none for a JobSet without problems. */
  readonly rootCauses: readonly string[];
  /** The root cause that was injected. The others are optional. */
  readonly strict?: string;
  /** Other findings that are acceptable as root causes. */
  readonly alternatives: readonly string[];
  /** Findings that a tool without causality would report as root causes. */
  readonly notRootCauses: readonly string[];
  readonly rootObjects: readonly string[];
  /** The time of the dump, which the dump does not contain. */
  readonly takenAt?: string;
}

/** The number of correct and wrong diagnoses. */
export interface DumpTotals {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Diagnoses the JobSets in a folder of dumps, and compares the results with the records.
 *
 * @param folder - contains `truth.jsonl`, with one record per JobSet, and the dumps: the output of `kubectl get -o json`,
 *   optionally gzipped
 */
export function runDumps(folder: string, write: (line: string) => void): DumpTotals {
  let [passed, failed] = [0, 0];
  const dumps = new Map<string, DiagnosedDump>();
  for (const [at, line] of readFileSync(join(folder, EXPECTED_CAUSES_FILE), "utf8")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    const { title, differences } = judgeLine(line, at + 1, (file) => {
      const dump = dumps.get(file) ?? diagnosedDump(join(folder, basename(file)));
      dumps.set(file, dump);
      return dump;
    });
    if (differences.length === 0) {
      passed += 1;
      continue;
    }
    failed += 1;
    write(escapeUnprintable(title));
    for (const difference of differences) write(`    ${escapeUnprintable(difference)}`);
  }
  write(`${passed} passed, ${failed} failed`);
  return { passed, failed };
}

interface DiagnosisVerdict {
  readonly title: string;
  readonly differences: readonly string[];
}

function judgeLine(
  line: string,
  number: number,
  dumpOf: (file: string) => DiagnosedDump,
): DiagnosisVerdict {
  try {
    const truth = getTruth(JSON.parse(line));
    const title = `${truth.file} ${truth.jobSet}`;
    const diagnosis = dumpOf(truth.file).of(truth);
    if (diagnosis === undefined) return { title, differences: ["the JobSet does not exist"] };
    return { title, differences: findDifferences(truth, diagnosis) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { title: `${EXPECTED_CAUSES_FILE}:${number}`, differences: [reason] };
  }
}

function getTruth(record: Readonly<Record<string, unknown>>): ExpectedCause {
  const text = (member: string) => {
    const value = record[member];
    if (typeof value !== "string") throw new Error(`${member} is not a string`);
    return value;
  };
  const list = (member: string) => {
    const value = record[member] ?? [];
    if (!Array.isArray(value)) throw new Error(`${member} is not a list`);
    return value.map(String);
  };
  const { rootCause, strict, takenAt } = record;
  return {
    file: text("file"),
    jobSet: text("jobSet"),
    status: text("status"),
    statusAlternatives: list("statusAlternatives"),
    rootCauses: typeof rootCause === "string" ? [rootCause] : list("rootCauses"),
    ...(typeof strict === "string" && { strict }),
    alternatives: list("alternatives"),
    notRootCauses: list("notRootCauses"),
    rootObjects: list("rootObjects"),
    ...(typeof takenAt === "string" && { takenAt }),
  };
}

interface DiagnosedDump {
  readonly of: (truth: ExpectedCause) => Diagnosis | undefined;
}

function diagnosedDump(file: string): DiagnosedDump {
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  // The dump contains every kind, so a kind without objects is empty rather than unknown.
  const snapshot = createSnapshot([JSON.parse(text)], { kinds: diagnosedKinds });
  const newest = latestTimestamp(snapshot) ?? 0;
  const facts = indexCluster(snapshot);
  return {
    of: ({ jobSet: key, takenAt }) => {
      const [namespace = "", name = ""] = key.split("/");
      const jobSet = snapshot.jobSet(namespace, name);
      const { now } = createContext({ now: takenAt ?? newest });
      return jobSet && diagnose(snapshot, jobSet, { now, checks: allChecks }, facts);
    },
  };
}

/** The statuses that records name differently. */
const statusWords: Readonly<Record<string, string>> = {
  running: "progressing",
  restarting: "progressing",
  completed: "finished",
};

function findDifferences(truth: ExpectedCause, diagnosis: Diagnosis): readonly string[] {
  const { rootCauses, alternatives, notRootCauses, rootObjects, strict } = truth;
  const { roots, status: diagnosed } = toDiagnosisJson(diagnosis);
  const status = diagnosed.toLowerCase();
  const ids = roots.map(({ id }) => id as string);
  const objects = new Set(roots.flatMap((root) => root.objects));
  const statuses = [truth.status, ...truth.statusAlternatives].map(
    (one) => statusWords[one] ?? one,
  );
  const needed = strict === undefined ? rootCauses : [strict];
  const isAllowed = (id: string) => rootCauses.includes(id) || alternatives.includes(id);
  const differences: string[] = [];
  const claim = (holds: boolean, text: string) => {
    if (!holds) differences.push(text);
  };
  const actual = ids.length === 0 ? "none" : ids.join(", ");
  claim(statuses.includes(status), `status: expected ${statuses.join(" or ")}, got ${status}`);
  for (const id of needed) claim(ids.includes(id), `roots: expected ${id}, got ${actual}`);
  if (rootCauses.length === 0) claim(ids.every(isAllowed), `roots: expected none, got ${actual}`);
  const [first] = ids;
  if (rootCauses.length > 0 && first !== undefined) {
    claim(isAllowed(first), `first root: expected ${rootCauses.join(" or ")}, got ${actual}`);
  }
  for (const id of notRootCauses) claim(!ids.includes(id), `roots: ${id} is none, got ${actual}`);
  for (const object of rootObjects) claim(objects.has(object), `roots: none is about ${object}`);
  return differences;
}
