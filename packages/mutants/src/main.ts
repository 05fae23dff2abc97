import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import process from "node:process";
import {
  type Examined,
  examineAnswers,
  passes,
  placesOf,
  repairs,
  type Subject,
} from "./answers.ts";
import { reportedRightControllers, rightControllers } from "./right-controllers.ts";
import { examineRightWebhooks } from "./right-webhooks.ts";
import { examineWebhooks } from "./webhook-answers.ts";
import { webhookBundles } from "./webhooks.ts";
import { correctSubjects, runsNeeded } from "./wrong-subject.ts";
import { wrongSubjects } from "./wrong-subjects.ts";

/** Of the mutants that make a difference, so many have to be caught. */
const LEAST_CAUGHT = 0.98;

/** Each subject is examined on so many seeds. */
const SEEDS = 20;

process.exitCode = await main(process.argv.slice(2));

async function main([program, ...args]: readonly string[]): Promise<number> {
  const isShort = args.includes("--short");
  switch (program) {
    case "answers":
      return (await examineAll(isShort, seedIn(args))) ? 0 : 1;
    case "subjects":
      return (await examineSubjects(isShort, seedIn(args), partIn(args))) ? 0 : 1;
    default:
      process.stderr.write("Usage: npm run mutate:answers [-- --short] [--seed=N]\n");
      return 2;
  }
}

function seedIn(args: readonly string[]): number {
  const [, seed] = /^--seed=(\d+)$/.exec(args.find((arg) => arg.startsWith("--seed=")) ?? "") ?? [];
  return Number(seed ?? 1);
}

/** Which of how many parts of the subjects is meant. */
function partIn(args: readonly string[]): readonly [part: number, parts: number] {
  const [, part, parts] = /^--part=(\d+)\/(\d+)$/.exec(args.at(-1) ?? "") ?? [];
  return [Number(part ?? 0), Number(parts ?? 1)];
}

/** Whether the laws catch enough wrong answers, and report no right controller. */
async function examineAll(isShort: boolean, seed: number): Promise<boolean> {
  // Right controllers and wrong subjects take most of the time: other processes examine them meanwhile.
  const parts = isShort ? 1 : Math.min(4, availableParallelism());
  const others = Array.from({ length: parts }, (_, part) =>
    examinedBeside(isShort, seed, part, parts),
  );
  const examined: Examined[] = [];
  await examine(passes, isShort, examined);
  await examine(repairs, isShort, examined);
  // What answers have in common with gates and without is looked at once.
  const seen = new Set<string>();
  for (const bundle of Object.values(webhookBundles)) {
    const isMeant = (key: string) =>
      !seen.has(key) && seen.add(key).size % (isShort ? 12 : 1) === 0;
    for await (const one of examineWebhooks(bundle, { seed: 7, isMeant })) examined.push(one);
  }
  const missed = report(examined);
  const refused = await reportRightWebhooks(isShort, seed);
  for (const line of refused) console.log(`REFUSED ${line}`);
  const broken: string[] = [];
  for (const one of correctSubjects) {
    const runs = await runsNeeded(one, isShort ? 1 : SEEDS);
    if (runs.some((needed) => needed !== undefined)) broken.push(`${one.laws}: ${one.by}`);
  }
  for (const law of broken) console.log(`BROKEN WITHOUT A DEFECT ${law}`);
  const areRight = await Promise.all(others);
  return !missed && refused.length === 0 && broken.length === 0 && areRight.every(Boolean);
}

/** Whether a subject is examined: all are, or a third, another one for each seed. */
function isChosen(isShort: boolean, seed: number): (index: number) => boolean {
  return (index) => !isShort || (index + seed) % 3 === 0;
}

/** Prints the table of right webhooks. Returns what they are accused of, a line each. */
async function reportRightWebhooks(isShort: boolean, seed: number): Promise<readonly string[]> {
  const seeds = isShort ? 1 : SEEDS;
  const refused: string[] = [];
  for await (const one of examineRightWebhooks(seeds, isChosen(isShort, seed))) {
    console.log(`RIGHT ${one.name}: ${one.refused.length === 0 ? "all laws hold" : "REFUSED"}`);
    refused.push(...one.refused.map((line) => `${one.name}: ${line}`));
  }
  return refused;
}

/** Whether another process examines its part of the controllers and the wrong subjects without a complaint. */
function examinedBeside(
  isShort: boolean,
  seed: number,
  part: number,
  parts: number,
): Promise<boolean> {
  const [, file = ""] = process.argv;
  const args = [...(isShort ? ["--short"] : []), `--seed=${seed}`, `--part=${part}/${parts}`];
  const child = spawn(process.execPath, ["--enable-source-maps", file, "subjects", ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code === 0));
  });
}

/** Whether no law reports a right controller, and each wrong subject is caught by its law on every seed. */
async function examineSubjects(
  isShort: boolean,
  seed: number,
  [part, parts]: readonly [part: number, parts: number],
): Promise<boolean> {
  const isMeant = isChosen(isShort, seed);
  const names = Object.keys(rightControllers)
    .filter((_, index) => isMeant(index))
    .filter((_, index) => index % parts === part);
  const perSeed = isShort ? { clusters: 3, histories: 0.5 } : { clusters: 30, histories: 4 };
  const refused = await reportedRightControllers({ names, seeds: SEEDS, ...perSeed });
  for (const line of refused) console.log(`REFUSED ${line}`);
  const seeds = isShort ? 3 : SEEDS;
  const wrong = wrongSubjects.filter((_, index) => isMeant(index) && index % parts === part);
  let surviving = 0;
  for (const one of wrong) {
    const needed = (await runsNeeded(one, seeds)).filter((runs) => runs !== undefined);
    const isCaught = needed.length === seeds;
    if (!isCaught) surviving += 1;
    const line = `on ${needed.length} of ${seeds} seeds by ${one.by}, after ${Math.max(...needed)} runs at most`;
    if (!isShort || !isCaught)
      console.log(`${isCaught ? "CAUGHT" : "SURVIVES"} what ${one.what}: ${line}`);
  }
  console.log(`${names.length} right controllers examined on ${SEEDS} seeds each`);
  console.log(
    `${wrong.length - surviving} of ${wrong.length} wrong subjects caught on ${seeds} seeds`,
  );
  return refused.length === 0 && surviving === 0;
}

async function examine<Case>(subject: Subject<Case>, isShort: boolean, examined: Examined[]) {
  const places = (await placesOf(subject, 1)).filter((_, index) => !isShort || index % 4 === 0);
  for await (const one of examineAnswers(subject, places, 7)) examined.push(one);
}

/** Prints the table; whether too many were missed. */
function report(examined: readonly Examined[]): boolean {
  const counts = new Map<string, Record<Examined["outcome"], number>>();
  const byLaw = new Map<string, number>();
  for (const one of examined) {
    const row = counts.get(one.change) ?? { Caught: 0, Missed: 0, Free: 0, WithoutEffect: 0 };
    row[one.outcome] += 1;
    counts.set(one.change, row);
    if (one.outcome === "Caught") byLaw.set(one.law, (byLaw.get(one.law) ?? 0) + 1);
  }
  console.log("CHANGE                   CAUGHT   MISSED   FREE   WITHOUT EFFECT");
  let [caught, missed] = [0, 0];
  for (const [change, row] of counts) {
    caught += row.Caught;
    missed += row.Missed;
    const cells = [row.Caught, row.Missed, row.Free, row.WithoutEffect];
    console.log(change.padEnd(25) + cells.map((cell) => String(cell).padEnd(9)).join(""));
  }
  console.log("\nLAW                                        CATCHES");
  for (const [law, count] of [...byLaw].sort((one, other) => other[1] - one[1])) {
    console.log(law.padEnd(43) + count);
  }
  for (const { change, place, outcome } of examined) {
    if (outcome === "Missed") console.log(`MISSED ${change}: ${place}`);
  }
  const share = caught / (caught + missed);
  console.log(`\n${caught} of ${caught + missed} caught: ${(100 * share).toFixed(1)} %`);
  return share < LEAST_CAUGHT;
}
