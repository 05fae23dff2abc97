import { describe, expect, it } from "vitest";
import { type Diagnostic, formatDiagnostics, MAX_SHOWN } from "./diagnostics.ts";

const error: Diagnostic = {
  severity: "error",
  file: "train.yaml",
  position: { line: 12, column: 7 },
  field: "spec.replicatedJobs[0].replicas",
  message: "Invalid value: -1",
};

describe("formatDiagnostics", () => {
  it("formatDiagnostics writes file, line, column, field and message in a format that editors recognize", () => {
    expect(formatDiagnostics([error], false)).toBe(
      "train.yaml:12:7: spec.replicatedJobs[0].replicas: Invalid value: -1\n",
    );
  });

  it("formatDiagnostics omits absent parts of a diagnostic", () => {
    expect(formatDiagnostics([{ severity: "error", message: "unknown command" }], false)).toBe(
      "jobset: unknown command\n",
    );
    expect(
      formatDiagnostics([{ severity: "error", file: "a", message: "no such file" }], false),
    ).toBe("a: no such file\n");
  });

  it("formatDiagnostics marks warnings and notes, and prints errors first and notes last", () => {
    const warning: Diagnostic = { ...error, severity: "warning", message: "odd" };
    const note: Diagnostic = { severity: "note", message: "made up" };
    expect(formatDiagnostics([note, warning, error], false).split("\n")).toEqual([
      "train.yaml:12:7: spec.replicatedJobs[0].replicas: Invalid value: -1",
      "train.yaml:12:7: warning: spec.replicatedJobs[0].replicas: odd",
      "jobset: note: made up",
      "",
    ]);
  });

  it("formatDiagnostics counts the diagnostics that it omits", () => {
    const lines = formatDiagnostics(Array<Diagnostic>(10_000).fill(error), false).split("\n");
    expect(lines).toHaveLength(MAX_SHOWN + 2);
    expect(lines.at(-2)).toBe("… and 9,980 more");
  });

  it("formatDiagnostics truncates long messages and fields", () => {
    const long = "x".repeat(100_000);
    const [line = ""] = formatDiagnostics([{ ...error, field: long, message: long }], false).split(
      "\n",
    );
    expect(line.length).toBeLessThan(1500);
    expect(line).toMatch(/…$/);
  });

  it("formatDiagnostics escapes control characters, so that no file can forge a line", () => {
    const forged = { ...error, file: "a\nb", field: "\u001b[2J", message: "\u202e\u0000\ud800" };
    expect(formatDiagnostics([forged], false)).toBe(
      "a\\u000ab:12:7: \\u001b[2J: \\u202e\\u0000\\ud800\n",
    );
  });

  it("formatDiagnostics uses colors only on request", () => {
    expect(formatDiagnostics([error], false)).not.toContain("\u001b");
    expect(formatDiagnostics([error], true)).toContain("\u001b[1mtrain.yaml:12:7\u001b[22m");
  });
});
