import { describe, expect, it } from "vitest";
import { NO_QUIRKS, quirks, UPSTREAM_QUIRKS } from "./quirks.ts";

describe("quirks", () => {
  it("each quirk is listed once", () => {
    expect(new Set(quirks).size).toBe(quirks.length);
  });

  it("quirks are all on, all off, or chosen one by one", () => {
    expect([...NO_QUIRKS]).toEqual([]);
    expect([...UPSTREAM_QUIRKS]).toEqual([...quirks]);
  });
});
