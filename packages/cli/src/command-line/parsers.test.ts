import { InvalidArgumentError } from "commander";
import { describe, expect, it } from "vitest";
import { parse as parseFeatures } from "./feature-gates.ts";
import { parseNamespace, parseUid } from "./parsers.ts";

describe("parseFeatures", () => {
  it("parseFeatures accepts gates as the controller's flag does", () => {
    const features = parseFeatures("RestartJob=true, ElasticJobSet=TRUE,InPlaceRestart=false");
    expect([...features].sort()).toEqual(["ElasticJobSet", "RestartJob", "TLSOptions"]);
  });

  it.each([
    ["RestartJobs=true", 'unknown feature gate "RestartJobs". (Did you mean RestartJob?)'],
    ["__proto__=true", 'unknown feature gate "__proto__".'],
    ["RestartJob", '"RestartJob" does not set a feature gate in the form Gate=true or Gate=false.'],
    [
      "RestartJob=1",
      '"RestartJob=1" does not set a feature gate in the form Gate=true or Gate=false.',
    ],
    ["RestartJob=true,RestartJob=false", 'the feature gate "RestartJob" is set twice.'],
    ["TLSOptions=false", 'the feature gate "TLSOptions" is locked to true.'],
  ])("parseFeatures rejects %j", (text, message) => {
    expect(() => parseFeatures(text)).toThrow(new InvalidArgumentError(message));
  });
});

describe("parseNamespace", () => {
  it("parseNamespace accepts a DNS label", () => {
    expect(parseNamespace("team-a")).toBe("team-a");
    expect(parseNamespace("0".repeat(63))).toBe("0".repeat(63));
  });

  it.each([[""], ["Team"], ["-a"], ["a-"], ["a.b"], ["a b"], ["0".repeat(64)], ["a\n"]])(
    "parseNamespace rejects %j",
    (text) => {
      expect(() => parseNamespace(text)).toThrow(InvalidArgumentError);
    },
  );
});

describe("parseUid", () => {
  it("parseUid accepts label values", () => {
    expect(parseUid("1b4e28ba-2fa1-11d2-883f-0016d3cca427")).toMatch(/^1b4e/);
  });

  it.each([[""], ["a b"], ["-a"], ["a/b"], ["a".repeat(64)], ["a\n"]])(
    "parseUid rejects %j",
    (text) => {
      expect(() => parseUid(text)).toThrow(InvalidArgumentError);
    },
  );
});
