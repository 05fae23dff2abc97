import { runs } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { showValue } from "./field-error.ts";
import { parseIntegerLabel } from "./integer-label.ts";
import { labelSelectorErrors, selectsLabels } from "./label-selector.ts";
import { subdomainOf } from "./names.ts";
import { controllerOf } from "./object-meta.ts";
import { parseTime } from "./time.ts";

// biome-ignore lint/suspicious/noExplicitAny: the point is that nobody has checked the value
type Unchecked = any;

/** Every function that is given what a cluster or a user wrote. */
const functions: Record<string, (value: Unchecked) => unknown> = {
  controllerOf,
  labelSelectorErrors: (value) => labelSelectorErrors(value, "spec.selector"),
  parseIntegerLabel,
  parseTime,
  "selectsLabels, by any selector": (value) => selectsLabels(value, { app: "train" }),
  "selectsLabels, any labels": (value) =>
    selectsLabels({ matchExpressions: [{ key: "app", operator: "Exists" }] }, value),
  showValue,
  subdomainOf,
};

describe.each(Object.entries(functions))("%s", (_, subject) => {
  it("answers for every JSON value, twice the same, and leaves it as it was", () => {
    fc.assert(
      fc.property(jsonTexts(), (text) => {
        const value: unknown = deepFreeze(JSON.parse(text));
        expect(subject(value)).toEqual(subject(value));
        expect(JSON.stringify(value)).toBe(text);
      }),
      { numRuns: runs(500) },
    );
  });

  it("does not freeze what it is given", () => {
    fc.assert(
      fc.property(jsonTexts(), (text) => {
        const value: unknown = JSON.parse(text);
        subject(value);
        expect(firstFrozen(value)).toBeUndefined();
      }),
    );
  });
});

/** JSON objects with the members that the functions read, each of the right type or of any other. */
function jsonTexts(): fc.Arbitrary<string> {
  const or = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(arbitrary, fc.jsonValue({ maxDepth: 1 }));
  const members = (model: Record<string, fc.Arbitrary<unknown>>) =>
    or(fc.record(model, { requiredKeys: [] }));
  const list = (element: fc.Arbitrary<unknown>) => or(fc.array(or(element), { maxLength: 3 }));
  const text = or(fc.constantFrom("app", "train", ""));
  const operator = or(fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"));
  const object = members({
    metadata: members({
      name: text,
      ownerReferences: list(members({ name: text, controller: or(fc.boolean()) })),
    }),
    spec: members({ network: members({ subdomain: text }) }),
    matchLabels: or(fc.dictionary(fc.constantFrom("app", "__proto__"), text)),
    matchExpressions: list(members({ key: text, operator, values: list(text) })),
  });
  return fc.oneof(object, fc.jsonValue()).map((value) => JSON.stringify(value));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

function firstFrozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.isFrozen(value) ? value : Object.values(value).map(firstFrozen).find(Boolean);
}
