import process from "node:process";
import {
  type Examined,
  examineAnswers,
  passes,
  placesOf,
  repairs,
  type Subject,
} from "./answers.ts";
import { reportDefects } from "./report-defects.ts";
import { keepsEveryHistory, keepsEveryLaw } from "./right-controllers.ts";
import { examineRightWebhooks } from "./right-webhooks.ts";
import { examineWebhooks } from "./webhook-answers.ts";
import { webhookBundles } from "./webhooks.ts";
import { examineWrongWebhooks } from "./wrong-webhooks.ts";

/** Of the mutants that make a difference, so many have to be caught. */
const LEAST_CAUGHT = 0.98;

/** Each subject is examined on so many seeds. */
const SEEDS = 20;

process.exitCode = await main(process.argv.slice(2));

async function main([program, ...args]: readonly string[]): Promise<number> {
  const isShort = args.includes("--short");
  const [root = ".", ...rows] = args.filter((arg) => !arg.startsWith("--"));
  switch (program) {
    case "answers":
      return (await examineAll(isShort)) ? 0 : 1;
    case "resurrect":
      return (await reportDefects(root, rows, {
        isShort,
        shrinks: !isShort && !args.includes("--unshrunk"),
      }))
        ? 0
        : 1;
    default:
      process.stderr.write(
        "Usage: npm run mutate:answers [-- --short], npm run resurrect [-- --short] [--unshrunk] [ROW…]\n",
      );
      return 2;
  }
}

/** Whether the laws catch enough wrong answers, and refuse no right controller. */
async function examineAll(isShort: boolean): Promise<boolean> {
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
  const refused = [
    ...(await keepsEveryLaw(isShort ? 3 : 50)),
    ...(await keepsEveryHistory(isShort ? 10 : 200)),
    ...(await reportRightWebhooks(isShort)),
  ];
  for (const line of refused) console.log(`REFUSED ${line}`);
  const survive = await reportWrongWebhooks(isShort);
  return !missed && refused.length === 0 && !survive;
}

/** A third of many subjects, the same each time. */
function isInShort(index: number): boolean {
  return index % 3 === 0;
}

/** Prints the table of right webhooks. Returns what they are accused of, a line each. */
async function reportRightWebhooks(isShort: boolean): Promise<readonly string[]> {
  const seeds = isShort ? 1 : SEEDS;
  const refused: string[] = [];
  for await (const one of examineRightWebhooks(seeds, isShort ? isInShort : () => true)) {
    console.log(`RIGHT ${one.name}: ${one.refused.length === 0 ? "all laws hold" : "REFUSED"}`);
    refused.push(...one.refused.map((line) => `${one.name}: ${line}`));
  }
  return refused;
}

/** Prints the table of wrong webhooks. Returns whether some are not caught on each seed. */
async function reportWrongWebhooks(isShort: boolean): Promise<boolean> {
  const seeds = isShort ? 1 : SEEDS;
  let [examined, surviving] = [0, 0];
  for await (const one of examineWrongWebhooks(seeds, isShort ? isInShort : () => true)) {
    examined += 1;
    const isCaught = one.caught === seeds;
    if (!isCaught) surviving += 1;
    const line = `on ${one.caught} of ${seeds} seeds by ${one.by}: ${one.what}`;
    if (!isShort || !isCaught) console.log(`${isCaught ? "CAUGHT" : "SURVIVES"} ${line}`);
  }
  console.log(
    `${examined - surviving} of ${examined} wrong webhooks caught on each of ${seeds} seeds`,
  );
  return surviving > 0;
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
