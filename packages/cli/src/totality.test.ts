import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/src/testing/runs.ts";
import { readYamlDocuments } from "./input/yaml-documents.ts";
import { runCommand } from "./testing.ts";

const examples = new URL("../../../examples/", import.meta.url);
const exampleJobSets = readFileSync(new URL("leader-worker/jobset.yaml", examples), "utf8");
const jobSet = readYamlDocuments(exampleJobSets)[0]?.value;
/** The same JobSet as JSON, which is much faster to read. */
const shippedAsJson = JSON.stringify(jobSet);
const cluster = JSON.stringify(readListFile("leader-pending/cluster.yaml"));
const follower = readYamlDocuments(
  readFileSync(new URL("leader-pending/follower.yaml", examples), "utf8"),
)[0]?.value;

/** A cluster in the middle of a restart: a JobSet with a status, and its Jobs. */
const dump = readListFile("restart/cluster.yaml");
const statusAt = [...listPaths(dump)].find((steps) => steps.at(-1) === "status") ?? [];

/** Returns the documents of an example as one list. */
function readListFile(file: string) {
  const documents = readYamlDocuments(readFileSync(new URL(file, examples), "utf8"));
  return { apiVersion: "v1", kind: "List", items: documents.map(({ value }) => value) };
}

/** Yields every path in a JSON value. */
function* listPaths(value: unknown, steps: readonly string[] = []): Generator<readonly string[]> {
  yield steps;
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* listPaths(member, [...steps, name]);
}

/** Returns the value with another value at a path. */
function replaceAt(value: unknown, [step, ...steps]: readonly string[], other: unknown): unknown {
  if (step === undefined) return other;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[step] = replaceAt(copy[step], steps, other);
  return copy;
}

/** Runs the commands on a file. Expects no internal error, and output only for valid input. */
async function expectReview(content: string): Promise<void> {
  for (const args of [
    ["render", "-f", "-"],
    ["render", "-f", "-", "-o", "table"],
    ["names", "-f", "-", "-o", "json"],
  ]) {
    const { exitCode, out, error } = await runAndCheck(args, content);
    if (exitCode !== 0) {
      expect(args.includes("json") ? (JSON.parse(out) as { items: [] }).items : out).toHaveLength(
        0,
      );
      expect(error).toMatch(/^<stdin>(?::\d+:\d+)?: .+\n/);
    }
  }
  for (const args of [
    ["admit", "-f", "-"],
    ["admit", "-f", "-", "--old", "shipped.json", "-o", "json"],
    ["admit", "-f", "shipped.json", "--old", "-", "-o", "json"],
    ["admit", "-f", "shipped.json", "--cluster", "-", "-o", "yaml"],
    ["diff", "shipped.json", "-"],
    ["diff", "-", "shipped.json", "-o", "json"],
    ["plan", "-f", "-", "-o", "json"],
    ["status", "-f", "-"],
    ["names", "-f", "-", "--budget", "-o", "json"],
    ["kueue", "podsets", "-f", "-", "-o", "json"],
    ["explain", "-f", "-"],
    ["top", "-f", "-", "-o", "json"],
    ["verify", "-f", "-", "-o", "yaml"],
    ["census", "-f", "-", "-o", "json"],
    ["what-if", "-f", "-", "pretrain", "--fail", "pretrain-leader-0", "-o", "json"],
  ]) {
    const { exitCode, out, error } = await runAndCheck(args, content);
    if (exitCode !== 0) expect(out + error).not.toBe("");
    if (args.includes("json")) JSON.parse(out);
  }
}

async function runAndCheck(args: readonly string[], stdin: string) {
  const result = await runCommand(args, { stdin, files: { "shipped.json": shippedAsJson } });
  expect([0, 1, 2]).toContain(result.exitCode);
  expect(result.error).not.toMatch(/^jobset: internal error|^\s+at /m);
  return result;
}

/** Runs jobset admit on a Pod, with a cluster that contains its leader. */
async function expectPodReview(pod: unknown): Promise<void> {
  const { exitCode, out } = await runCommand(
    ["admit", "-f", "-", "--cluster", "c.json", "-o", "json"],
    {
      stdin: JSON.stringify(pod),
      files: { "c.json": cluster },
    },
  );
  expect([0, 1, 2]).toContain(exitCode);
  if (exitCode === 2) return;
  const { items } = JSON.parse(out) as { items: { allowed: boolean }[] };
  expect(items.map(({ allowed }) => allowed)).toEqual([exitCode === 0]);
}

// For a large valid number of Pods, the command would print all their names, which takes too long.
const isMany = (value: unknown) =>
  Number.isInteger(value) && (value as number) > 1000 && (value as number) < 2 ** 31;
const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).filter((value) => !isMany(value)),
  fc.constantFrom<unknown>(
    null,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e300,
    "",
    "x".repeat(300),
    {},
    [],
    [null],
  ),
);

describe("arbitrary files never cause an internal error", () => {
  it("cost handles a JobSet with a corrupted member", async () => {
    const place = fc.constantFrom(...listPaths(jobSet));
    await fc.assert(
      fc.asyncProperty(place, hostile, async (steps, value) => {
        const changed = JSON.stringify(replaceAt(jobSet, steps, value));
        const { exitCode, out, error } = await runAndCheck(["cost", "-f", "-"], changed);
        expect(exitCode === 0 ? out : error).not.toBe("");
      }),
      { numRuns: runs(3, 80) }, // Each case runs six times.
    );
  });

  it("commands handle any value at any path of a JobSet", async () => {
    const place = fc.constantFrom(...listPaths(jobSet));
    await fc.assert(
      fc.asyncProperty(place, hostile, (steps, value) =>
        expectReview(JSON.stringify(replaceAt(jobSet, steps, value))),
      ),
      { numRuns: runs(3, 400) },
    );
  });

  it("admit handles any value at any path of a Pod", async () => {
    const place = fc.constantFrom(...listPaths(follower));
    await fc.assert(
      fc.asyncProperty(place, hostile, (steps, value) =>
        expectPodReview(replaceAt(follower, steps, value)),
      ),
      { numRuns: runs(8, 200) },
    );
  });

  it("commands handle a manifest with text removed or inserted", async () => {
    const offset = fc.nat(exampleJobSets.length);
    const written = fc.oneof(
      fc.string({ unit: "binary", maxLength: 5 }),
      fc.constantFrom(
        "- ",
        ": ",
        "{",
        "]",
        "&a ",
        "*a",
        "<<: ",
        "\t",
        "\n",
        "|",
        "!!int ",
        "---\n",
        "'",
        "%",
      ),
    );
    await fc.assert(
      fc.asyncProperty(offset, fc.nat(80), written, (start, length, text) =>
        expectReview(exampleJobSets.slice(0, start) + text + exampleJobSets.slice(start + length)),
      ),
      { numRuns: runs(4, 300) },
    );
  });
});

/** The command lines of all commands in all formats, with `-` as the file. */
const commandLines = [
  ["render", "-f", "-", "-o", "yaml|json|table|name"],
  ["names", "-f", "-", "-o", "yaml|json|table|name"],
  ["plan", "-f", "-", "-o", "yaml|json|table"],
  ["status", "-f", "-", "-o", "yaml|json|table"],
  ["admit", "-f", "-", "-o", "yaml|json|table"],
  ["admit", "-f", "shipped.json", "--old", "-", "-o", "yaml|json|table"],
  ["admit", "-f", "follower.json", "--cluster", "-", "-o", "yaml|json|table"],
  ["diff", "shipped.json", "-", "-o", "yaml|json|table"],
  ["diff", "-", "-", "-o", "table"],
  ["explain", "-f", "-", "-o", "json|table|yaml"],
  ["verify", "-f", "-", "-o", "table"],
  ["census", "-f", "-", "-o", "table"],
  ["kueue", "podsets", "-f", "-", "-o", "table"],
].flatMap((args) => (args.at(-1) ?? "").split("|").map((format) => [...args.slice(0, -1), format]));

/** Runs every command on a file. Expects no internal error, and no control characters of a terminal in the output. */
async function expectPrintableOutput(content: string): Promise<void> {
  const files = { "shipped.json": shippedAsJson, "follower.json": JSON.stringify(follower) };
  for (const args of commandLines) {
    const { exitCode, out, error } = await runCommand(args, { stdin: content, files });
    const found = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.exec(out + error)?.[0];
    expect({
      args,
      exitCode: exitCode < 3,
      found,
      error: /^jobset: internal error/m.exec(error),
    }).toEqual({
      args,
      exitCode: true,
      found: undefined,
      error: null,
    });
  }
}

const controlCharacters = fc
  .array(
    fc.constantFrom(
      "\u001b[2J",
      "\u009b31m",
      "\r",
      "\n",
      "\t",
      "\b",
      "\u007f",
      "\u0085",
      "\u202e",
      "\u200f",
      "\u2028",
      "\u00ad",
      "\ufeff",
      "\ud800",
      "\u{e0001}",
      "a",
      "- #: ",
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(""));

/** Returns the value with another name for the last step of a path. */
function renameAt(value: unknown, steps: readonly string[], name: string): unknown {
  const parent = steps
    .slice(0, -1)
    .reduce((at, step) => (at as Record<string, unknown>)[step], value);
  if (steps.length === 0 || Array.isArray(parent)) return value;
  const { [steps.at(-1) ?? ""]: member, ...others } = parent as Record<string, unknown>;
  return replaceAt(value, steps.slice(0, -1), { ...others, [name]: member });
}

describe("output never contains control characters of a file", () => {
  it.each([
    ["a JobSet", jobSet],
    ["a dump of a cluster", dump],
    ["a Pod", follower],
  ])("control characters are escaped in %s", async (_, value) => {
    const place = fc.constantFrom(...listPaths(value));
    await fc.assert(
      fc.asyncProperty(place, controlCharacters, fc.boolean(), async (steps, text, isName) => {
        const changed = isName ? renameAt(value, steps, text) : replaceAt(value, steps, text);
        await expectPrintableOutput(JSON.stringify(changed));
      }),
      { numRuns: runs(3, 100) },
    );
  });

  it("control characters are escaped in the name and the status of a JobSet", async () => {
    const jobSetAt = statusAt.slice(0, -1);
    const names = ["name", "namespace"].map((name) => [...jobSetAt, "metadata", name]);
    const inStatus = [...listPaths(dump)].filter((steps) =>
      statusAt.every((step, at) => steps[at] === step),
    );
    for (const steps of [...names, ...inStatus]) {
      const stdin = JSON.stringify(replaceAt(dump, steps, "\u001b[2J\u009b1m\r\n\u202e"));
      for (const command of ["status", "plan", "admit", "names"]) {
        const { exitCode, out, error } = await runCommand([command, "-f", "-"], { stdin });
        expect(exitCode).toBeLessThan(3);
        expect(out + error).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }
    }
  });

  it("control characters of any kind are escaped", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), (text) => expectPrintableOutput(text)),
      { numRuns: runs(3, 100) },
    );
  });

  it("control characters are escaped in names of files and commands", async () => {
    for (const args of [
      ["render", "-f", "\u001b[2J"],
      ["\u001b[2J"],
      ["plan", "-f", "a\nb\u009b"],
    ]) {
      const { exitCode, error } = await runCommand(args);
      expect(exitCode).toBe(2);
      expect(error).toMatch(/^[^\p{Cc}]+\n$/u);
    }
  });
});

describe("a status that no server has checked", () => {
  it.each(
    [
      "x",
      5,
      [],
      { conditions: "x", replicatedJobsStatus: 5 },
      { conditions: [null, 5, { type: { toString: 1 }, message: ["m"] }] },
      { replicatedJobsStatus: [null, "x", { name: null, ready: { toString: 1 } }] },
      { restarts: { valueOf: 1 }, terminalState: { toString: null } },
      { restarts: { toString: 1, valueOf: null }, restartsCountTowardsMax: 1 },
      { replicatedJobsStatus: [{ name: "leader", ready: { toString: 1, valueOf: null } }] },
    ].map((status) => ({ status })),
  )("status prints an unchecked status unchanged: $status", async ({ status }) => {
    await expectPrintableOutput(JSON.stringify(replaceAt(dump, statusAt, status)));
    const { exitCode, out } = await runCommand(["status", "-f", "-"], {
      stdin: JSON.stringify(replaceAt(dump, statusAt, status)),
    });
    expect({ exitCode, out }).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^NAMESPACE /),
    });
  });

  it("status prints an arbitrary status", async () => {
    const conditions = fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 });
    const any = fc.oneof(
      hostile,
      fc.record({ conditions, replicatedJobsStatus: conditions, restarts: hostile }),
    );
    await fc.assert(
      fc.asyncProperty(any, (status) =>
        expectPrintableOutput(JSON.stringify(replaceAt(dump, statusAt, status))),
      ),
      { numRuns: runs(3, 100) },
    );
  });
});
