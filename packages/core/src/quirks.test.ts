import { describe, expect, it } from "vitest";
import { NO_QUIRKS, quirks, UPSTREAM_QUIRKS } from "./quirks.ts";

describe("quirks", () => {
  it("each quirk is listed once", () => {
    expect(new Set(quirks).size).toBe(quirks.length);
  });

  it("createContext enables all quirks, none, or single ones", () => {
    expect([...NO_QUIRKS]).toEqual([]);
    expect([...UPSTREAM_QUIRKS]).toEqual([...quirks]);
  });
});
