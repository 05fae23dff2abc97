import { describe, expect, it } from "vitest";
import { createContext } from "./context.ts";
import { NO_QUIRKS, type Quirk, UPSTREAM_QUIRKS } from "./quirks.ts";

describe("createContext", () => {
  const instant = 1_770_447_379_000;

  it.each([
    ["milliseconds", instant],
    ["RFC 3339 text", "2026-02-07T06:56:19Z"],
    ["a Date", new Date(instant)],
  ])("createContext accepts the time as %s", (_, now) => {
    expect(createContext({ now }).now).toBe(instant);
  });

  it("createContext uses the default gates and no quirks by default", () => {
    const { features, quirks } = createContext({ now: instant });
    expect(features.has("RestartJob")).toBe(false);
    expect(quirks).toBe(NO_QUIRKS);
  });

  it("createContext enables the requested gates and quirks", () => {
    const context = createContext({
      now: instant,
      features: { RestartJob: true, ElasticJobSet: undefined },
      quirks: ["ElasticNullPatch"],
    });
    expect(context.features.has("RestartJob")).toBe(true);
    expect(context.features.has("ElasticJobSet")).toBe(false);
    expect([...context.quirks]).toEqual(["ElasticNullPatch"]);
    expect(createContext({ now: instant, quirks: UPSTREAM_QUIRKS }).quirks).toEqual(
      UPSTREAM_QUIRKS,
    );
  });

  it("createContext copies the caller's quirks", () => {
    const chosen = new Set<Quirk>(["ElasticNullPatch"]);
    const context = createContext({ now: instant, quirks: chosen });
    chosen.clear();
    expect(context.quirks.size).toBe(1);
  });

  it.each([
    ["no instant", { now: "yesterday" }, "now is not a valid time: yesterday"],
    ["no instant", { now: Number.NaN }, "now is not a valid time: NaN"],
    ["no instant", { now: Number.POSITIVE_INFINITY }, "now is not a valid time: Infinity"],
    ["no instant", { now: new Date(Number.NaN) }, "now is not a valid time: Invalid Date"],
    ["an unknown gate", { now: 0, features: { Restart: true } }, 'unknown feature gate "Restart"'],
    ["an unknown quirk", { now: 0, quirks: ["Typo" as Quirk] }, 'unknown quirk "Typo"'],
  ])("createContext throws on %s, which is a programming error", (_, settings, message) => {
    expect(() => createContext(settings)).toThrow(new TypeError(message));
  });
});
