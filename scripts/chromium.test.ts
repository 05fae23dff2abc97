import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chromium } from "./chromium.mjs";

let folder: string;
const path = process.env.PATH ?? "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  vi.stubEnv("JOBSET_CHROMIUM", undefined);
  // Without apt-get, and without a browser of this machine.
  vi.stubEnv("PATH", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  expect(process.env.PATH ?? "").toBe(path);
});

it("a browser is found by its usual names, in the order of preference", async () => {
  writeFileSync(join(folder, "google-chrome"), "");
  expect(await chromium()).toEqual({ outcome: "Found", path: join(folder, "google-chrome") });
  writeFileSync(join(folder, "chromium"), "");
  expect(await chromium()).toEqual({ outcome: "Found", path: join(folder, "chromium") });
});

it("the browser that is named is taken, or nothing", async () => {
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "chromium"), "");
  const named = join(folder, "bin", "mine");
  vi.stubEnv("JOBSET_CHROMIUM", named);
  expect(await chromium()).toEqual({
    outcome: "Unavailable",
    reason: `JOBSET_CHROMIUM names ${named}, which is not there.`,
  });
  writeFileSync(named, "");
  expect(await chromium()).toEqual({ outcome: "Found", path: named });
});

it("without a browser and without apt-get it says what to do", async () => {
  expect(await chromium()).toEqual({
    outcome: "Unavailable",
    reason:
      "there is no Chromium; install one (on Debian: apt-get install chromium), or name one in JOBSET_CHROMIUM.",
  });
});
