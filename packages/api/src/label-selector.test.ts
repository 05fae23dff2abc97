import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { labelSelectorErrors } from "../../crd/src/selectors.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import {
  type LabelSelector,
  type LabelSelectorRequirement,
  matchesLabelSelector,
} from "./label-selector.ts";
import type { JsonObject } from "./members.ts";

const labels = { app: "train", tier: "web", empty: "" };

/** A requirement in wire form. */
function requirement(key: string, operator: string, values?: readonly string[]) {
  return { key, operator, ...(values && { values }) } as LabelSelectorRequirement;
}

describe("matchesLabelSelector", () => {
  it("matchesLabelSelector matches nothing if the selector is absent, and everything if it is empty", () => {
    expect(matchesLabelSelector(undefined, labels)).toBe(false);
    expect(matchesLabelSelector({}, labels)).toBe(true);
    expect(matchesLabelSelector({ matchLabels: {}, matchExpressions: [] }, undefined)).toBe(true);
  });

  it("matchesLabelSelector requires every label of matchLabels with its value", () => {
    expect(matchesLabelSelector({ matchLabels: { app: "train", tier: "web" } }, labels)).toBe(true);
    expect(matchesLabelSelector({ matchLabels: { app: "train", tier: "db" } }, labels)).toBe(false);
    expect(matchesLabelSelector({ matchLabels: { absent: "" } }, labels)).toBe(false);
    expect(matchesLabelSelector({ matchLabels: { empty: "" } }, labels)).toBe(true);
  });

  it.each([
    [requirement("app", "In", ["serve", "train"]), true],
    [requirement("app", "In", ["serve"]), false],
    [requirement("absent", "In", ["train"]), false],
    [requirement("absent", "In", [""]), false],
    [requirement("app", "NotIn", ["serve"]), true],
    [requirement("app", "NotIn", ["train"]), false],
    [requirement("absent", "NotIn", ["train"]), true],
    [requirement("app", "Exists"), true],
    [requirement("empty", "Exists"), true],
    [requirement("absent", "Exists"), false],
    [requirement("app", "DoesNotExist"), false],
    [requirement("absent", "DoesNotExist", []), true],
  ])("matchesLabelSelector evaluates %j", (one, selected) => {
    expect(matchesLabelSelector({ matchExpressions: [one] }, labels)).toBe(selected);
  });

  it("matchesLabelSelector requires all requirements", () => {
    const exists = requirement("app", "Exists");
    const absent = requirement("absent", "Exists");
    expect(matchesLabelSelector({ matchExpressions: [exists, exists] }, labels)).toBe(true);
    expect(matchesLabelSelector({ matchExpressions: [exists, absent] }, labels)).toBe(false);
    const matchLabels = { tier: "db" };
    expect(matchesLabelSelector({ matchLabels, matchExpressions: [exists] }, labels)).toBe(false);
  });

  it("matchesLabelSelector ignores inherited labels", () => {
    expect(
      matchesLabelSelector({ matchExpressions: [requirement("toString", "Exists")] }, {}),
    ).toBe(false);
    const ownProto = JSON.parse('{"__proto__": "x"}');
    expect(
      matchesLabelSelector({ matchExpressions: [requirement("__proto__", "Exists")] }, {}),
    ).toBe(false);
    expect(matchesLabelSelector({ matchLabels: ownProto }, {})).toBe(false);
    expect(matchesLabelSelector({ matchLabels: ownProto }, ownProto)).toBe(true);
  });

  it("matchesLabelSelector treats a label whose value is not a string as absent", () => {
    const invalidLabels = JSON.parse('{"number": 5, "none": null}');
    expect(matchesLabelSelector({ matchLabels: invalidLabels }, invalidLabels)).toBe(false);
    expect(
      matchesLabelSelector({ matchExpressions: [requirement("number", "Exists")] }, invalidLabels),
    ).toBe(false);
    expect(
      matchesLabelSelector(
        { matchExpressions: [requirement("none", "DoesNotExist")] },
        invalidLabels,
      ),
    ).toBe(true);
  });

  it("matchesLabelSelector matches nothing if the API server would reject a requirement", () => {
    fc.assert(
      fc.property(selectors(), labelMaps(), (selector, carried) => {
        if ([...labelSelectorErrors(selector as JsonObject, "selector")].length > 0) {
          expect(matchesLabelSelector(selector, carried)).toBe(false);
        }
      }),
    );
  });

  it("matchesLabelSelector agrees with a slow implementation that rewrites requirements as sets of allowed values", () => {
    fc.assert(
      fc.property(selectors(), labelMaps(), (selector, carried) => {
        expect(matchesLabelSelector(selector, carried)).toBe(selectsByReference(selector, carried));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("matchesLabelSelector treats an element that is not an object as an object without members", () => {
    const matchExpressions = JSON.parse('[null, 5, "x", []]');
    expect(matchesLabelSelector({ matchExpressions }, labels)).toBe(false);
  });
});

const keys = fc.constantFrom("a", "b", "c");
const values = fc.constantFrom("", "x", "y");

function labelMaps(): fc.Arbitrary<Record<string, string>> {
  return fc.dictionary(keys, values);
}

function selectors(): fc.Arbitrary<LabelSelector> {
  const operators = fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Exist");
  const requirements = fc
    .tuple(keys, operators, fc.option(fc.array(values, { maxLength: 3 }), { nil: undefined }))
    .map((parts) => requirement(...parts));
  return fc.record(
    { matchLabels: labelMaps(), matchExpressions: fc.array(requirements, { maxLength: 3 }) },
    { requiredKeys: [] },
  );
}

/**
 * Represents the value of a label as a list with zero or one elements, and computes which of these
 * lists a requirement allows.
 */
function selectsByReference(selector: LabelSelector, carried: Record<string, string>): boolean {
  const everyValue = ["", "x", "y"];
  const allowed: [key: string, absentToo: boolean, values: string[]][] = [];
  for (const key in selector.matchLabels) {
    allowed.push([key, false, [selector.matchLabels[key] ?? ""]]);
  }
  for (const { key, operator, values: listed = [] } of selector.matchExpressions ?? []) {
    const listless = listed.length === 0;
    if (operator === "In") allowed.push([key, false, listed]);
    else if (operator === "NotIn" && !listless) {
      allowed.push([key, true, everyValue.filter((value) => listed.indexOf(value) < 0)]);
    } else if (operator === "Exists" && listless) allowed.push([key, false, everyValue]);
    else if (operator === "DoesNotExist" && listless) allowed.push([key, true, []]);
    else return false;
  }
  for (const [key, absentToo, some] of allowed) {
    const found = Object.entries(carried).filter(([name]) => name === key);
    if (found.length === 0 && !absentToo) return false;
    if (found.some(([, value]) => some.indexOf(value) < 0)) return false;
  }
  return true;
}
