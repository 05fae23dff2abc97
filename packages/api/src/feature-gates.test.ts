import { describe, expect, it } from "vitest";
import { featureGates, parseFeatureGates, resolveFeatureGates } from "./feature-gates.ts";

describe("resolveFeatureGates", () => {
  it("resolveFeatureGates enables the gates that are on by default", () => {
    expect([...resolveFeatureGates({})]).toEqual(["TLSOptions"]);
  });

  it("resolveFeatureGates enables the gates that are set to true, in the order of the gates", () => {
    const features = resolveFeatureGates({
      ElasticJobSet: true,
      InPlaceRestart: true,
      RestartJob: false,
    });
    expect([...features]).toEqual(["InPlaceRestart", "ElasticJobSet", "TLSOptions"]);
  });

  it("resolveFeatureGates uses the default for an undefined gate", () => {
    expect(resolveFeatureGates({ RestartJob: undefined })).toEqual(resolveFeatureGates({}));
  });

  it("resolveFeatureGates keeps the value of a locked gate", () => {
    expect(resolveFeatureGates({ TLSOptions: true })).toEqual(resolveFeatureGates({}));
    expect(() => resolveFeatureGates({ TLSOptions: false })).toThrow(
      new TypeError('the feature gate "TLSOptions" is locked to true'),
    );
  });

  it.each(["NoSuchGate", "restartJob", "", "toString", "constructor", "__proto__"])(
    "resolveFeatureGates rejects the unknown gate %j",
    (name) => {
      const settings = JSON.parse(`{${JSON.stringify(name)}: true}`);
      expect(() => resolveFeatureGates(settings)).toThrow(
        new TypeError(`unknown feature gate "${name}"`),
      );
    },
  );

  it("resolveFeatureGates rejects a value that is neither true nor false", () => {
    expect(() => resolveFeatureGates({ RestartJob: "true" as never })).toThrow(TypeError);
    expect(() => resolveFeatureGates({ RestartJob: null as never })).toThrow(
      new TypeError('the feature gate "RestartJob" is set to null, not to true or false'),
    );
  });

  it("resolveFeatureGates ignores inherited members", () => {
    expect(resolveFeatureGates(Object.create({ RestartJob: true })).has("RestartJob")).toBe(false);
  });
});

it("feature gates are off by default until they are Beta or GA", () => {
  for (const gate of Object.values(featureGates)) {
    expect(gate.default).toBe(gate.stage !== "Alpha");
  }
});

describe("parseFeatureGates", () => {
  it("parseFeatureGates ignores empty entries, like the controller's flag", () => {
    const gates = { RestartJob: true, Else: false };
    expect(parseFeatureGates(" RestartJob=True,, Else=false ,")).toEqual(gates);
  });

  it("parseFeatureGates keeps an unknown gate name, because it does not check names", () => {
    expect(Object.entries(parseFeatureGates("__proto__=true"))).toEqual([["__proto__", true]]);
  });

  it.each(["RestartJob", "RestartJob=", "=true", "RestartJob=1", "A=true=false", "A B=true"])(
    "parseFeatureGates rejects %j",
    (text) => {
      const message = `"${text}" does not set a feature gate in the form Gate=true or Gate=false`;
      expect(() => parseFeatureGates(text)).toThrow(new TypeError(message));
    },
  );

  it("parseFeatureGates rejects a gate that is set twice", () => {
    const message = 'the feature gate "A" is set twice';
    expect(() => parseFeatureGates("A=true,B=true,A=true")).toThrow(new TypeError(message));
  });
});
