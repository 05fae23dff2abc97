import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import process from "node:process";
import { type ExaminedMutant, examineAnswers } from "./changed-answers/answers.ts";
import { controllerSubjects } from "./changed-answers/controller-answers.ts";
import { webhookSubject } from "./changed-answers/webhook-answers.ts";
import {
  listReportedRightControllers,
  rightControllers,
} from "./right-subjects/right-controllers.ts";
import { examineRightWebhooks } from "./right-subjects/right-webhooks.ts";
import { webhookBundles } from "./webhooks.ts";
import { countRuns } from "./wrong-subjects/wrong-subject.ts";
import { wrongSubjects } from "./wrong-subjects/wrong-subjects.ts";

/** The minimum share of mutants with an effect that the laws must catch. */
const LEAST_CAUGHT = 0.98;

const args = process.argv.slice(2);
const isShort = args.includes("--short");
const seed = Number(readOption("seed") ?? 1);
/** The number of seeds for each subject. */
const SEEDS = 20;
const seeds = isShort ? 1 : SEEDS;
/** Reports whether a subject is examined. A short run examines a third, which depends on the seed. */
const isChosen = (index: number) => !isShort || (index + seed) % 3 === 0;

const part = readOption("part");
const complaints = part === undefined ? await examineAll() : await examineSubjects(part);
for (const one of complaints) console.log(one);
process.exitCode = complaints.length === 0 ? 0 : 1;

function readOption(name: string): string | undefined {
  return args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1];
}

/** Returns the wrong results of the laws, one line each. */
async function examineAll(): Promise<readonly string[]> {
  // Correct controllers and wrong subjects take most of the time, so other processes examine them.
  const parts = isShort ? 1 : Math.min(4, availableParallelism());
  const others = Array.from({ length: parts }, (_, index) => examineBeside(`${index}/${parts}`));
  const found: string[] = [...(await examineMutants())];
  for await (const { name, refused } of examineRightWebhooks(seeds, isChosen))
    found.push(...refused.map((line) => `REJECTED ${name}: ${line}`));
  return [...found, ...(await Promise.all(others)).flat()];
}

/** Returns the mutants that no law caught, if there are too many. */
async function examineMutants(): Promise<readonly string[]> {
  const examined: ExaminedMutant[] = [];
  // The answers that webhooks return with and without feature gates are examined once.
  const seen = new Set<string>();
  const everyNth = (nth: number) => (key: string) =>
    !seen.has(key) && seen.add(key).size % (isShort ? nth : 1) === 0;
  for (const subject of controllerSubjects)
    for await (const one of examineAnswers(subject, everyNth(4))) examined.push(one);
  for (const bundle of Object.values(webhookBundles))
    for await (const one of examineAnswers(webhookSubject(bundle), everyNth(12)))
      examined.push(one);
  const [caught, missed, free] = (["Caught", "Missed", "Free"] as const).map((outcome) =>
    examined.filter((one) => one.outcome === outcome),
  ) as [ExaminedMutant[], ExaminedMutant[], ExaminedMutant[]];
  const all = caught.length + missed.length;
  console.log(
    `${caught.length} of ${all} changed responses were caught; ${free.length} more may change freely`,
  );
  const lines = missed.map(({ change, place }) => `MISSED ${change} ${place}`);
  if (caught.length >= LEAST_CAUGHT * all) for (const line of lines.splice(0)) console.log(line);
  return lines;
}

/** Examines a part of the controllers and the wrong subjects in another process, which prints its own results. */
function examineBeside(which: string): Promise<readonly string[]> {
  const [, file = ""] = process.argv;
  const child = spawn(
    process.execPath,
    ["--enable-source-maps", file, ...args, `--part=${which}`],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code === 0 ? [] : [`part ${which} has failed`]));
  });
}

/**
 * Returns the correct controllers that a law reports, and the wrong subjects that their law does not catch on every
 * seed.
 */
async function examineSubjects(which: string): Promise<readonly string[]> {
  const [index = 0, parts = 1] = which.split("/").map(Number);
  const inPart = <Each>(all: readonly Each[]): readonly Each[] =>
    all.filter((_, at) => isChosen(at)).filter((_, at) => at % parts === index);
  const names = inPart(Object.keys(rightControllers));
  const perSeed = isShort ? { clusters: 3, histories: 0.5 } : { clusters: 30, histories: 4 };
  const reported = await listReportedRightControllers({ names, seeds: SEEDS, ...perSeed });
  const wrong = inPart(wrongSubjects);
  const perSubject = isShort ? 3 : SEEDS;
  const surviving: string[] = [];
  for (const one of wrong) {
    const count = (await countRuns(one, perSubject)).filter((runs) => runs !== undefined).length;
    if (count < perSubject)
      surviving.push(
        `SURVIVES ${one.law} on ${perSubject - count} seeds: a subject that ${one.what}`,
      );
  }
  console.log(`${names.length} correct controllers were examined with ${SEEDS} seeds each`);
  console.log(`${wrong.length - surviving.length} of ${wrong.length} wrong subjects were caught`);
  return [...reported.map((line) => `REJECTED ${line}`), ...surviving];
}
