import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/src/testing/runs.ts";
import recorded from "./testdata/message-pattern.json" with { type: "json" };
import { compilePattern } from "./testing/compile-pattern.ts";

interface RecordedMatch {
  readonly about: string;
  readonly pattern: string;
  readonly messages?: readonly string[];
  readonly matches?: readonly string[];
  readonly refusal?: string;
}

describe("answers as Go's regexp package does", () => {
  const results: readonly RecordedMatch[] = recorded;
  it.each([...new Set(results.map(({ about }) => about))])("%s", (topic) => {
    const onTopic = results.filter(({ about }) => about === topic);
    for (const { pattern, messages = [], matches = [], refusal } of onTopic) {
      const compiled = compilePattern(pattern);
      if (!compiled.ok) {
        expect({ pattern, refusal: compiled.message }).toEqual({ pattern, refusal });
        continue;
      }
      expect({ pattern, refusal }).toEqual({ pattern, refusal: undefined });
      const matched = messages.filter((message) => compiled.matches(message));
      expect({ pattern, matches: matched }).toEqual({ pattern, matches });
    }
  });
});

describe("a pattern that nests", () => {
  // The number is the largest that Go 1.26 accepts.
  it.each<[before: string, within: string, after: string, depth: number]>([
    ["(", "a", ")", 999],
    ["(ab|ac", "", ")", 250],
    ["(a|b", "c", ")", 333],
    ["(abc|abd", "x", ")", 250],
    ["(x|xy|xyz", "w", ")", 166],
    ["([ab]c|[ab]d", "", ")", 250],
    ["([ab]{2}c|[ab]{2}d", "", ")", 250],
    ["([ab]{2}c|[ab]{2}?d", "", ")", 332],
    ["(?U:[0-9]{2}a|[0-9]{2}?b", "", ")", 499],
    ["(?i:ak|aK", "", ")", 500],
    ["((?i)k|(?-i)[kK]a", "", ")", 333],
    ["(?:a|b|.c", "", ")*", 333],
    ["(?:|a|ab", "", ")?", 200],
    ["(a{2}|a{2}b", "", ")+", 200],
    ["(.a|[^\\n]b", "", ")", 333],
    ["(?:(?:a|b)c|[ab]d", "", ")", 500],
  ])(
    "compilePattern accepts %j, %j, %j nested %i times, as Go does, and not once more",
    (before, within, after, depth) => {
      expect(compilePattern(createNestedPattern(before, within, after, depth)).ok).toBe(true);
      expect(createPatternError(createNestedPattern(before, within, after, depth + 1))).toMatch(
        /: expression nests too deeply: /,
      );
    },
  );

  it("compilePattern rejects alternatives that are nested by a thousand common prefixes", () => {
    const prefixes = Array.from({ length: 1002 }, (_, length) => "a".repeat(length + 1));
    expect(createPatternError(prefixes.join("|"))).toMatch(/: expression nests too deeply: /);
  });

  it("a pattern may nest groups that do not capture to any depth", () => {
    expect(matchesMessage(createNestedPattern("(?:", "a", ")", 20_000), "ba")).toBe(true);
    expect(createPatternError("(".repeat(20_000))).toMatch(/: missing closing \): /);
  });
});

describe("a pattern that counts", () => {
  it("a pattern may repeat something up to a thousand times", () => {
    expect(matchesMessage("^(?:(?:a{10}){10}){10}$", "a".repeat(1000))).toBe(true);
    expect(matchesMessage("^(?:(?:a{10}){10}){10}$", "a".repeat(999))).toBe(false);
  });

  it("a pattern with repetition counts is rejected if its copies exceed the limit", () => {
    expect(matchesMessage(`^(?:${"ab".repeat(60)}){1000}$`, "ab".repeat(60_000))).toBe(true);
    expect(createPatternError(`(?:${"ab".repeat(70)}){1000}`)).toMatch(/: expression too large: /);
    expect(createPatternError(`(?:${"a{1000}".repeat(140)})`)).toMatch(/: expression too large: /);
  });

  it("a long pattern with repetition counts is not too large because of its length", () => {
    const exits = Array.from({ length: 10_000 }, (_, code) => `exit code ${code}, `).join("");
    for (const long of [exits, "exit code 42, ".repeat(1_000)]) {
      expect(matchesMessage(long, `${long}.`)).toBe(true);
      expect(matchesMessage(long, long.slice(1))).toBe(false);
    }
  });
});

it("compilePattern rejects classes that have too many ranges together", () => {
  expect(matchesMessage("^\\pL{9}[^\\PL\\p{Lu}]$", "Ökologiſch")).toBe(true);
  expect(createPatternError("\\pL".repeat(2000))).toMatch(/: expression too large: /);
});

describe("a search of a long message", () => {
  const length = 1_000_000;

  // For each of these patterns, a backtracking engine takes extremely long.
  it.each([
    ["(a+)+$", "a", false],
    ["^(a|a)*$", "a", false],
    ["^(a|aa)+$", "a", false],
    ["(?:x+x+)+y", "x", false],
    ["(.*)(.*)(.*)(.*)(.*)[z]", "x", false],
    ["(?:a?){100}a{100}[bc]", "a", true],
    ["(?i)(?:[a-z]+ ?)*!", "word ", true],
    ["\\b(?:\\w+\\s+)+\\d$", "word ", false],
  ])(
    "a search of a long message takes time in proportion to the message: %s",
    (pattern, part, matched) => {
      const filler = part.repeat(length / part.length);
      expect(matchesMessage(pattern, `${filler}b!`)).toBe(matched);
    },
  );
});

describe("lone surrogates", () => {
  it("lone surrogates match as U+FFFD, as in JSON", () => {
    expect(matchesMessage("^.\ud800$", "\udc00\ufffd")).toBe(true);
    expect(matchesMessage("\ufffd", "a\ud83d")).toBe(true);
    expect(matchesMessage("\ud83d", "\ud83d\ude00")).toBe(false);
    expect(createPatternError("(\ud800")).toBe(
      "error parsing regexp: missing closing ): `(\ufffd`",
    );
  });

  it("lone surrogates match nothing in a pattern that writes them as numbers", () => {
    expect(matchesMessage("[\\x{D800}-\\x{DFFF}]|\\p{Cs}", "\ud800 \u{10000} \ufffd")).toBe(false);
  });
});

describe("for every pattern and message", () => {
  const anyText = fc.string({ unit: "binary" });
  const syntax = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ..."()[]{}*+?|^$\\.-:<>=!PpQEbBdwxsi,019aé",
          "(?",
          "(?i)",
          "\\p{L",
          "[[:",
          "{2,",
        ),
        fc.string({ unit: "binary", maxLength: 2 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(""));

  it("compilePattern returns a result and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, syntax), anyText, (pattern, message) => {
        const compiled = compilePattern(pattern);
        const result = compiled.ok ? compiled.matches(message) : compiled.message;
        expect(result).toSatisfy(
          (value) => typeof value === "boolean" || /^error parsing regexp: /.test(value),
        );
      }),
      { numRuns: runs(70, 5_000) },
    );
  });

  it("a pattern gives the same result for any number of matches", () => {
    fc.assert(
      fc.property(syntax, fc.array(anyText), (pattern, messages) => {
        const once = compilePattern(pattern);
        if (once.ok) {
          for (const message of [...messages, ...messages]) {
            expect(once.matches(message)).toBe(matchesMessage(pattern, message));
          }
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it("a quoted text matches each message that contains it", () => {
    const text = fc.string({ unit: fc.constantFrom(..."a.*\\Q(😀"), maxLength: 4 });
    const message = fc.string({ unit: fc.constantFrom(..."a.*\\Q(😀"), maxLength: 12 });
    fc.assert(
      fc.property(text, message, (quoted, searched) => {
        expect(matchesMessage(`\\Q${quoted}\\E`, searched)).toBe(searched.includes(quoted));
      }),
    );
  });

  it("compilePattern agrees with a backtracking engine on the common syntax", () => {
    // `\B` is omitted, because V8 matches it inside a character beyond U+FFFF.
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("a", "b", "é", "[ab]", "[^a]", "😀", "^", "$", "\\b", "\\d", "\\x41", ""),
        fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `${left}${right}`),
        fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `(?:${left}|${right})`),
        fc
          .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}?"))
          .map(([repeated, repeat]) => `(${repeated})${repeat}`),
      ),
    }));
    const message = fc.string({ unit: fc.constantFrom(..."abcé😀 1A"), maxLength: 8 });
    fc.assert(
      fc.property(pattern, message, (text, searched) => {
        expect(matchesMessage(text, searched)).toBe(new RegExp(text, "u").test(searched));
      }),
      { numRuns: runs(70, 5_000) },
    );
  });
});

function createNestedPattern(before: string, within: string, after: string, depth: number): string {
  return before.repeat(depth) + within + after.repeat(depth);
}

function matchesMessage(pattern: string, message: string): boolean {
  const compiled = compilePattern(pattern);
  return compiled.ok ? compiled.matches(message) : expect.fail(compiled.message);
}

function createPatternError(pattern: string): string {
  const compiled = compilePattern(pattern);
  return compiled.ok ? "accepted" : compiled.message;
}
