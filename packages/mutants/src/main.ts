import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import process from "node:process";
import { controllerSubjects } from "./mutated-outputs/controller-outputs.ts";
import { type ExaminedMutant, examineMutants } from "./mutated-outputs/examine-mutants.ts";
import { createWebhookSubject } from "./mutated-outputs/webhook-outputs.ts";
import {
  listReportedRightControllers,
  rightControllers,
} from "./right-subjects/right-controllers.ts";
import { examineRightWebhooks } from "./right-subjects/right-webhooks.ts";
import { webhookBundles } from "./webhooks.ts";
import { countRuns } from "./wrong-subjects/wrong-subject.ts";
import { wrongSubjects } from "./wrong-subjects/wrong-subjects.ts";

/** The required share of killed mutants, without unspecified and equivalent ones. */
const REQUIRED_SHARE = 0.98;
/** The number of seeds for each subject in a full run. */
const SEEDS = 20;

const args = process.argv.slice(2);
const isShort = args.includes("--short");
const seed = Number(readOption("seed") ?? 1);
/** A short run examines a third of the subjects. The seed selects the third. */
const isChosen = (index: number) => !isShort || (index + seed) % 3 === 0;

const part = readOption("part");
const failures = part === undefined ? await examineAll() : await examinePart(part);
for (const failure of failures) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

function readOption(name: string): string | undefined {
  return args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1];
}

/** Returns the failures of the laws, one line each. */
async function examineAll(): Promise<readonly string[]> {
  // Correct controllers and wrong subjects take most of the time, so other processes examine them.
  const parts = isShort ? 1 : Math.min(4, availableParallelism());
  const others = Array.from({ length: parts }, (_, index) => startProcess(`${index}/${parts}`));
  const own = [...(await examineOutputs()), ...(await examineWebhooks())];
  return [...own, ...(await Promise.all(others)).flat()];
}

/** Returns the surviving mutants, if there are too many. Otherwise, it only prints them. */
async function examineOutputs(): Promise<readonly string[]> {
  const examined: ExaminedMutant[] = [];
  // Webhooks return some outputs both with and without feature gates.
  const seen = new Set<string>();
  const selectEveryNth = (nth: number) => (key: string) =>
    !seen.has(key) && seen.add(key).size % (isShort ? nth : 1) === 0;
  for (const subject of controllerSubjects)
    for await (const one of examineMutants(subject, selectEveryNth(4))) examined.push(one);
  for (const subject of Object.values(webhookBundles).map(createWebhookSubject))
    for await (const one of examineMutants(subject, selectEveryNth(12))) examined.push(one);
  const count = (result: ExaminedMutant["result"]) =>
    examined.filter((one) => one.result === result).length;
  const killed = count("Killed");
  const all = killed + count("Survived");
  console.log(
    `${killed} of ${all} mutants of outputs were killed; ${count("Unspecified")} more change unspecified outputs`,
  );
  const survivors = examined.filter(({ result }) => result === "Survived");
  const lines = survivors.map(({ key }) => `SURVIVED ${key}`);
  if (killed < REQUIRED_SHARE * all) return lines;
  for (const line of lines) console.log(line);
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
  const [, file = ""] = process.argv;
  const options = ["--enable-source-maps", file, ...args, `--part=${name}`];
  const child = spawn(process.execPath, options, { stdio: ["ignore", "inherit", "inherit"] });
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
    const runs = await countRuns(subject, isShort ? 3 : SEEDS);
    const seeds = runs.filter((count) => count === undefined).length;
    if (seeds > 0)
      survivors.push(`SURVIVED ${subject.law} on ${seeds} seeds: a subject that ${subject.what}`);
  }
  console.log(`${names.length} correct controllers were examined with ${SEEDS} seeds each`);
  console.log(`${wrong.length - survivors.length} of ${wrong.length} wrong subjects were caught`);
  return [...rejected.map((line) => `REJECTED ${line}`), ...survivors];
}
