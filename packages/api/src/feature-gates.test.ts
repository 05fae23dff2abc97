import { describe, expect, it } from "vitest";
import { featureGates, featuresOf } from "./feature-gates.ts";

describe("featuresOf", () => {
  it("switches on what is on by default", () => {
    expect([...featuresOf({})]).toEqual(["TLSOptions"]);
  });

  it("switches on what is set to true, in the order of the gates", () => {
    const features = featuresOf({ ElasticJobSet: true, InPlaceRestart: true, RestartJob: false });
    expect([...features]).toEqual(["InPlaceRestart", "ElasticJobSet", "TLSOptions"]);
  });

  it("gives an undefined gate its default", () => {
    expect(featuresOf({ RestartJob: undefined })).toEqual(featuresOf({}));
  });

  it("takes a locked gate at its own value", () => {
    expect(featuresOf({ TLSOptions: true })).toEqual(featuresOf({}));
    expect(() => featuresOf({ TLSOptions: false })).toThrow(
      new TypeError('the feature gate "TLSOptions" is locked to true'),
    );
  });

  it.each(["NoSuchGate", "restartJob", "", "toString", "constructor", "__proto__"])(
    "takes the unknown gate %j as a mistake",
    (name) => {
      const settings = JSON.parse(`{${JSON.stringify(name)}: true}`);
      expect(() => featuresOf(settings)).toThrow(new TypeError(`unknown feature gate "${name}"`));
    },
  );

  it("takes a gate that is neither true nor false as a mistake", () => {
    expect(() => featuresOf({ RestartJob: "true" as never })).toThrow(TypeError);
    expect(() => featuresOf({ RestartJob: null as never })).toThrow(
      new TypeError('the feature gate "RestartJob" is set to null, not to true or false'),
    );
  });

  it("does not look at what settings inherit", () => {
    expect(featuresOf(Object.create({ RestartJob: true })).has("RestartJob")).toBe(false);
  });
});

it("features stay off until they are Beta or GA", () => {
  for (const gate of Object.values(featureGates)) {
    expect(gate.default).toBe(gate.stage !== "Alpha");
  }
});
