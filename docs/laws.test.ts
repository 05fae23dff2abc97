// That the catalogue tells of every law. `npx vitest run docs/laws --update` writes it anew.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { jobSetAdmissionLaws, podAdmissionLaws } from "../packages/testing/src/admission.ts";
import { historyLaws } from "../packages/testing/src/histories.ts";
import type { LawText } from "../packages/testing/src/laws/law.ts";
import { placementLaws } from "../packages/testing/src/placement.ts";
import { createRequestController, reconcileLaws } from "../packages/testing/src/reconcile.ts";
import { expectBlocks } from "./testing/held-blocks.ts";

const page = join(dirname(fileURLToPath(import.meta.url)), "laws.md");
const readme = join(dirname(page), "..", "packages", "testing", "README.md");

/** The bundles: a name, its entry, its laws, what it is about and what a subject is. One line is one more. */
// biome-ignore format: a line for each
const bundles: readonly (readonly [name: string, entry: string, laws: ReadonlyMap<string, LawText>, about: string, subject: string])[] = [
  ["reconcileLaws", "reconcile", reconcileLaws, "What a controller of JobSets does.", "a `Controller`, called for one pass over one JobSet with a client and the pass; `createRequestController` and `controllerOfPlans` make one."],
  ["historyLaws", "histories", historyLaws, "What becomes of JobSets over their lives, whatever goes wrong on the way.", "the same; it is called again and again in a simulated cluster."],
  ["placementLaws", "placement", placementLaws, "What keeps the Pods of a Job in the topology domain of their leader.", "a `Controller` as well, whose passes are about one leader Pod; `createPlacementController` makes one."],
  ["podAdmissionLaws", "admission", podAdmissionLaws, "What the two webhooks for Pods do under exclusive placement.", "`Webhooks`, `{ mutate, validate }`, each from an AdmissionReview and the cluster to an AdmissionReview; `webhooksFromFunctions`, `webhooksFromReview`, `webhookFromHandler` and `webhookAtUrl` make them."],
  ["jobSetAdmissionLaws", "admission", jobSetAdmissionLaws, "What the two webhooks for JobSets do.", "`Webhooks`, as for Pods."],
];

it("the catalogue tells of every law, and what each would have caught", async () => {
  const count = bundles.reduce((sum, [, , laws]) => sum + laws.size, 0);
  const lines = [
    "# The laws",
    "",
    `${count} laws of JobSet, each a property that looks for a case in which a program breaks it. What a program is to them, and how`,
    "to hold yours to them, is in [@jobset-ts/testing](../packages/testing/README.md); they find the mistakes of a",
    "[naive controller](../examples/property-tests/README.md). A number is a defect that JobSet had or has, and that the law would",
    "have caught. This page is written by `npx vitest run docs/laws --update`, from what the laws say of themselves.",
    ...bundles.flatMap(([name, entry, laws, about, subject]) => [
      "",
      `## ${name}`,
      "",
      `${about} From \`@jobset-ts/testing/${entry}\`. Its subject is ${subject}`,
      "",
      "| law | what holds | would have caught |",
      "| --- | --- | --- |",
      ...[...laws].map(
        ([law, text]) => `| \`${law}\` | ${cell(text.sentence)} | ${caught(text)} |`,
      ),
    ]),
    "",
  ];
  await expect(lines.join("\n")).toMatchFileSnapshot(page);
});

it("the README of the laws shows a counterexample as it is printed", async () => {
  // The subject of the block above it.
  const subject = createRequestController((objects) =>
    objects
      .filter((object) => object.kind === "Job" && JSON.stringify(object).includes('"Failed"'))
      .map(({ kind, metadata: { name } }) => ({
        verb: "delete" as const,
        object: { kind, metadata: { name } },
        propagationPolicy: "Foreground" as const,
      })),
  );
  const law = reconcileLaws.get("jobsAreDeletedWhenDue");
  if (law === undefined) throw new Error("there is no such law");
  const { counterexample } = await fc.check(law(subject), { seed: 3 });
  const printed = fc.stringify(counterexample);
  await expectBlocks(readme, readFileSync(readme, "utf8"), {
    "a counterexample": printed.replace(/^\[\n|\n\]$/g, ""),
  });
});

it("each law says in one sentence what holds", () => {
  const sentences = bundles.flatMap(([, , laws]) => [...laws.values()].map((law) => law.sentence));
  expect(sentences.filter((sentence) => !/^\w.*\.$/.test(sentence))).toEqual([]);
});

function caught({ defects }: LawText): string {
  return defects
    .map((one) => `[${one}](https://github.com/kubernetes-sigs/jobset/issues/${one.slice(1)})`)
    .join(", ");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
