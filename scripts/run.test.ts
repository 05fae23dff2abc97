import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { commands } from "./commands.mjs";

it("a slow command reports its duration when it starts", () => {
  const takingLong = Object.entries(commands).filter(([, command]) => "takes" in command);
  expect(takingLong.map(([name]) => name)).toEqual(
    [
      "test",
      "test:processes",
      "test:long",
      "conformance",
      "e2e",
      "headlamp",
      "pepr",
      "everywhere",
      "mutate:answers",
      "mutate",
      "bench",
      "build",
      "pack",
      "pack-check",
      "guides",
      "surface",
    ], //
  );
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "run.mjs"), "e2e"],
    { encoding: "utf8", env: { ...process.env, JOBSET_E2E_CONTROLPLANE: "/nowhere/binary" } },
  );
  expect(stderr).toBe(`jobset-ts: e2e takes ${commands.e2e.takes([])}\n`);
  expect(commands.e2e.takes([])).toMatch(/minutes/);
  expect(status).toBe(2);
});
