import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { controlPlaneBinary } from "./control-plane-binary.ts";

const sources = join(import.meta.dirname, "..", "controlplane");
const say = vi.fn();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  vi.stubEnv("XDG_CACHE_HOME", folder);
  vi.stubEnv("JOBSET_E2E_CONTROLPLANE", undefined);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
  expect(say).not.toHaveBeenCalled(); // nothing was built
});

it("is the one that is named", () => {
  const path = join(folder, "binary");
  writeFileSync(path, "");
  vi.stubEnv("JOBSET_E2E_CONTROLPLANE", path);
  expect(controlPlaneBinary(sources, say)).toEqual({ outcome: "Found", path });
});

it("is not built where one is named that is not there: that is a mistake", () => {
  vi.stubEnv("JOBSET_E2E_CONTROLPLANE", "/nowhere/binary");
  expect(controlPlaneBinary(sources, say)).toEqual({
    outcome: "Failed",
    reason: "JOBSET_E2E_CONTROLPLANE names no file: /nowhere/binary",
  });
});

it("cannot be had without Go", () => {
  vi.stubEnv("PATH", folder);
  expect(controlPlaneBinary(sources, say)).toEqual({
    outcome: "Unavailable",
    reason: "Go 1.26 or newer is not on the path, and JOBSET_E2E_CONTROLPLANE names no binary",
  });
});

it("cannot be built by an older Go", () => {
  writeFileSync(join(folder, "go"), "#!/bin/sh\necho go1.25.3\n", { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
  expect(controlPlaneBinary(sources, say)).toEqual({
    outcome: "Unavailable",
    reason: "go1.25.3 is older than Go 1.26",
  });
});
