import type { Denial, Finding } from "@jobset-ts/admission";
import { type FieldError, NO_FIELD } from "@jobset-ts/api/errors";
import { describe, expect, it } from "vitest";
import { toDiagnostics } from "./denial-diagnostics.ts";

function aFinding(fieldError?: FieldError): Finding {
  return {
    id: "a",
    outcome: "Fail",
    message: "m",
    objects: [],
    evidence: [],
    transient: false,
    causedBy: [],
    fieldError,
  };
}

function aFieldFinding(field: string): Finding {
  return aFinding({ type: "FieldValueInvalid", field, body: `${field} is wrong` });
}

/** Formats the diagnostics of a denial as `field: message`. */
function formatDiagnostics(findings: Partial<Denial>): readonly string[] {
  const status = { message: "no", code: 403 };
  const denial = { status, roots: [], symptoms: [], unknown: [], transient: false, ...findings };
  return toDiagnostics(denial, (field, message, severity = "error") => ({
    severity,
    field,
    message,
  })).map(({ field, message }) => `${field}: ${message}`);
}

describe("toDiagnostics", () => {
  it("toDiagnostics reports every invalid field of roots and symptoms", () => {
    expect(
      formatDiagnostics({ roots: [aFieldFinding("spec.a")], symptoms: [aFieldFinding("spec.b")] }),
    ).toEqual(["spec.a: spec.a is wrong", "spec.b: spec.b is wrong"]);
  });

  it("toDiagnostics places errors without a field after errors of fields", () => {
    expect(
      formatDiagnostics({ roots: [aFieldFinding(NO_FIELD), aFieldFinding("spec.a")] }),
    ).toEqual(["spec.a: spec.a is wrong", ": <nil> is wrong"]);
  });

  it("toDiagnostics reports the message of a denial that names no field", () => {
    expect(formatDiagnostics({ roots: [aFinding()] })).toEqual([": no"]);
    expect(formatDiagnostics({})).toEqual([": no"]);
  });
});
