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

/** Where a folder of dumps says what was really wrong. */
const TRUTH_FILE = "truth.jsonl";

/** Whether an argument names a folder of dumps with known causes. */
export function isDumpFolder(path: string): boolean {
  return existsSync(join(path, TRUTH_FILE)) && statSync(path).isDirectory();
}

/** What is known of one JobSet of a dump, by what was done to the cluster. */
interface Truth {
  readonly file: string;
  /** `namespace/name`. */
  readonly jobSet: string;
  readonly status: string;
  readonly statusAlternatives: readonly string[];
  /** What is wrong; none where nothing is. */
  readonly rootCauses: readonly string[];
  /** Of the root causes the one that was brought about; the others may go unsaid. */
  readonly strict?: string;
  /** What may be called a root as well. */
  readonly alternatives: readonly string[];
  /** What a tool without a notion of causes would call a root. */
  readonly notRootCauses: readonly string[];
  readonly rootObjects: readonly string[];
  /** When the dump was taken, which it does not say itself. */
  readonly takenAt?: string;
}

/** How many JobSets were diagnosed as they are, and how many were not. */
export interface DumpTotals {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Diagnoses the JobSets of the dumps in a folder and compares with what is known of them.
 *
 * @param folder - with `truth.jsonl`, a record a JobSet, and the dumps that it names: the output of `kubectl get -o json`, or
 *   the same packed by gzip
 */
export function runDumps(folder: string, write: (line: string) => void): DumpTotals {
  let [passed, failed] = [0, 0];
  const dumps = new Map<string, DiagnosedDump>();
  for (const [at, line] of readFileSync(join(folder, TRUTH_FILE), "utf8").split("\n").entries()) {
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

interface Judgement {
  readonly title: string;
  readonly differences: readonly string[];
}

function judgeLine(
  line: string,
  number: number,
  dumpOf: (file: string) => DiagnosedDump,
): Judgement {
  try {
    const truth = getTruth(JSON.parse(line));
    const title = `${truth.file} ${truth.jobSet}`;
    const diagnosis = dumpOf(truth.file).of(truth);
    if (diagnosis === undefined) return { title, differences: ["there is no such JobSet"] };
    return { title, differences: findDifferences(truth, diagnosis) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { title: `${TRUTH_FILE}:${number}`, differences: [reason] };
  }
}

function getTruth(record: Readonly<Record<string, unknown>>): Truth {
  const text = (member: string) => {
    const value = record[member];
    if (typeof value !== "string") throw new Error(`${member} is not text`);
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
  readonly of: (truth: Truth) => Diagnosis | undefined;
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
      const context = createContext({ now: takenAt ?? newest });
      return jobSet && diagnose(snapshot, jobSet, context, facts);
    },
  };
}

/** The statuses that records name differently. */
const statusWords: Readonly<Record<string, string>> = {
  running: "progressing",
  restarting: "progressing",
  completed: "finished",
};

function findDifferences(truth: Truth, diagnosis: Diagnosis): readonly string[] {
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
  const told = ids.length === 0 ? "none" : ids.join(", ");
  claim(statuses.includes(status), `status: expected ${statuses.join(" or ")}, got ${status}`);
  for (const id of needed) claim(ids.includes(id), `roots: expected ${id}, got ${told}`);
  if (rootCauses.length === 0) claim(ids.every(isAllowed), `roots: expected none, got ${told}`);
  const [first] = ids;
  if (rootCauses.length > 0 && first !== undefined) {
    claim(isAllowed(first), `first root: expected ${rootCauses.join(" or ")}, got ${told}`);
  }
  for (const id of notRootCauses) claim(!ids.includes(id), `roots: ${id} is none, got ${told}`);
  for (const object of rootObjects) claim(objects.has(object), `roots: none is about ${object}`);
  return differences;
}
