// Checks that the catalog contains every law. `npx vitest run docs/laws --update` rewrites it.
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

/** The groups of laws: the name, the entry point, the laws, their topic and their subject. */
// biome-ignore format: a line for each
const bundles: readonly (readonly [name: string, entry: string, laws: ReadonlyMap<string, LawText>, about: string, subject: string])[] = [
  ["reconcileLaws", "reconcile", reconcileLaws, "Requirements for a JobSet controller.", "a `ControllerSubject`: a function that runs one pass over one JobSet with a client. `createRequestController` and `createPlanController` create one."],
  ["historyLaws", "histories", historyLaws, "Requirements for the whole life of JobSets, including faults.", "the same. It is called repeatedly in a simulated cluster."],
  ["placementLaws", "placement", placementLaws, "Requirements for a controller that keeps the Pods of a Job in the topology domain of their leader.", "a `ControllerSubject` whose passes reconcile one leader Pod. `createPlacementController` creates one."],
  ["podAdmissionLaws", "admission", podAdmissionLaws, "Requirements for the two webhooks for Pods with exclusive placement.", "`Webhooks`, `{ mutate, validate }`, two functions from an AdmissionReview and the cluster to an AdmissionReview. `webhooksFromFunctions`, `webhooksFromReview`, `webhookFromHandler` and `webhookAtUrl` create them."],
  ["jobSetAdmissionLaws", "admission", jobSetAdmissionLaws, "Requirements for the two webhooks for JobSets.", "`Webhooks`, as for Pods."],
];

it("the catalog contains every law and its related issues", async () => {
  const count = bundles.reduce((sum, [, , laws]) => sum + laws.size, 0);
  const lines = [
    "# Laws",
    "",
    `A law is a property test: it searches for a case in which your program violates a requirement of JobSet. There are ${count} laws.`,
    "[@jobset-ts/testing](../packages/testing/README.md) describes how to test your program with them. They find the mistakes of a",
    "[naive controller](../examples/property-tests/README.md). The last column lists JobSet issues that a law would have found.",
    "To update this page, run `npx vitest run docs/laws --update`. It contains the descriptions in the laws.",
    ...bundles.flatMap(([name, entry, laws, about, subject]) => [
      "",
      `## ${name}`,
      "",
      `${about} Import them from \`@jobset-ts/testing/${entry}\`. The subject is ${subject}`,
      "",
      "| Law | Requirement | Related issues |",
      "| --- | --- | --- |",
      ...[...laws].map(
        ([law, text]) => `| \`${law}\` | ${cell(text.sentence)} | ${formatDefects(text)} |`,
      ),
    ]),
    "",
  ];
  await expect(lines.join("\n")).toMatchFileSnapshot(page);
});

it("the README of @jobset-ts/testing shows the printed counterexample", async () => {
  // The subject in the preceding code block.
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

it("each law describes its requirement in one sentence", () => {
  const sentences = bundles.flatMap(([, , laws]) => [...laws.values()].map((law) => law.sentence));
  expect(sentences.filter((sentence) => !/^\w.*\.$/.test(sentence))).toEqual([]);
});

function formatDefects({ defects }: LawText): string {
  return defects
    .map((one) => `[${one}](https://github.com/kubernetes-sigs/jobset/issues/${one.slice(1)})`)
    .join(", ");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
