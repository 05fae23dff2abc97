import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ArgumentKind, neverThrows } from "./never-throws.ts";

const anything: ArgumentKind = { anything: fc.record({ name: fc.constant("train") }) };
const typed: ArgumentKind = { typed: fc.record({ name: fc.constant("train") }) };

// biome-ignore lint/suspicious/noExplicitAny: the value is unvalidated on purpose
type Unchecked = any;
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
let calls = 0;

describe("neverThrows", () => {
  it.each<[string, (value: Unchecked) => unknown, ArgumentKind]>([
    ["may give the value back", (value) => value, anything],
    ["may rely on a type", (value) => value.name.length, typed],
    ["may promise", async (value) => typeof value, anything],
  ])("neverThrows accepts a function that %s", async (_, subject, kind) => {
    await fc.assert(neverThrows(subject, [kind]));
  });

  it.each<[string, (value: Unchecked) => unknown, string]>([
    ["throws", (value) => value.name, "Cannot read"],
    ["rejects", async (value) => value.name, "Cannot read"],
    ["needs what is missing", (...values: unknown[]) => values[0] ?? throwMissing(), "not there"],
    ["answers otherwise the second time", () => ++calls, "another"],
    ["changes", (value) => void (isObject(value) && Reflect.set(value, "a", 1)), "has changed"],
    ["freezes", (value) => void (isObject(value) && Object.freeze(value)), "been frozen"],
  ])("neverThrows rejects a function that %s", async (_, subject, why) => {
    const { failed, errorInstance } = await fc.check(neverThrows(subject, [anything]));
    expect([failed, String(errorInstance)]).toEqual([true, expect.stringContaining(why)]);
  });

  it("neverThrows varies the number of trailing unvalidated arguments", async () => {
    const counts = new Set<number>();
    const count = (...values: unknown[]) => void counts.add(values.length);
    await fc.assert(neverThrows(count, [anything, typed, anything, anything]));
    expect([...counts].sort()).toEqual([2, 3, 4]);
  });
});

function throwMissing(): never {
  throw new Error("not there");
}
