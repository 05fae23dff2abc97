import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runExclusively } from "./run-exclusively.mjs";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  file = join(folder, "lock");
});

afterEach(() => rmSync(folder, { recursive: true }));

it("runExclusively runs one process at a time", async () => {
  const log = join(folder, "log");
  const program = `
    import { appendFileSync } from "node:fs";
    import { runExclusively } from ${JSON.stringify(join(import.meta.dirname, "run-exclusively.mjs"))};
    await runExclusively(${JSON.stringify(file)}, async () => {
      appendFileSync(${JSON.stringify(log)}, "(");
      for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
      appendFileSync(${JSON.stringify(log)}, ")");
    });`;
  const codes = [1, 2, 3, 4].map(async () => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
    const [code] = await once(child, "close");
    return code;
  });
  expect(await Promise.all(codes)).toEqual([0, 0, 0, 0]);
  expect(readFileSync(log, "utf8")).toBe("()()()()");
  expect(existsSync(file)).toBe(false);
});

it("runExclusively ignores the lock of a process that no longer runs", async () => {
  const child = spawn(process.execPath, ["--version"]);
  await once(child, "close");
  writeFileSync(file, String(child.pid));
  expect(await runExclusively(file, () => "done")).toBe("done");
});

it("runExclusively removes the lock file if the function throws", async () => {
  const failing = runExclusively(file, () => Promise.reject(new Error("no network")));
  await expect(failing).rejects.toThrow("no network");
  expect(existsSync(file)).toBe(false);
});
