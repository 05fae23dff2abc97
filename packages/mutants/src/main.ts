import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { webhookLawSets } from "./law-sets.ts";
import { controllerSubjects } from "./mutated-outputs/controller-outputs.ts";
import { examineMutants } from "./mutated-outputs/examine-mutants.ts";
import { createWebhookSubjects } from "./mutated-outputs/webhook-outputs.ts";
import {
  listReportedRightControllers,
  rightControllers,
} from "./right-subjects/right-controllers.ts";
import { examineRightWebhooks } from "./right-subjects/right-webhooks.ts";
import { listSurvivedSeeds } from "./wrong-subjects/wrong-subject.ts";
import { wrongSubjects } from "./wrong-subjects/wrong-subjects.ts";

/** The required share of killed mutants, without unspecified ones. */
const REQUIRED_SHARE = 0.98;
/** The number of seeds for each subject in a full run. */
const SEEDS = 20;

const { values: options } = parseArgs({
  options: { short: { type: "boolean" }, seed: { type: "string" }, part: { type: "string" } },
});
const isShort = options.short === true;
/** A short run examines a third of the subjects. The seed selects the third. */
const isChosen = (index: number) => !isShort || (index + Number(options.seed ?? 1)) % 3 === 0;

const failures = options.part === undefined ? await examineAll() : await examinePart(options.part);
for (const failure of failures) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Returns the failures of the laws, one line each. */
async function examineAll(): Promise<readonly string[]> {
  // Correct controllers and wrong subjects take most of the time, so other processes examine them.
  const parts = isShort ? 1 : Math.min(4, availableParallelism());
  const others = Array.from({ length: parts }, (_, index) => startProcess(`${index}/${parts}`));
  const own = [...(await examineOutputs()), ...(await examineWebhooks())];
  return [...own, ...(await Promise.all(others)).flat()];
}

/**
 * Returns the surviving mutants, if there are too many. Otherwise, it only prints them. A short run examines every
 * eighth.
 */
async function examineOutputs(): Promise<readonly string[]> {
  const counts = { Killed: 0, Survived: 0, Unspecified: 0 };
  const survivors: string[] = [];
  // Webhooks return some outputs both with and without feature gates.
  const seen = new Set<string>();
  for (const subject of [...controllerSubjects, ...webhookLawSets.flatMap(createWebhookSubjects)]) {
    const isKeyChosen = (key: string) =>
      !seen.has(key) && seen.add(key).size % (isShort ? 8 : 1) === 0;
    for await (const { key, result } of examineMutants(subject, isKeyChosen)) {
      counts[result] += 1;
      if (result === "Survived") survivors.push(`SURVIVED ${key}`);
    }
  }
  const all = counts.Killed + counts.Survived;
  console.log(
    `${counts.Killed} of ${all} mutants of outputs were killed; ${counts.Unspecified} more change unspecified outputs`,
  );
  if (counts.Killed < REQUIRED_SHARE * all) return survivors;
  for (const survivor of survivors) console.log(survivor);
  return [];
}

async function examineWebhooks(): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { name, violations } of examineRightWebhooks(isShort ? 1 : SEEDS, isChosen))
    lines.push(...violations.map((violation) => `REJECTED ${name}: ${violation}`));
  return lines;
}

/** Starts a process that examines a part of the controllers and wrong subjects, and prints its own failures. */
function startProcess(name: string): Promise<readonly string[]> {
  const [, file = "", ...others] = process.argv;
  const args = ["--enable-source-maps", file, ...others, `--part=${name}`];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code === 0 ? [] : [`part ${name} has failed`]));
  });
}

/** Returns the correct controllers that a law rejects, and the wrong subjects that survive their law on some seed. */
async function examinePart(name: string): Promise<readonly string[]> {
  const [index = 0, parts = 1] = name.split("/").map(Number);
  const select = <Item>(items: readonly Item[]): readonly Item[] =>
    items.filter((_, at) => isChosen(at)).filter((_, at) => at % parts === index);
  const names = select(Object.keys(rightControllers));
  const perSeed = isShort ? { clusters: 3, histories: 0.5 } : { clusters: 30, histories: 4 };
  const rejected = await listReportedRightControllers({ names, seeds: SEEDS, ...perSeed });
  const wrong = select(wrongSubjects);
  const survivors: string[] = [];
  for (const subject of wrong) {
    const seeds = await listSurvivedSeeds(subject, isShort ? 3 : SEEDS);
    if (seeds.length > 0)
      survivors.push(`SURVIVED ${subject.law} on seeds ${seeds}: a subject that ${subject.what}`);
  }
  console.log(`${names.length} correct controllers were examined with ${SEEDS} seeds each`);
  console.log(`${wrong.length - survivors.length} of ${wrong.length} wrong subjects were caught`);
  return [...rejected.map((line) => `REJECTED ${line}`), ...survivors];
}
