import { describe, expect, it } from "vitest";
import { textBeforeDecoder, textComparisonFor } from "./decoder-words.ts";

describe("the decoder's words", () => {
  it.each([
    "json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type string",
    ".apiVersion accessor error: 1 is of the type int64, expected string",
    "quantities must match the regular expression '^x$'",
    'parsing time "1a" as "2006-01-02T15:04:05Z07:00": cannot parse "1a" as "2006"',
    "invalid character 'z' after top-level value",
    "unexpected end of JSON input",
    'strconv.ParseInt: parsing "x": invalid syntax',
  ])("begin %s", (words) => {
    expect(textBeforeDecoder(words)).toBe("");
    expect(textBeforeDecoder(`failed to parse annotation: ${words}`)).toBe(
      "failed to parse annotation: ",
    );
  });

  it("are in no other text", () => {
    const text = "spec.network: Invalid value: Value is immutable";
    expect(textBeforeDecoder(text)).toBe(text);
  });
});

describe("texts of a tagged case", () => {
  const upstream = "failed to parse annotation: json: cannot unmarshal number";

  it.each(["decodeError", "parserText"])(
    "agree when the part before the words does (%s)",
    (tag) => {
      const same = textComparisonFor(["other", tag]);
      expect(same?.(upstream, "failed to parse annotation: not a list", "message")).toBe(true);
      expect(same?.(upstream, "failed to read annotation: not a list", "message")).toBe(false);
    },
  );

  it("have to say something in the words' place", () => {
    const same = textComparisonFor(["decodeError"]);
    expect(same?.("json: cannot unmarshal", "", "message")).toBe(false);
  });

  it("count to the letter without such words, and outside of messages", () => {
    const same = textComparisonFor(["decodeError"]);
    expect(same?.("Required value", "Required value, really", "detail")).toBe(false);
    expect(same?.(upstream, "failed to parse annotation: x", "reason")).toBe(false);
  });

  it("count to the letter in any other case", () => {
    expect(textComparisonFor(["goValueInMessage", "restart"])).toBeUndefined();
  });
});
