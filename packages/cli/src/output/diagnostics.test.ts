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
  it("writes file, line, column, field and message, so that editors find the place", () => {
    expect(formatDiagnostics([error], false)).toBe(
      "train.yaml:12:7: spec.replicatedJobs[0].replicas: Invalid value: -1\n",
    );
  });

  it("leaves out what a diagnostic is not about", () => {
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

  it("counts what it does not show", () => {
    const lines = formatDiagnostics(Array<Diagnostic>(10_000).fill(error), false).split("\n");
    expect(lines).toHaveLength(MAX_SHOWN + 2);
    expect(lines.at(-2)).toBe("… and 9,980 more");
  });

  it("cuts messages and fields of any length", () => {
    const long = "x".repeat(100_000);
    const [line = ""] = formatDiagnostics([{ ...error, field: long, message: long }], false).split(
      "\n",
    );
    expect(line.length).toBeLessThan(1500);
    expect(line).toMatch(/…$/);
  });

  it("lets no file forge a line, move the cursor or turn the text around", () => {
    const forged = { ...error, file: "a\nb", field: "\u001b[2J", message: "\u202e\u0000\ud800" };
    expect(formatDiagnostics([forged], false)).toBe(
      "a\\u000ab:12:7: \\u001b[2J: \\u202e\\u0000\\ud800\n",
    );
  });

  it("diagnostics have colors only on request", () => {
    expect(formatDiagnostics([error], false)).not.toContain("\u001b");
    expect(formatDiagnostics([error], true)).toContain("\u001b[1mtrain.yaml:12:7\u001b[22m");
  });
});
