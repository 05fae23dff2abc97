import { describe, expect, it } from "vitest";
import { readPattern } from "./pattern-syntax.ts";
import { compileProgram } from "./program.ts";
import { Search } from "./search.ts";

function searchFor(...patterns: readonly string[]): Search {
  const read = patterns.map((pattern) => {
    const one = readPattern(pattern);
    return one.ok ? one.parts : expect.fail(one.message);
  });
  return new Search(compileProgram(read));
}

/** The result of a search, and the work that it needs. */
function find(search: Search, message: string, most = 1_000_000_000) {
  const allowance = { left: most };
  const result = search.find(message, allowance);
  return { result, work: most - allowance.left };
}

/** Letters in an order that does not repeat. */
function letters(length: number): string {
  let seed = 7;
  return Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 16) % 2 === 0 ? "a" : "b";
  }).join("");
}

describe("a search", () => {
  it("a search finds any of several patterns", () => {
    const search = searchFor("^exit (1|2)$", "", "(?i)oom");
    expect(find(searchFor("^exit (1|2)$", "(?i)oom"), "an OOM").result).toBe("Found");
    expect(find(searchFor("^exit (1|2)$", "(?i)oom"), "exit 1").result).toBe("Found");
    expect(find(searchFor("^exit (1|2)$", "(?i)oom"), "exit 3").result).toBe("NotFound");
    expect(find(search, "exit 3").result).toBe("Found");
  });

  it("a search costs one unit per character once its states are cached", () => {
    const search = searchFor("exit code (42|43)", "\\bкод \\d+$", "(?i)out of memory");
    const message = "Container main of Pod train-0-x7k2p ended with exit code 7, код 7.";
    const first = find(search, message);
    expect(first.result).toBe("NotFound");
    expect(first.work).toBeGreaterThan(10 * message.length);
    expect(find(search, message)).toEqual({ result: "NotFound", work: message.length });
    // The second message differs in one word.
    expect(find(search, message.replace("x7k2p", "9bq4z")).work).toBeLessThan(first.work / 5);
  });

  it("a search needs the same work for equal inputs, independent of earlier searches", () => {
    const [one, other] = [searchFor("a[ab]{9}c"), searchFor("a[ab]{9}c")];
    for (const message of [letters(500), "", letters(70), `${letters(80)}c`]) {
      expect(find(one, message)).toEqual(find(other, message));
    }
  });

  it("a search ends exactly when the budget is used up", () => {
    const message = letters(3_000);
    const { work } = find(searchFor("a[ab]{99}c"), message);
    expect(work).toBeGreaterThan(100 * message.length);
    expect(find(searchFor("a[ab]{99}c"), message, work).result).toBe("NotFound");
    const tooLittle = find(searchFor("a[ab]{99}c"), message, work - 1);
    expect(tooLittle).toEqual({ result: "OutOfWork", work });
  });

  it("a search does not start if the message is too long", () => {
    expect(find(searchFor("a"), letters(3_000), 2_999)).toEqual({
      result: "OutOfWork",
      work: 3_000,
    });
  });

  it("a search reaches the same state on any path", () => {
    const search = searchFor("(?:[ab]{40}|[ab]{50})!");
    for (const letter of ["a", "b"]) find(search, letter.repeat(60));
    expect(find(search, letters(5_000))).toEqual({ result: "NotFound", work: 5_000 });
  });

  it("a search continues correctly after it dropped its cached states", () => {
    // Each character leads to a new state with some hundred instructions.
    const search = searchFor("a[ab]{700}c");
    const message = letters(5_000);
    expect(find(search, message).result).toBe("NotFound");
    for (const end of ["c", "ac", "bc", "abc"]) {
      const found = /a[ab]{700}c/.test(`${message}${end}`);
      expect(find(search, `${message}${end}`).result).toBe(found ? "Found" : "NotFound");
    }
    expect(find(search, `${letters(700)}c`).result).toBe("NotFound");
  });

  it("a search groups characters that no pattern distinguishes", () => {
    const search = searchFor("[а-я]+!", "\\p{Han}{2}\\?");
    const ideographs = (from: number) =>
      Array.from({ length: 500 }, (_, index) => String.fromCodePoint(from + index)).join("");
    find(search, ideographs(0x4e00));
    expect(find(search, ideographs(0x5e00))).toEqual({ result: "NotFound", work: 500 });
    expect(find(search, `${ideographs(0x6e00)}?`).result).toBe("Found");
    expect(find(search, "да!").result).toBe("Found");
  });
});
