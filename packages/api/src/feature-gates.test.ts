import { describe, expect, it } from "vitest";
import { featureGates, parseFeatureGates, resolveFeatureGates } from "./feature-gates.ts";

describe("resolveFeatureGates", () => {
  it("resolveFeatureGates switches on what is on by default", () => {
    expect([...resolveFeatureGates({})]).toEqual(["TLSOptions"]);
  });

  it("resolveFeatureGates switches on what is set to true, in the order of the gates", () => {
    const features = resolveFeatureGates({
      ElasticJobSet: true,
      InPlaceRestart: true,
      RestartJob: false,
    });
    expect([...features]).toEqual(["InPlaceRestart", "ElasticJobSet", "TLSOptions"]);
  });

  it("resolveFeatureGates gives an undefined gate its default", () => {
    expect(resolveFeatureGates({ RestartJob: undefined })).toEqual(resolveFeatureGates({}));
  });

  it("resolveFeatureGates takes a locked gate at its own value", () => {
    expect(resolveFeatureGates({ TLSOptions: true })).toEqual(resolveFeatureGates({}));
    expect(() => resolveFeatureGates({ TLSOptions: false })).toThrow(
      new TypeError('the feature gate "TLSOptions" is locked to true'),
    );
  });

  it.each(["NoSuchGate", "restartJob", "", "toString", "constructor", "__proto__"])(
    "resolveFeatureGates takes the unknown gate %j as a mistake",
    (name) => {
      const settings = JSON.parse(`{${JSON.stringify(name)}: true}`);
      expect(() => resolveFeatureGates(settings)).toThrow(
        new TypeError(`unknown feature gate "${name}"`),
      );
    },
  );

  it("resolveFeatureGates takes a gate that is neither true nor false as a mistake", () => {
    expect(() => resolveFeatureGates({ RestartJob: "true" as never })).toThrow(TypeError);
    expect(() => resolveFeatureGates({ RestartJob: null as never })).toThrow(
      new TypeError('the feature gate "RestartJob" is set to null, not to true or false'),
    );
  });

  it("resolveFeatureGates does not look at what settings inherit", () => {
    expect(resolveFeatureGates(Object.create({ RestartJob: true })).has("RestartJob")).toBe(false);
  });
});

it("features stay off until they are Beta or GA", () => {
  for (const gate of Object.values(featureGates)) {
    expect(gate.default).toBe(gate.stage !== "Alpha");
  }
});

describe("parseFeatureGates", () => {
  it("parseFeatureGates passes over what is empty, as the controller's flag does", () => {
    const gates = { RestartJob: true, Else: false };
    expect(parseFeatureGates(" RestartJob=True,, Else=false ,")).toEqual(gates);
  });

  it("parseFeatureGates keeps an unknown gate name, because it does not check names", () => {
    expect(Object.entries(parseFeatureGates("__proto__=true"))).toEqual([["__proto__", true]]);
  });

  it.each(["RestartJob", "RestartJob=", "=true", "RestartJob=1", "A=true=false", "A B=true"])(
    "parseFeatureGates takes %j as a mistake",
    (text) => {
      const message = `"${text}" sets no feature gate as Gate=true or Gate=false does`;
      expect(() => parseFeatureGates(text)).toThrow(new TypeError(message));
    },
  );

  it("parseFeatureGates takes a gate that is set twice as a mistake", () => {
    const message = 'the feature gate "A" is set twice';
    expect(() => parseFeatureGates("A=true,B=true,A=true")).toThrow(new TypeError(message));
  });
});
