import { describe, expect, it } from "vitest";
import { fieldPath } from "./field-path.ts";

describe("fieldPath", () => {
  it("fieldPath writes paths as Kubernetes does", () => {
    expect(fieldPath([])).toBe("");
    expect(fieldPath([0, "a"])).toBe("[0].a");
    expect(fieldPath(["spec", "template", "labels", "a.b/c", 3])).toBe(
      "spec.template.labels[a.b/c][3]",
    );
  });
});
