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
  expect(say).not.toHaveBeenCalled(); // No build was announced.
});

it("the binary in JOBSET_E2E_CONTROLPLANE is used", () => {
  const path = join(folder, "binary");
  writeFileSync(path, "");
  vi.stubEnv("JOBSET_E2E_CONTROLPLANE", path);
  expect(controlPlaneBinary(sources, say)).toEqual({ outcome: "Found", path });
});

it("a missing file in JOBSET_E2E_CONTROLPLANE is an error and starts no build", () => {
  vi.stubEnv("JOBSET_E2E_CONTROLPLANE", "/nowhere/binary");
  expect(controlPlaneBinary(sources, say)).toEqual({
    outcome: "Failed",
    reason: "JOBSET_E2E_CONTROLPLANE: the file does not exist: /nowhere/binary",
  });
});

it("the binary is unavailable without Go", () => {
  vi.stubEnv("PATH", folder);
  expect(controlPlaneBinary(sources, say)).toEqual({
    outcome: "Unavailable",
    reason: "Go 1.26 or newer is not on the PATH, and JOBSET_E2E_CONTROLPLANE is not set",
  });
});

it("the binary is unavailable with an older Go", () => {
  writeFileSync(join(folder, "go"), "#!/bin/sh\necho go1.25.3\n", { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
  expect(controlPlaneBinary(sources, say)).toEqual({
    outcome: "Unavailable",
    reason: "go1.25.3 is older than Go 1.26",
  });
});
