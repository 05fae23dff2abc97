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
  // Hides apt-get and installed browsers.
  vi.stubEnv("PATH", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  expect(process.env.PATH ?? "").toBe(path);
});

it("chromium finds a browser by its common names, in order of preference", async () => {
  writeFileSync(join(folder, "google-chrome"), "");
  expect(await chromium()).toEqual({ outcome: "Found", path: join(folder, "google-chrome") });
  writeFileSync(join(folder, "chromium"), "");
  expect(await chromium()).toEqual({ outcome: "Found", path: join(folder, "chromium") });
});

it("chromium uses only JOBSET_CHROMIUM if it is set", async () => {
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "chromium"), "");
  const named = join(folder, "bin", "mine");
  vi.stubEnv("JOBSET_CHROMIUM", named);
  expect(await chromium()).toEqual({
    outcome: "Unavailable",
    reason: `JOBSET_CHROMIUM is ${named}, which does not exist.`,
  });
  writeFileSync(named, "");
  expect(await chromium()).toEqual({ outcome: "Found", path: named });
});

it("chromium explains how to get a browser if it finds none and there is no apt-get", async () => {
  expect(await chromium()).toEqual({
    outcome: "Unavailable",
    reason:
      "Chromium not found: install it (on Debian: apt-get install chromium) or set JOBSET_CHROMIUM to its path.",
  });
});
