// Stryker plugins that select a sample and print progress suitable for a log. The reporter runs in the main process and selects the
// mutants when all are known. The checker runs in another process and skips mutants that are not selected.
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { listNames } from "./mutant.mjs";
import { drawSample } from "./sample.mjs";

/** The reason for skipping a mutant. */
export const NOT_CHOSEN = "not in the sample";

/** Returns the selected mutants, each with `{ id, path, at, name }`. `at` is the location to print. */
export function chosenMutants() {
  return JSON.parse(readFileSync(process.env.JOBSET_TS_CHOSEN, "utf8"));
}

class Choice {
  #waiting = new Map();
  #all = 0;
  #living = 0;
  #begun = 0;
  #toldAt = 0;

  onMutationTestingPlanReady({ mutantPlans }) {
    const mutants = named(mutantPlans.map(({ mutant }) => mutant));
    const seed = process.env.JOBSET_TS_SEED;
    const chosen = seed === undefined ? mutants : drawSample(mutants, seed);
    writeFileSync(process.env.JOBSET_TS_CHOSEN, JSON.stringify(chosen));
    const toTry = new Set(
      mutantPlans.filter(({ plan }) => plan === "Run").map(({ mutant }) => mutant.id),
    );
    this.#waiting = new Map(
      chosen.filter(({ id }) => toTry.has(id)).map((mutant) => [mutant.id, mutant]),
    );
    this.#all = this.#waiting.size;
    this.#begun = performance.now();
    const known = chosen.length - this.#all;
    printLine(
      `testing ${chosen.length} of ${mutants.length} mutants; ${known} of them have cached results`,
    );
  }

  onMutantTested({ id, status }) {
    const mutant = this.#waiting.get(id);
    if (mutant === undefined) return;
    this.#waiting.delete(id);
    if (isAlive(status)) {
      this.#living += 1;
      printLine(`survived: ${mutant.at}: ${mutant.name.was}  →  ${mutant.name.became}`);
    }
    const tried = this.#all - this.#waiting.size;
    const seconds = (performance.now() - this.#begun) / 1_000;
    const minutes = Math.ceil((this.#waiting.size * seconds) / tried / 60);
    const line = `${tried} of ${this.#all} tested, ${this.#living} survived, about ${minutes} min left`;
    if (process.stderr.isTTY) process.stderr.write(`\r${line} `);
    else if (seconds - this.#toldAt >= 60) {
      this.#toldAt = seconds;
      printLine(line);
    }
  }

  wrapUp() {
    if (process.stderr.isTTY) printLine("");
  }
}

/** Returns whether no test detected the mutant. */
export function isAlive(status) {
  return status === "Survived" || status === "NoCoverage";
}

class Chosen {
  #ids = new Set();

  async init() {}

  /** Puts all mutants in one group, because the check only tests whether each one is selected. */
  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    if (this.#ids.size === 0) this.#ids = new Set(chosenMutants().map(({ id }) => id));
    const toCheckResult = (id) =>
      this.#ids.has(id) ? { status: "passed" } : { status: "compileError", reason: NOT_CHOSEN };
    return Object.fromEntries(mutants.map(({ id }) => [id, toCheckResult(id)]));
  }
}

/** @public - Stryker imports it. */
export const strykerPlugins = [
  { kind: "Reporter", name: "choice", injectableClass: Choice },
  { kind: "Checker", name: "chosen", injectableClass: Chosen },
];

function named(mutants) {
  const files = groupedByFile(mutants);
  return [...files].flatMap(([fileName, ofFile]) => {
    const path = relative(process.cwd(), fileName).replaceAll("\\", "/");
    const names = listNames(readFileSync(fileName, "utf8"), ofFile);
    return ofFile.map(({ id, location }, index) => ({
      id,
      path,
      at: `${path}:${location.start.line + 1}`,
      name: names[index],
    }));
  });
}

function groupedByFile(mutants) {
  const files = new Map();
  for (const mutant of mutants) {
    const ofFile = files.get(mutant.fileName) ?? [];
    files.set(mutant.fileName, ofFile);
    ofFile.push(mutant);
  }
  return files;
}

function printLine(line) {
  process.stderr.write(`${process.stderr.isTTY ? "\r" : ""}${line}\n`);
}
