// Tests that the laws find the mistakes of the naive controller and webhooks, with the output that the README shows.
// `npx vitest run examples/property-tests --update` writes the README again.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { podAdmissionLaws } from "@jobset-ts/testing/admission";
import { clusters } from "@jobset-ts/testing/arbitraries";
import {
  findViolations,
  type Laws,
  lawForViolation,
  reconcileLaws,
} from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { expectBlocks } from "../../../docs/testing/held-blocks.ts";
import { runs } from "../../../packages/testing/src/testing/runs.ts";
import { reconcile } from "./controller.ts";
import { mutatePod, validatePod } from "./webhook.ts";

const folder = dirname(fileURLToPath(import.meta.url));
const readme = join(dirname(folder), "README.md");
const webhooks = { mutate: mutatePod, validate: validatePod };

let found: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  found = await violationsByLaw();
});

it("the README lists the violated laws with their counterexamples", async () => {
  const broken = [...found.keys()];
  const deletion = await report(reconcileLaws, "deletionsWaitForPods", reconcile);
  const masked = await report(podAdmissionLaws, "pendingLeadersAreNotMasked", webhooks);
  await expectBlocks(readme, readFileSync(readme, "utf8"), {
    "laws of the controller": outcomes(reconcileLaws, broken),
    "a counterexample of the controller": deletion,
    "laws of the webhooks": outcomes(podAdmissionLaws, await brokenByWebhooks()),
    "a counterexample of the webhooks": masked,
  });
});

/** The text in a violation that identifies each bug, in the order of the README's table. */
const mistakes: Readonly<Record<string, RegExp>> = {
  deletionsWaitForPods: /must use the propagation policy Foreground$/,
  requestsAreValid: /^the server rejects the request to create Job .*: AlreadyExists$/,
  createdJobsKeepUserLabels: /\.(labels|annotations)\.app is nothing, but must be /,
  createdObjectsHaveJobSetLabels: /\/job-key is "[0-9a-f]{40}", but must be "[0-9a-f]{40}"$/,
  createdObjectsBelongToTheJobSet: /^create Service .*\.uid is nothing, but must be "train-uid"$/,
  restartsAreCounted: /: status\.restarts becomes \d, but must be /,
  resumedJobsFollowTheirTemplate: /nodeSelector\.disk stays "old", but must be /,
  eventTypesAreRight: /^the Event FailedJobs is Normal, not Warning$/,
  jobsAreDeletedWhenDue: /^it does not delete Job /,
};

it("each bug in the README's table violates its law", async () => {
  const rows = [...readFileSync(readme, "utf8").matchAll(/^\| [a-z][^|]+ \| `(\w+)` \|$/gm)];
  expect(rows.map(([, law]) => law)).toEqual(Object.keys(mistakes));
  for (const [law, words] of Object.entries(mistakes)) {
    expect(
      found.get(law)?.filter((one) => words.test(one)),
      law,
    ).not.toEqual([]);
  }
});

/** Seeds of clusters that together reveal all bugs, selected from 200 seeds. */
const seeds = {
  any: [75, 92, 120, 171, 187],
  Failures: [79, 195],
};

/** Collects all violations of the controller in generated clusters, with and without failed Jobs. */
async function violationsByLaw(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const sample = (cases: ReturnType<typeof clusters>, ofSeeds: readonly number[]) =>
    ofSeeds.flatMap((seed) => fc.sample(cases, { numRuns: runs(3), seed }));
  for (const cluster of [
    ...sample(clusters(), seeds.any),
    ...sample(clusters({ situation: "Failures" }), seeds.Failures),
  ]) {
    const { violations } = await findViolations(reconcile, cluster);
    for (const violation of violations) {
      const law = lawForViolation(violation);
      found.set(law, [...(found.get(law) ?? []), violation.message]);
    }
  }
  return found;
}

async function brokenByWebhooks(): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const [name, law] of podAdmissionLaws) {
    const { failed } = await fc.check(law(webhooks), { seed: 1, numRuns: 100, endOnFailure: true });
    if (failed) broken.push(name);
  }
  return broken;
}

function outcomes(laws: ReadonlyMap<string, unknown>, broken: readonly string[]): string {
  const list = (isBroken: boolean) =>
    [...laws.keys()]
      .filter((name) => broken.includes(name) === isBroken)
      .map((name) => `  ${name}`);
  return [`breaks ${broken.length} of ${laws.size}:`, ...list(true), "keeps:", ...list(false)].join(
    "\n",
  );
}

/** Returns the output of fast-check, with the path to the case truncated. */
async function report<Subject>(
  laws: Laws<Subject>,
  name: string,
  subject: Subject,
): Promise<string> {
  const law = laws.get(name);
  if (law === undefined) throw new Error(`there is no law ${name}`);
  const printed = await fc.asyncDefaultReportMessage(await fc.check(law(subject), { seed: 1 }));
  if (printed === undefined) throw new Error(`${name} finds nothing`);
  return printed.replace(/path: "([\d:]{20})[\d:]+"/, 'path: "$1…"').split("\n\nHint")[0] ?? "";
}
