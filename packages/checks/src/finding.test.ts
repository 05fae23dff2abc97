import { NO_FIELD } from "@jobset-ts/api/errors";
import { describe, expect, it } from "vitest";
import { fieldFinding } from "./finding.ts";

const object = { apiVersion: "v1", kind: "Pod", namespace: "ml", name: "train-0" };
const error = { type: "FieldValueRequired", field: "spec", body: "Required value" } as const;

describe("fieldFinding", () => {
  it("fieldFinding refers to the field and has no undefined members", () => {
    expect(fieldFinding("spec-set", error, object)).toStrictEqual({
      id: "spec-set",
      outcome: "Fail",
      message: "spec: Required value",
      objects: [object],
      evidence: [{ kind: "Field", object, at: "spec", text: "Required value" }],
      transient: false,
      causedBy: [],
      fieldError: error,
    });
  });

  it("fieldFinding keeps the given size and text", () => {
    const texts = { problem: "spec-missing" };
    expect(fieldFinding("spec-set", error, object, { size: 3, texts })).toMatchObject({
      size: 3,
      texts,
    });
  });

  it("fieldFinding has no path and no evidence if the error belongs to no field", () => {
    const ofNoField = { ...error, field: NO_FIELD };
    expect(fieldFinding("spec-set", ofNoField, object)).toMatchObject({
      message: "Required value",
      evidence: [],
    });
  });

  it("fieldFinding has no field error if a fact is missing", () => {
    const finding = fieldFinding("spec-set", error, object, { unknown: "Pods were not read" });
    expect(finding).toMatchObject({ outcome: "Unknown", message: "Pods were not read" });
    expect(finding).not.toHaveProperty("fieldError");
  });

  it("fieldFinding shortens the names of other objects", () => {
    const { objects } = fieldFinding("spec-set", error, object, {
      about: [{ ...object, name: "a".repeat(2_000) }],
    });
    expect(objects[0]).toBe(object);
    expect(objects[1]).toMatchObject({ apiVersion: "v1", kind: "Pod", namespace: "ml" });
    expect(objects[1]?.name).toMatch(/^a{500}/);
    expect(objects[1]?.name.length).toBeLessThan(1_100);
  });
});
