import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isDumpFolder, runDumps } from "./dumps.ts";

const dumps = join(dirname(fileURLToPath(import.meta.url)), "..", "dumps");

describe("the dumps of JobSets in trouble", () => {
  it("are diagnosed as what was done to their clusters", () => {
    const lines: string[] = [];
    runDumps(dumps, (line) => lines.push(line));
    expect(lines).toEqual(["26 passed, 0 failed"]);
  });

  it("are a folder with records of what is known", () => {
    expect(isDumpFolder(dumps)).toBe(true);
    expect(isDumpFolder(dirname(dumps))).toBe(false);
  });
});
