import { createContext, quirks, releaseBehaviors } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { behaviors } from "./behaviors.ts";
import { findRelease, release } from "./release.ts";
import { releases } from "./releases.ts";

describe("release", () => {
  it("release accepts a version without its patch version or the leading v", () => {
    for (const version of ["v0.11.1", "v0.11", "0.11.1", "0.11"]) {
      expect(release(version)).toBe(release("v0.11.1"));
    }
  });

  it("release throws a TypeError for an unknown version", () => {
    expect(() => release("v0.7.3")).toThrow(TypeError);
  });

  it("the quirks and gates of every release are valid in a context", () => {
    for (const { name } of releases) {
      const { quirks, features } = release(name);
      expect(createContext({ now: 0, quirks, features }).quirks).toEqual(quirks);
    }
  });

  it("a release has main's defects and its own behaviors", () => {
    const { quirks: all, rules } = release("v0.8.2");
    expect(all.has("SelfDependencyAdmitted")).toBe(true);
    expect([all.has("GroupLabelsAbsent"), rules.has("GroupLabelsAbsent")]).toEqual([true, true]);
    expect([all.has("TerminatingLeadersFound"), rules.has("TerminatingLeadersFound")]).toEqual([
      true,
      false,
    ]);
    expect(release("v0.9.1").quirks.has("GroupLabelsAbsent")).toBe(false);
  });

  it("the schema of a release is built once and frozen", () => {
    const { schema } = release("v0.9.1");
    expect(release("v0.9.1").schema).toBe(schema);
    expect(Object.isFrozen(schema.properties?.spec)).toBe(true);
  });
});

describe("findRelease", () => {
  it.each(["v0.7.0", "v0.13", "main", "", "v0.11.0", "__proto__"])(
    "findRelease rejects %j and lists the supported releases",
    (version) => {
      expect(findRelease(version)).toEqual({
        ok: false,
        message: `JobSet ${JSON.stringify(version)} is not a supported release: use one of v0.12.0, v0.11.1, v0.10.1, v0.9.1, v0.8.2`,
      });
    },
  );
});

describe("behaviors", () => {
  it("each behavior has one name, and no quirk has it", () => {
    const names = behaviors.map(({ name }) => name);
    expect(new Set([...names, ...quirks]).size).toBe(names.length + quirks.length);
  });

  it("each release behavior of core is in the table", () => {
    const named = behaviors.filter(({ implementation }) => implementation === "Quirk");
    expect(named.map(({ name }) => name)).toEqual([...releaseBehaviors]);
  });

  it("each text of a behavior is one sentence", () => {
    const texts = behaviors.flatMap(({ inRelease, onMain, effect }) => [inRelease, onMain, effect]);
    expect(texts.filter((text) => !/^[A-Z`][^|]*\.$/.test(text) || /\. [A-Z]/.test(text))).toEqual(
      [],
    );
  });
});
