import { formatFieldError } from "@jobset-ts/api/errors";
import { describe, expect, it } from "vitest";
import { labelSelectorErrors } from "./selectors.ts";

const formatErrors = (selector: Parameters<typeof labelSelectorErrors>[0]) =>
  [...labelSelectorErrors(selector, "spec.selector")].map(formatFieldError);

describe("labelSelectorErrors", () => {
  it("labelSelectorErrors returns no errors for a valid selector", () => {
    const matchExpressions = [
      { key: "a", operator: "In", values: ["x"] },
      { key: "b", operator: "Exists", values: [] },
    ];
    expect(formatErrors({ matchLabels: { app: "train" }, matchExpressions })).toEqual([]);
    expect(formatErrors({})).toEqual([]);
    expect(formatErrors(undefined)).toEqual([]);
  });

  it("labelSelectorErrors reports each requirement with too few or too many values, and each unknown operator", () => {
    const matchExpressions = [
      { key: "a", operator: "NotIn", values: [] },
      { key: "a", operator: "In", values: ["x"] },
      { key: "a", operator: "DoesNotExist", values: ["x"] },
      { key: "a", operator: "in", values: ["x"] },
      { key: "a", operator: "" },
    ];
    expect(formatErrors({ matchExpressions })).toEqual([
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[2].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[3].operator: Invalid value: "in": not a valid selector operator',
      'spec.selector.matchExpressions[4].operator: Invalid value: "": not a valid selector operator',
    ]);
  });
});
