import { describe, expect, it } from "vitest";
import { parseSliceConstraints } from "./slice-constraints.ts";

const TYPE = "v1beta2.PodsetSliceRequiredTopologyConstraint";
const FIELD = "struct field PodsetSliceRequiredTopologyConstraint";

describe("layers of slices", () => {
  it("are read with the last of several equal keys, whatever their case", () => {
    const text = '[{"size":1,"SIZE":2,"size":3,"topology":"a","extra":[1]}]';
    expect(parseSliceConstraints(text)).toEqual({ ok: true, value: [{ topology: "a", size: 3 }] });
  });

  it("keep what a null would replace", () => {
    const text = '[{"size":2,"size":null}]';
    expect(parseSliceConstraints(text)).toEqual({ ok: true, value: [{ size: 2 }] });
  });

  it.each([
    ["", "unexpected end of JSON input"],
    ["[1", "unexpected end of JSON input"],
    ["x", "invalid character 'x' looking for beginning of value"],
    ["[] z", "invalid character 'z' after top-level value"],
    ["[1 2]", "invalid character '2' after array element"],
    ["[1,]", "invalid character ']' looking for beginning of value"],
    ['[{"a" 1}]', "invalid character '1' after object key"],
    ['[{"a":1 "b"}]', "invalid character '\"' after object key:value pair"],
    ["[{a}]", "invalid character 'a' looking for beginning of object key string"],
    ['["\\x"]', "invalid character 'x' in string escape code"],
    ['["\\u12g4"]', "invalid character 'g' in \\u hexadecimal character escape"],
    ['["\n"]', "invalid character '\\n' in string literal"],
    ["[-]", "invalid character ']' in numeric literal"],
    ["[1.]", "invalid character ']' after decimal point in numeric literal"],
    ["[1e]", "invalid character ']' in exponent of numeric literal"],
    ["[nil]", "invalid character 'i' in literal null (expecting 'u')"],
    ["[01]", "invalid character '1' after array element"],
    ["'", "invalid character '\\'' looking for beginning of value"],
    ["é", "invalid character 'Ã' looking for beginning of value"],
    ["[".repeat(10_001), "exceeded max depth"],
    ["{}", `json: cannot unmarshal object into Go value of type []${TYPE}`],
    ["[1]", `json: cannot unmarshal number into Go value of type ${TYPE}`],
    ["[[]]", `json: cannot unmarshal array into Go value of type ${TYPE}`],
    ['[{"topology":1}]', `json: cannot unmarshal number into Go ${FIELD}.topology of type string`],
    ['[{"size":"2"}]', `json: cannot unmarshal string into Go ${FIELD}.size of type int32`],
    ['[{"size":2.0}]', `json: cannot unmarshal number 2.0 into Go ${FIELD}.size of type int32`],
    ['[{"size":true}]', `json: cannot unmarshal bool into Go ${FIELD}.size of type int32`],
  ])("are refused in Go's words: %j", (text, message) => {
    expect(parseSliceConstraints(text)).toEqual({ ok: false, message });
  });
});
