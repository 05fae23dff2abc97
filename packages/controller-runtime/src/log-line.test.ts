import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { unusableValues } from "../../testing/src/arbitraries/hostile-values.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import { logLine, writeLine } from "./log-line.ts";

/** Returns the output of `writeLine` without the line break. */
function writeForTest(message: string, data: object = {}): string {
  const write = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => write.mockRestore());
  writeLine(logLine("info", message, data));
  return String(write.mock.calls.at(-1)?.[0]);
}

const MAX_BYTES = 16 * 1024;
const toBytes = (text: string) => Buffer.byteLength(`${text}\n`);

describe("writeLine", () => {
  it("writeLine escapes terminal control characters in values and names", () => {
    const orders =
      "\u0000\n\u001b[2J\u0085\u009b1m\u202e\u2066\u200b\u00ad\ufeff\u2028\u{e0001}\ud800";
    const text = writeForTest(orders, { name: orders, [orders]: [{ [orders]: orders }] });
    expect(text).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u);
    const { time: _, ...line } = JSON.parse(text);
    expect(line).toEqual({
      level: "info",
      message: orders,
      name: orders,
      [orders]: [{ [orders]: orders }],
    });
  });

  it("writeLine writes a short line unchanged", () => {
    const data = {
      roots: [{ id: "a", evidence: [{ object: { name: "n" }, text: "x".repeat(6000) }] }],
    };
    const { time: _, ...line } = JSON.parse(writeForTest("no", data));
    expect(line).toEqual({ level: "info", message: "no", ...data });
  });

  it.each([
    ["a long message", "x".repeat(100_000), {}, ["message"]],
    ["a long list", "m", { roots: Array.from({ length: 5000 }, (_, at) => ({ at })) }, ["roots"]],
    ["a long text in a list", "m", { roots: [{ text: "é".repeat(50_000) }] }, ["roots[0].text"]],
    ["a deeply nested value", "m", { name: unusableValues.find(isDeep) }, ["name"]],
    ["a text that is all escapes", "m", { name: "\u0001".repeat(9000) }, ["name"]],
  ])("writeLine truncates %s and reports it", (_, message, data, paths) => {
    const text = writeForTest(message, data);
    expect(toBytes(text)).toBeLessThanOrEqual(MAX_BYTES);
    const { cut } = JSON.parse(text) as { cut: readonly string[] };
    expect(cut.map((path) => paths.find((start) => path.startsWith(start)))).toEqual(
      cut.map(() => paths[0]),
    );
    expect(cut.length).toBeGreaterThan(0);
  });

  it("writeLine writes valid JSON of at most 16 KB for any input", () => {
    const text = fc.string({ unit: "binary", maxLength: 9000, size: "max" });
    const part = fc.oneof(
      text,
      fc.constantFrom<unknown>(...unusableValues, 1n, () => 1, Symbol("s"), new Date(Number.NaN)),
      fc.array(text, { maxLength: 10, size: "max" }),
      fc.dictionary(text, text, { maxKeys: 10, size: "max" }),
    );
    const property = fc.property(
      text,
      fc.dictionary(text, part, { maxKeys: 10 }),
      (message, data) => {
        const line = writeForTest(message, data);
        expect(toBytes(line)).toBeLessThanOrEqual(MAX_BYTES);
        expect(JSON.parse(line)).toHaveProperty("time");
      },
    );
    fc.assert(property, { numRuns: runs(25), endOnFailure: true });
  });
});

function isDeep(value: unknown): boolean {
  let part = value;
  for (let level = 0; level < 1_000; level++) {
    part = typeof part === "object" && part !== null ? Object.values(part)[0] : undefined;
  }
  return part !== undefined;
}
