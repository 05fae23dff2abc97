import { formatFieldError } from "@jobset-ts/api/errors";
import { describe, expect, it } from "vitest";
import type { StructuralSchema } from "./structural-schema.ts";
import { schemaErrors } from "./validation.ts";

const int32 = { type: "integer", format: "int32" } as const;
const integer = { type: "integer" } as const;
const text = { type: "string" } as const;
const quantity = {
  "x-kubernetes-int-or-string": true,
  anyOf: [{ type: "integer" }, { type: "string" }],
  pattern: "^[0-9]+Gi$",
} as const;
const dateTime = { type: "string", format: "date-time" } as const;

/** Returns the errors of a member `m`, without the path if it is `m`. */
function validateMember(value: unknown, schema: StructuralSchema): readonly string[] {
  const errors = schemaErrors({ m: value }, { type: "object", properties: { m: schema } });
  return errors.errors.map((error) => formatFieldError(error).replace(/^m: /, ""));
}

describe("schemaErrors", () => {
  it("schemaErrors returns nothing for values of the right type", () => {
    const fine: readonly [unknown, StructuralSchema][] = [
      ["", text],
      [true, { type: "boolean" }],
      [-0, int32],
      [2 ** 31 - 1, int32],
      [2 ** 63, integer],
      [[], { type: "array", items: text }],
      [{}, { type: "object" }],
      ["1Gi", quantity],
      [5, quantity],
      [null, { ...text, nullable: true }],
    ];
    for (const [value, schema] of fine) expect(validateMember(value, schema)).toEqual([]);
  });

  it.each<[string, unknown, StructuralSchema, readonly string[]]>([
    [
      "text for an integer",
      "5",
      int32,
      ['Invalid value: "string": m in body must be of type integer: "string"'],
    ],
    [
      "a boolean for an int32",
      true,
      int32,
      ['Invalid value: "": m in body must be of type int32: ""'],
    ],
    ["a null", null, text, ['Invalid value: "null": m in body must be of type string: "null"']],
    [
      "a list for an object",
      [],
      { type: "object" },
      ['Invalid value: "array": m in body must be of type object: "array"'],
    ],
  ])("schemaErrors rejects %s", (_, value, schema, errors) => {
    expect(validateMember(value, schema)).toEqual(errors);
  });

  it("schemaErrors names the path of an integer out of range only in the text", () => {
    expect(validateMember(2 ** 31, int32)).toEqual([
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in m',
    ]);
  });

  it("schemaErrors reports a fraction out of range as a wrong type and as out of range", () => {
    expect(validateMember(1.5, int32)).toEqual([
      'Invalid value: "float64": m in body must be of type int32: "float64"',
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in m',
    ]);
    expect(validateMember(1.5, integer)).toEqual([
      'Invalid value: "number": m in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in m',
    ]);
  });

  it("schemaErrors accepts the type of a number that rounds to an integer", () => {
    expect(validateMember(1.0000000001, integer)).toEqual([
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in m',
    ]);
  });

  it("schemaErrors accepts integers and text as a quantity, and reports the type of other values", () => {
    expect(validateMember("1Ti", quantity)).toEqual([
      `Invalid value: "1Ti": m in body should match '^[0-9]+Gi$'`,
    ]);
    expect(validateMember(1.5, quantity)).toEqual([
      'Invalid value: "number": m in body must be of type integer,string: "number"',
      'Invalid value: "number": m in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in m',
      '<nil>: Invalid value: "": "m" must validate at least one schema (anyOf)',
    ]);
    expect(validateMember({}, quantity)).toHaveLength(3);
    expect(validateMember(null, quantity)).toHaveLength(1);
    expect(validateMember(1.0000000001, quantity)).toHaveLength(2);
  });

  it("schemaErrors reports at most one limit of a text, with lengths in characters", () => {
    const limited = { ...text, minLength: 1, maxLength: 2, pattern: "^a" };
    expect(validateMember("\u{1f600}\u{1f600}", { ...limited, pattern: "." })).toEqual([]);
    expect(validateMember("bbb", limited)).toEqual(["Too long: may not be more than 2 bytes"]);
    expect(validateMember("", limited)).toEqual([
      'Invalid value: "": m in body should be at least 1 chars long',
    ]);
    expect(validateMember("b", limited)).toEqual([
      `Invalid value: "b": m in body should match '^a'`,
    ]);
  });

  it("schemaErrors checks the enum for values of the wrong type, too", () => {
    const choice = { ...text, enum: ["A", "B"] };
    expect(validateMember(["<", 1], choice)).toEqual([
      'Invalid value: "array": m in body must be of type string: "array"',
      'Unsupported value: ["\\u003c",1]: supported values: "A", "B"',
    ]);
  });

  it("schemaErrors rejects numbers below the minimum", () => {
    expect(validateMember(-1.5e7, { type: "integer", minimum: 0 })[0]).toBe(
      "Invalid value: -15000000: m in body should be greater than or equal to 0",
    );
    expect(validateMember(-1e20, { type: "integer", minimum: 0 }).at(-1)).toBe(
      "Invalid value: -1e+20: m in body should be greater than or equal to 0",
    );
  });

  it("schemaErrors rejects lists that are too long, and still checks their elements", () => {
    const words: StructuralSchema = { type: "array", items: text, maxItems: 1 };
    expect(validateMember(["a", 1], words)).toEqual([
      'm[1]: Invalid value: "integer": m[1] in body must be of type string: "integer"',
      "Too many: 2: must have at most 1 items",
    ]);
  });

  it("schemaErrors requires required members", () => {
    expect(
      validateMember({}, { type: "object", properties: { n: text }, required: ["n"] }),
    ).toEqual(["m.n: Required value"]);
  });

  it("schemaErrors writes the keys of maps like members", () => {
    const map: StructuralSchema = { type: "object", additionalProperties: text };
    expect(validateMember({ "a.b": 1 }, map)).toEqual([
      'm.a.b: Invalid value: "integer": m.a.b in body must be of type string: "integer"',
    ]);
  });

  it.each([
    ["2026-02-07T06:56:19Z", true],
    ["2026-02-07t06:56:19.5+01:00", true],
    ["2026-02-07T06:56:19x5Z", true],
    ["2026-02-07T06:56:19Ztomorrow", true],
    ["2026-02-30T06:56:19Z", false],
    ["2026-02-07T24:00:00Z", false],
    ["2026-02-07T06:56:19", false],
    ["2026-02-07", false],
    ["", false],
  ])("schemaErrors handles the timestamp %j like the API server: %s", (time, isFine) => {
    const error = `Invalid value: "${time}": m in body must be of type date-time: "${time}"`;
    expect(validateMember(time, dateTime)).toEqual(isFine ? [] : [error]);
  });

  it("schemaErrors accepts a list as a timestamp, as upstream does, but no other type", () => {
    expect(validateMember([1], dateTime)).toEqual([]);
    expect(validateMember(5, dateTime)).toEqual([
      'Invalid value: "int64": m in body must be of type date-time: "int64"',
    ]);
    expect(validateMember({}, dateTime)).toEqual([
      'Invalid value: "": m in body must be of type date-time: ""',
    ]);
  });

  it("validation treats an invalid pattern as a pattern that matches nothing", () => {
    expect(validateMember("a", { ...text, pattern: "(" })).toEqual([
      `Invalid value: "a": m in body should match '('`,
    ]);
  });
});
