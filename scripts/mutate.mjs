// Mutation testing: small changes of a package's sources, each of which its own tests or the recorded decisions have to see.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { chosenMutants, isAlive, NOT_CHOSEN } from "./mutate/plugin.mjs";
import { asEntries, compareSurvivors, knownSurvivors } from "./mutate/survivors.mjs";
import { fail } from "./report.mjs";
import { root } from "./root.mjs";
import { conclude } from "./test.mjs";

/** What share of the mutants has to be killed. */
const ENOUGH = 0.9;

/**
 * Mutates packages, `core`, `checks` and `admission` unless others are named, and holds each mutant against the package's own tests
 * and against the recorded decisions.
 * The last line counts mutants: killed ones, and those that are known to live, as passed; others that live as failed, and
 * one more where too few are killed. Answers with the exit code.
 *
 * @param args - names of packages; `--all` for all mutants instead of a sample, `--seed` for another one, `--again` to
 * believe nothing that was found before, `--at-a-time` for how many mutants
 */
export async function mutate(args) {
  const { values, positionals } = listArguments(args);
  if (!/^[1-9]\d*$/.test(values["at-a-time"])) fail("--at-a-time is a number from 1 on", 2);
  const packages = positionals.length > 0 ? positionals : ["core", "checks", "admission"];
  const results = [];
  for (const name of packages) {
    if (!existsSync(join(root, "packages", name, "src"))) fail(`there is no package ${name}`, 2);
  }
  process.chdir(root); // Stryker's files are relative to where it is
  for (const name of packages) {
    process.stdout.write(`${name}\n`);
    try {
      results.push(await mutatePackage(name, values));
    } catch (error) {
      fail(`mutate: ${name}: ${error.message}`, 1); // Stryker has said more
    }
  }
  return conclude([...results.map(describeChange), judged(results)]);
}

function listArguments(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        all: { type: "boolean", default: false },
        again: { type: "boolean", default: false },
        seed: { type: "string", default: "1" },
        "at-a-time": { type: "string", default: `${Math.min(availableParallelism(), 4)}` },
      },
    });
  } catch (error) {
    return fail(`mutate: ${error.message}`, 2);
  }
}

async function mutatePackage(name, { all, again, seed, "at-a-time": atATime }) {
  const folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  // Stryker's own processes are told by the environment.
  process.env.JOBSET_TS_MUTATED = name;
  process.env.JOBSET_TS_CHOSEN = join(folder, "chosen.json");
  if (!all) process.env.JOBSET_TS_SEED = seed;
  const incrementalFile = join("node_modules", ".cache", "jobset-ts", `mutants-${name}.json`);
  mkdirSync(join(root, "node_modules", ".cache", "jobset-ts"), { recursive: true });
  try {
    const mutants = await new Stryker({
      mutate: [
        `packages/${name}/src/**/*.ts`,
        "!**/*.test.ts",
        "!**/*.test-d.ts",
        "!**/testing/**",
      ],
      ignorePatterns: [
        "docs",
        "examples",
        "packages/*",
        ...[name, "conformance"].map((needed) => `!packages/${needed}`),
      ],
      tempDirName: ".stryker-tmp",
      testRunner: "vitest",
      vitest: { configFile: "scripts/mutate/vitest.config.ts", related: false },
      coverageAnalysis: "perTest",
      checkers: ["chosen"],
      reporters: ["choice"],
      // pnpm puts nothing where Stryker would find it by itself.
      plugins: ["@stryker-mutator/vitest-runner", join(root, "scripts", "mutate", "plugin.mjs")],
      concurrency: Number(atATime),
      timeoutMS: 5_000,
      timeoutFactor: 3,
      incremental: true,
      incrementalFile,
      force: again,
      dryRunTimeoutMinutes: 30,
      logLevel: "error",
    }).runMutationTest();
    forgetUntriedAndLiving(incrementalFile);
    const statuses = new Map(mutants.map(({ id, status }) => [id, status]));
    const tried = chosenMutants().map((mutant) => ({ ...mutant, status: statuses.get(mutant.id) }));
    return compareSurvivors(tried, knownSurvivors());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Takes out of what Stryker remembers those that were not tried, or it would never try them; and those that live, since of code that
 * runs as its file is loaded it does not notice that a test has come.
 */
function forgetUntriedAndLiving(incrementalFile) {
  const report = JSON.parse(readFileSync(incrementalFile, "utf8"));
  for (const file of Object.values(report.files)) {
    file.mutants = file.mutants.filter(
      ({ status, statusReason }) => statusReason !== NOT_CHOSEN && !isAlive(status),
    );
  }
  writeFileSync(incrementalFile, JSON.stringify(report));
}

function describeChange({ killed, known, added, stale }) {
  for (const { at, name } of stale) {
    process.stdout.write(`survivors.yaml names it, and it was killed: ${at}: ${name.was}\n`);
  }
  if (added.length > 0) {
    process.stdout.write(`survivors.yaml lacks, or gives no reason for:\n${asEntries(added)}\n`);
  }
  return { passed: killed + known.length, failed: added.length };
}

function judged(results) {
  const killed = results.reduce((sum, one) => sum + one.killed, 0);
  const all = results.reduce((sum, { known, added }) => sum + known.length + added.length, killed);
  const percent = ((100 * killed) / all).toFixed(1);
  process.stdout.write(`${percent} % of ${all} mutants are killed, ${100 * ENOUGH} % have to be\n`);
  return { passed: 0, failed: killed >= ENOUGH * all ? 0 : 1 };
}
