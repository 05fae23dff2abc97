import { expect, it } from "vitest";
import { withUndefined } from "./optional-members.mjs";

it.each([
  ["interface A { b?: string; }", "interface A { b?: string | undefined; }"],
  ["interface A { b?: () => void }", "interface A { b?: (() => void) | undefined }"],
  [
    "interface A { b?: B extends C ? 1 : 2 }",
    "interface A { b?: (B extends C ? 1 : 2) | undefined }",
  ],
  ["interface A { b?: { c?: 1 }[] }", "interface A { b?: { c?: 1 | undefined }[] | undefined }"],
  ["type A = { [K in B]?: C }", "type A = { [K in B]?: C | undefined }"],
  ["type A = Partial<B<C>>", "type A = { [Key in keyof B<C>]?: B<C>[Key] | undefined }"],
  ["type A = Partial<Record<B, C>>", "type A = Partial<Record<B, C | undefined>>"],
  ["interface A { b?(c: 1): void; }", 'interface A { b?: { b(c: 1): void }["b"] | undefined; }'],
])("withUndefined adds undefined to the optional members of %j", (text, expected) => {
  expect(withUndefined(text)).toBe(expected);
});

it.each([
  "interface A { b: string; c?: string | undefined; d?: unknown; e?: any }",
  "type A = { [K in B]-?: C }",
  "/** b?: string */\ndeclare function a(b?: string): void;",
])("withUndefined does not change %j", (text) => {
  expect(withUndefined(text)).toBe(text);
});
