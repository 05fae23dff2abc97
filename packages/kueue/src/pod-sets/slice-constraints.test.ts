import { describe, expect, it } from "vitest";
import { parseSliceConstraints } from "./slice-constraints.ts";

const TYPE = "v1beta2.PodsetSliceRequiredTopologyConstraint";
const FIELD = "struct field PodsetSliceRequiredTopologyConstraint";

describe("parseSliceConstraints", () => {
  it("parseSliceConstraints uses the last of several equal keys and ignores their case", () => {
    const text = '[{"size":1,"SIZE":2,"size":3,"topology":"a","extra":[1]}]';
    expect(parseSliceConstraints(text)).toEqual({ ok: true, value: [{ topology: "a", size: 3 }] });
  });

  it("parseSliceConstraints keeps an earlier value if a later one is null", () => {
    const text = '[{"size":2,"size":null}]';
    expect(parseSliceConstraints(text)).toEqual({ ok: true, value: [{ size: 2 }] });
  });

  it.each([
    ["{}", `json: cannot unmarshal object into Go value of type []${TYPE}`],
    ["[1]", `json: cannot unmarshal number into Go value of type ${TYPE}`],
    ["[[]]", `json: cannot unmarshal array into Go value of type ${TYPE}`],
    ['[{"topology":1}]', `json: cannot unmarshal number into Go ${FIELD}.topology of type string`],
    ['[{"size":"2"}]', `json: cannot unmarshal string into Go ${FIELD}.size of type int32`],
    ['[{"size":2.0}]', `json: cannot unmarshal number 2.0 into Go ${FIELD}.size of type int32`],
    ['[{"size":true}]', `json: cannot unmarshal bool into Go ${FIELD}.size of type int32`],
  ])("parseSliceConstraints rejects a wrong type with Go's message: %j", (text, message) => {
    expect(parseSliceConstraints(text)).toEqual({ ok: false, message });
  });

  it.each(["", "[1", "x", "[] z", "[1 2]", "[1,]", '["\\x"]', '["\n"]', "[01]", "'", "[1.]"])(
    "parseSliceConstraints rejects invalid JSON with the same message in all engines: %j",
    (text) => {
      const message = "it is not valid JSON";
      expect(parseSliceConstraints(text)).toEqual({ ok: false, message });
    },
  );

  it("parseSliceConstraints allows the nesting depth of Go's decoder", () => {
    const createNestedSlices = (depth: number) =>
      parseSliceConstraints(`[{"a":"[[","b":${"[".repeat(depth - 2)}${"]".repeat(depth - 2)}}]`);
    expect(createNestedSlices(10_000)).toEqual({ ok: true, value: [{}] });
    expect(createNestedSlices(10_001)).toEqual({ ok: false, message: "it is not valid JSON" });
  });
});
