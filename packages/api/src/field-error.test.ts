import { describe, expect, it } from "vitest";
import {
  duplicate,
  type FieldError,
  forbidden,
  formatFieldError,
  formatValue,
  internalError,
  invalid,
  NO_FIELD,
  notFound,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";

const field = "spec.replicatedJobs[0].name";

// The right column shows the text that Kubernetes prints.
it.each<[FieldError, string]>([
  [required(field), `${field}: Required value`],
  [required(field, "name it"), `${field}: Required value: name it`],
  [invalid(field, "a b", "no spaces"), `${field}: Invalid value: "a b": no spaces`],
  [invalid(field, -1, "too small"), `${field}: Invalid value: -1: too small`],
  [invalid(field, null, "set it"), `${field}: Invalid value: null: set it`],
  [invalid(field, "x", ""), `${field}: Invalid value: "x"`],
  [invalid(field, { a: 1 }, "no", "{…}"), `${field}: Invalid value: {…}: no`],
  [typeInvalid(field, 5, "not text", '"integer"'), `${field}: Invalid value: "integer": not text`],
  [
    notSupported(field, "None", ["All", "Any"]),
    `${field}: Unsupported value: "None": supported values: "All", "Any"`,
  ],
  [notFound(field, "data"), `${field}: Not found: "data"`],
  [duplicate(field, "workers"), `${field}: Duplicate value: "workers"`],
  [duplicate(field, { name: "w" }), `${field}: Duplicate value: {"name":"w"}`],
  [forbidden(field, "it is immutable"), `${field}: Forbidden: it is immutable`],
  [tooLong(field, "a".repeat(64), 63), `${field}: Too long: may not be more than 63 bytes`],
  [tooMany(field, 51, 50), `${field}: Too many: 51: must have at most 50 items`],
  [internalError("it broke", field), `${field}: Internal error: it broke`],
  [internalError("it broke"), "<nil>: Internal error: it broke"],
])("formatFieldError prints %j as Kubernetes does", (error, text) => {
  expect(formatFieldError(error)).toBe(text);
});

describe("a field error", () => {
  it("a field error has a reason with the kind of error", () => {
    expect(required(field).type).toBe("FieldValueRequired");
    expect(typeInvalid(field, 5, "").type).toBe("FieldValueTypeInvalid");
    expect(internalError("it broke")).toMatchObject({ type: "InternalError", field: NO_FIELD });
  });

  it("a field error contains the invalid value as the object has it", () => {
    const value = Object.freeze({ name: "w" });
    expect(invalid(field, value, "no").badValue).toBe(value);
    expect(tooMany(field, 51, 50).badValue).toBe(51);
    expect(required(field)).not.toHaveProperty("badValue");
  });
});

describe("formatValue", () => {
  it.each([
    ['say "hi"\n', '"say \\"hi\\"\\n"'],
    ["\ud800", '"\ufffd"'],
    [2_147_483_648, "2147483648"],
    [1.5, "1.5"],
    [true, "true"],
    [null, "null"],
    [undefined, "null"],
    [[1, "a"], '[1,"a"]'],
  ])("formatValue shows %j", (value, printedValue) => {
    expect(formatValue(value)).toBe(printedValue);
  });

  it("formatValue prints the type of a value that cannot be printed", () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(formatValue(deep)).toBe('"object"');
  });
});
