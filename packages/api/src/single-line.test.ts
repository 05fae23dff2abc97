import { expect, it } from "vitest";
import { toSingleLine } from "./single-line.ts";

it("toSingleLine removes terminal control sequences and joins lines", () => {
  expect(toSingleLine("\u001b[1;31mpull failed\u001b[0m:\r\n\tHTTP 401\u0000\n")).toBe(
    "pull failed: HTTP 401",
  );
});

it("toSingleLine keeps brackets without an escape character, and escapes characters that reverse text", () => {
  expect(toSingleLine("a\n[31m b\u202e")).toBe("a [31m b\\u202e");
});
