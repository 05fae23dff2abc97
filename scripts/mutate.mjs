// Mutation testing: makes small changes to the sources of a package. Its tests or the recorded decisions must detect each one.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { chosenMutants, isAlive, NOT_CHOSEN } from "./mutate/plugin.mjs";
import { asEntries, compareSurvivors, knownSurvivors } from "./mutate/survivors.mjs";
import { fail } from "./report.mjs";
import { root } from "./root.mjs";
import { summarizeParts } from "./test.mjs";

/** The required share of killed mutants. */
const ENOUGH = 0.9;

/**
 * Mutates packages and runs their tests and the recorded decisions against each mutant.
 *
 * The last line counts mutants. Killed mutants and known survivors count as passed, other survivors as failed. If the share of killed
 * mutants is too low, this counts as one more failure. Returns the exit code.
 *
 * @param args - package names (by default `core`, `checks` and `admission`); `--all` for all mutants instead of a sample, `--seed` for
 * another sample, `--again` to ignore cached results, `--at-a-time` for the number of parallel mutants
 */
export async function mutate(args) {
  const { values, positionals } = listArguments(args);
  if (!/^[1-9]\d*$/.test(values["at-a-time"])) fail("--at-a-time must be a positive integer", 2);
  const packages = positionals.length > 0 ? positionals : ["core", "checks", "admission"];
  const results = [];
  for (const name of packages) {
    if (!existsSync(join(root, "packages", name, "src"))) fail(`unknown package: ${name}`, 2);
  }
  process.chdir(root); // Stryker resolves files relative to the working directory.
  for (const name of packages) {
    process.stdout.write(`${name}\n`);
    try {
      results.push(await mutatePackage(name, values));
    } catch (error) {
      fail(`mutate: ${name}: ${error.message}`, 1); // Stryker has printed the details.
    }
  }
  return summarizeParts([...results.map(describeChange), summarize(results)]);
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
  // The processes that Stryker starts read these variables.
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
      // Stryker does not find plugins in the pnpm layout.
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
    removeUntestedAndSurvivors(incrementalFile);
    const statuses = new Map(mutants.map(({ id, status }) => [id, status]));
    const tried = chosenMutants().map((mutant) => ({ ...mutant, status: statuses.get(mutant.id) }));
    return compareSurvivors(tried, knownSurvivors());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Removes untested mutants and survivors from the cache of Stryker, so the next run tests them. Stryker does not notice new tests for
 * code that runs when its module is loaded.
 */
function removeUntestedAndSurvivors(incrementalFile) {
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
    process.stdout.write(`remove from survivors.yaml, because tests kill it: ${at}: ${name.was}\n`);
  }
  if (added.length > 0) {
    process.stdout.write(`add to survivors.yaml, with a reason:\n${asEntries(added)}\n`);
  }
  return { passed: killed + known.length, failed: added.length };
}

function summarize(results) {
  const killed = results.reduce((sum, one) => sum + one.killed, 0);
  const all = results.reduce((sum, { known, added }) => sum + known.length + added.length, killed);
  const percent = ((100 * killed) / all).toFixed(1);
  process.stdout.write(
    `${percent} % of ${all} mutants are killed, ${100 * ENOUGH} % are required\n`,
  );
  return { passed: 0, failed: killed >= ENOUGH * all ? 0 : 1 };
}
