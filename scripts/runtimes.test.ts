import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it, vi } from "vitest";
import { createNode } from "./runtimes.mjs";

const running = Number(process.versions.node.split(".")[0]);

it("the Node that runs is taken as it is", async () => {
  expect(await createNode(running)).toEqual({ outcome: "Found", path: process.execPath });
});

it("a Node that nobody can fetch is missing, with the reason in one line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  vi.stubEnv("PATH", folder);
  const { outcome, reason = "" } = await createNode(running === 22 ? 24 : 22);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  expect(outcome).toBe("Unavailable");
  expect(reason).toMatch(/^npx does not find node@2[24]\.\d+\.\d+: .*ENOENT$/);
});

it("a runtime that nobody knows is refused, and the others are named", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "run.mjs"), "everywhere", "netscape"],
    { encoding: "utf8" },
  );
  expect(stderr).toContain(
    'unknown runtime "netscape": use some of node20, node22, node24, deno, bun, workerd, chromium',
  );
  expect(status).toBe(2);
});
