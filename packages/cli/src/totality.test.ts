import { readFileSync } from "node:fs";
import { runs } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readYamlDocuments } from "./input/yaml-documents.ts";
import { ran } from "./testing.ts";

const examples = new URL("../../../examples/", import.meta.url);
const shipped = readFileSync(new URL("leader-worker/jobset.yaml", examples), "utf8");
const jobSet = readYamlDocuments(shipped)[0]?.value;
const cluster = readFileSync(new URL("leader-pending/cluster.yaml", examples), "utf8");
const follower = readYamlDocuments(
  readFileSync(new URL("leader-pending/follower.yaml", examples), "utf8"),
)[0]?.value;

/** Every place in a JSON value, as the steps that lead to it. */
function* placesIn(value: unknown, steps: readonly string[] = []): Generator<readonly string[]> {
  yield steps;
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* placesIn(member, [...steps, name]);
}

/** The value with another one in a place. */
function replaced(value: unknown, [step, ...steps]: readonly string[], other: unknown): unknown {
  if (step === undefined) return other;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[step] = replaced(copy[step], steps, other);
  return copy;
}

/** Runs the commands on a file: none may have a defect to report, and only the good may be printed. */
async function expectAnAnswer(content: string): Promise<void> {
  for (const args of [
    ["render", "-f", "-"],
    ["render", "-f", "-", "-o", "table"],
    ["names", "-f", "-", "-o", "json"],
  ]) {
    const { exitCode, out, error } = await answered(args, content);
    if (exitCode !== 0) {
      expect(out).toBe("");
      expect(error).toMatch(/^<stdin>(?::\d+:\d+)?: .+\n/);
    }
  }
  for (const args of [
    ["admit", "-f", "-"],
    ["admit", "-f", "-", "--old", "shipped.yaml", "-o", "json"],
    ["admit", "-f", "shipped.yaml", "--old", "-", "-o", "json"],
    ["admit", "-f", "shipped.yaml", "--cluster", "-", "-o", "yaml"],
    ["diff", "shipped.yaml", "-"],
    ["diff", "-", "shipped.yaml", "-o", "json"],
    ["plan", "-f", "-", "-o", "json"],
    ["status", "-f", "-"],
  ]) {
    const { exitCode, out, error } = await answered(args, content);
    if (exitCode !== 0) expect(out + error).not.toBe("");
    if (args.includes("json") && exitCode !== 2 && out !== "") JSON.parse(out);
  }
}

async function answered(args: readonly string[], stdin: string) {
  const result = await ran(args, { stdin, files: { "shipped.yaml": shipped } });
  expect([0, 1, 2]).toContain(result.exitCode);
  expect(result.error).not.toMatch(/internal error|^\s+at /m);
  return result;
}

/** Runs jobset admit on a Pod, with a cluster in which its leader is. */
async function expectAReview(pod: unknown): Promise<void> {
  const { exitCode, out } = await ran(["admit", "-f", "-", "--cluster", "c.yaml", "-o", "json"], {
    stdin: JSON.stringify(pod),
    files: { "c.yaml": cluster },
  });
  expect([0, 1, 2]).toContain(exitCode);
  if (exitCode === 2) return;
  const { results } = JSON.parse(out) as { results: { allowed: boolean }[] };
  expect(results.map(({ allowed }) => allowed)).toEqual([exitCode === 0]);
}

// A number of Pods that is large and valid would be answered with all their names, in time.
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

describe("every file is answered, and none with a defect of ours", () => {
  it("whatever stands in one place of a JobSet", async () => {
    const place = fc.constantFrom(...placesIn(jobSet));
    await fc.assert(
      fc.asyncProperty(place, hostile, (steps, value) =>
        expectAnAnswer(JSON.stringify(replaced(jobSet, steps, value))),
      ),
      { numRuns: runs(40) },
    );
  });

  it("whatever stands in one place of a Pod", async () => {
    const place = fc.constantFrom(...placesIn(follower));
    await fc.assert(
      fc.asyncProperty(place, hostile, (steps, value) =>
        expectAReview(replaced(follower, steps, value)),
      ),
      { numRuns: runs(40) },
    );
  });

  it("whatever is cut out of it or written into it", async () => {
    const offset = fc.nat(shipped.length);
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
        expectAnAnswer(shipped.slice(0, start) + text + shipped.slice(start + length)),
      ),
      { numRuns: runs(30) },
    );
  });
});
