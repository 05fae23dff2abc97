import { describe, expect, it } from "vitest";
import { NO_QUIRKS, quirks, UPSTREAM_QUIRKS } from "./quirks.ts";

describe("quirks", () => {
  it("quirks are listed once each", () => {
    expect(new Set(quirks).size).toBe(quirks.length);
  });

  it("quirks are reproduced all together or not at all, unless chosen one by one", () => {
    expect([...NO_QUIRKS]).toEqual([]);
    expect([...UPSTREAM_QUIRKS]).toEqual([...quirks]);
  });
});
