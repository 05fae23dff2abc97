// That the laws find what is wrong with the naive controller and webhooks, in words that the README shows.
// `npx vitest run examples/property-tests --update` writes what the README shows anew.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { podAdmissionLaws } from "@jobset-ts/testing/admission";
import { type Laws, reconcileLaws } from "@jobset-ts/testing/reconcile";
import { build } from "esbuild";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectBlocks } from "../../../docs/testing/held-blocks.ts";
import { reconcile } from "./controller.ts";
import { mutatePod, validatePod } from "./webhook.ts";

const folder = dirname(fileURLToPath(import.meta.url));
const readme = join(dirname(folder), "README.md");
const webhooks = { mutate: mutatePod, validate: validatePod };

it("its README shows which laws are broken, and how", async () => {
  await expectBlocks(readme, readFileSync(readme, "utf8"), {
    "laws of the controller": await verdicts(reconcileLaws, reconcile),
    "a counterexample of the controller": await report(
      reconcileLaws,
      "deletionsWaitForPods",
      reconcile,
    ),
    "laws of the webhooks": await verdicts(podAdmissionLaws, webhooks),
    "a counterexample of the webhooks": await report(
      podAdmissionLaws,
      "pendingLeadersAreNotMasked",
      webhooks,
    ),
  });
});

/** Which laws are broken and which are kept. */
async function verdicts<Subject>(laws: Laws<Subject>, subject: Subject): Promise<string> {
  const broken: string[] = [];
  for (const [name, law] of laws) {
    const { failed } = await fc.check(law(subject), { seed: 1, endOnFailure: true });
    if (failed) broken.push(name);
  }
  const kept = [...laws.keys()].filter((name) => !broken.includes(name));
  const list = (names: readonly string[]) => names.map((name) => `  ${name}`);
  return [
    `breaks ${broken.length} of ${laws.size}:`,
    ...list(broken),
    "keeps:",
    ...list(kept),
  ].join("\n");
}

/** What fast-check prints, with the path cut that leads to the case. */
async function report<Subject>(
  laws: Laws<Subject>,
  name: string,
  subject: Subject,
): Promise<string> {
  const law = laws.get(name);
  if (law === undefined) throw new Error(`there is no law ${name}`);
  const printed = await fc.asyncDefaultReportMessage(await fc.check(law(subject), { seed: 1 }));
  return (
    (printed ?? "").replace(/path: "([\d:]{0,20})[\d:]*"/, 'path: "$1…"').split("\n\nHint")[0] ?? ""
  );
}

describe("one loop makes a test of each law", () => {
  it("with node:test", async () => {
    const { status, stdout } = await runWithNode(
      "controller.node.ts",
      "^(madeObjectsBelongToTheJobSet|jobSetsStayAsTheyAre)$",
    );
    expect(stdout).toMatch(/^not ok \d+ - madeObjectsBelongToTheJobSet$/m);
    expect(stdout).toMatch(/^ok \d+ - jobSetsStayAsTheyAre$/m);
    expect(stdout).toContain("create Service train: metadata.ownerReferences[train-uid]");
    expect(status).toBe(1);
  });

  it("with vitest", () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        join(folder, "../../../node_modules/vitest/vitest.mjs"),
        ...["run", "--config", join(dirname(folder), "vitest.config.ts"), "--reporter", "json"],
        ...["-t", "(pendingLeadersAreNotMasked|mutatingAgainChangesNothing)"],
      ],
      { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
    );
    const { testResults } = JSON.parse(stdout);
    const results: { title: string; status: string; failureMessages: string[] }[] =
      testResults.flatMap(({ assertionResults }: { assertionResults: [] }) => assertionResults);
    const found = (title: string) => results.find((one) => one.title === title);
    expect(found("mutatingAgainChangesNothing")?.status).toBe("passed");
    expect(found("pendingLeadersAreNotMasked")?.status).toBe("failed");
    expect(found("pendingLeadersAreNotMasked")?.failureMessages[0]).toContain(
      "refuses it: follower pod node selector not set",
    );
    expect(status).toBe(1);
  });
});

/** Runs a file by `node --test`, bundled, since the workspace's packages are TypeScript and unbuilt. */
async function runWithNode(file: string, pattern: string) {
  const made = mkdtempSync(join(folder, "../../../node_modules/.cache/property-tests-"));
  const outfile = join(made, "controller.test.mjs");
  try {
    await build({
      entryPoints: [join(folder, file)],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["@jobset-ts/source"],
      logLevel: "error",
    });
    const args = ["--test", "--test-reporter=tap", `--test-name-pattern=${pattern}`, outfile];
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(process.execPath, args, { encoding: "utf8", env });
  } finally {
    rmSync(made, { recursive: true });
  }
}
