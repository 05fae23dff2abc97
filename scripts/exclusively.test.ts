import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, it } from "vitest";
import { exclusively } from "./exclusively.mjs";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  file = join(folder, "lock");
});

afterEach(() => rmSync(folder, { recursive: true }));

it("exclusively runs one process at a time", async () => {
  const log = join(folder, "log");
  const program = `
    import { appendFileSync } from "node:fs";
    import { exclusively } from ${JSON.stringify(join(import.meta.dirname, "exclusively.mjs"))};
    await exclusively(${JSON.stringify(file)}, async () => {
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

it("exclusively ignores the lock of a process that no longer runs", async () => {
  const child = spawn(process.execPath, ["--version"]);
  await once(child, "close");
  writeFileSync(file, String(child.pid));
  expect(await exclusively(file, () => "done")).toBe("done");
});

it("exclusively removes the lock file if the function throws", async () => {
  const failing = exclusively(file, () => Promise.reject(new Error("no network")));
  await expect(failing).rejects.toThrow("no network");
  expect(existsSync(file)).toBe(false);
});
