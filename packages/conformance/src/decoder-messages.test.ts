import { describe, expect, it } from "vitest";
import { removeDecoderMessage, textComparisonFor } from "./decoder-messages.ts";

describe("messages of Go's JSON decoder", () => {
  it.each([
    "json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type string",
    ".apiVersion accessor error: 1 is of the type int64, expected string",
    "quantities must match the regular expression '^x$'",
    'parsing time "1a" as "2006-01-02T15:04:05Z07:00": cannot parse "1a" as "2006"',
    "invalid character 'z' after top-level value",
    "unexpected end of JSON input",
    'strconv.ParseInt: parsing "x": invalid syntax',
  ])("a decoder message starts with %s", (words) => {
    expect(removeDecoderMessage(words)).toBe("");
    expect(removeDecoderMessage(`failed to parse annotation: ${words}`)).toBe(
      "failed to parse annotation: ",
    );
  });

  it("other texts contain no decoder message", () => {
    const text = "spec.network: Invalid value: Value is immutable";
    expect(removeDecoderMessage(text)).toBe(text);
  });
});

describe("texts of a tagged case", () => {
  const upstream = "failed to parse annotation: json: cannot unmarshal number";

  it.each(["decodeError", "parserText"])(
    "texts are equal if the part before the decoder message is equal (%s)",
    (tag) => {
      const same = textComparisonFor(["other", tag]);
      expect(same?.(upstream, "failed to parse annotation: not a list", "message")).toBe(true);
      expect(same?.(upstream, "failed to read annotation: not a list", "message")).toBe(false);
    },
  );

  it("our text must have some message in place of the decoder message", () => {
    const same = textComparisonFor(["decodeError"]);
    expect(same?.("json: cannot unmarshal", "", "message")).toBe(false);
  });

  it("texts without a decoder message and other members are compared exactly", () => {
    const same = textComparisonFor(["decodeError"]);
    expect(same?.("Required value", "Required value, really", "detail")).toBe(false);
    expect(same?.(upstream, "failed to parse annotation: x", "reason")).toBe(false);
  });

  it("texts in other cases are compared exactly", () => {
    expect(textComparisonFor(["goValueInMessage", "restart"])).toBeUndefined();
  });
});
