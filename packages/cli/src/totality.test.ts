import { readFileSync } from "node:fs";
import { runs } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readYamlDocuments } from "./input/yaml-documents.ts";
import { ran } from "./testing.ts";

const shipped = readFileSync(
  new URL("../../../examples/leader-worker/jobset.yaml", import.meta.url),
  "utf8",
);
const jobSet = readYamlDocuments(shipped)[0]?.value;

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

/** Runs both commands on a file: neither may have a defect to report, and only the good may be printed. */
async function expectAnAnswer(content: string): Promise<void> {
  for (const args of [
    ["render", "-f", "-"],
    ["render", "-f", "-", "-o", "table"],
    ["names", "-f", "-", "-o", "json"],
  ]) {
    const { exitCode, out, error } = await ran(args, { stdin: content });
    expect([0, 1, 2]).toContain(exitCode);
    expect(error).not.toMatch(/internal error|^\s+at /m);
    if (exitCode !== 0) {
      expect(out).toBe("");
      expect(error).toMatch(/^<stdin>(?::\d+:\d+)?: .+\n/);
    }
  }
}

describe("every file is answered, and none with a defect of ours", () => {
  it("whatever stands in one place of a JobSet", async () => {
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
    const place = fc.constantFrom(...placesIn(jobSet));
    await fc.assert(
      fc.asyncProperty(place, hostile, (steps, value) =>
        expectAnAnswer(JSON.stringify(replaced(jobSet, steps, value))),
      ),
      { numRuns: runs(100) },
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
      { numRuns: runs(60) },
    );
  });
});
