import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { aCase, createFile } from "./testing/recorded-files.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

function conformance(...args: readonly string[]) {
  const command = [join(root, "scripts", "run.mjs"), "conformance", ...args];
  return spawnSync(process.execPath, command, { encoding: "utf8" });
}

describe("the conformance program", () => {
  it("the program exits with code 1 after a pipe has received all output", () => {
    // The report is much larger than the buffer of a pipe.
    const file = createFile({
      ...aCase("jobs.construct/a/1", 1, 1),
      tags: ["x".repeat(1_000_000)],
    });
    const { status, stdout, stderr } = conformance(file);
    expect(stdout.length).toBeGreaterThan(1_000_000);
    expect(stdout).toMatch(/\n0 passed, 1 failed\n$/);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
  });

  it("the program exits with code 2 for invalid arguments", () => {
    const { status, stdout, stderr } = conformance("--quirks", "some");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toBe('conformance: --quirks must be upstream or none, not "some"\n');
  });
});
