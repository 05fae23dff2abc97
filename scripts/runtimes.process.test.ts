import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it, vi } from "vitest";
import { findNode } from "./runtimes.mjs";

const running = Number(process.versions.node.split(".")[0]);

it("findNode returns the running Node for its own major version", async () => {
  expect(await findNode(running)).toEqual({ outcome: "Found", path: process.execPath });
});

it("findNode returns a one-line reason if npx cannot install a Node", async () => {
  const folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  vi.stubEnv("PATH", folder);
  const { outcome, reason = "" } = await findNode(running === 22 ? 24 : 22);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  expect(outcome).toBe("Unavailable");
  expect(reason).toMatch(/^npx cannot install node@2[24]\.\d+\.\d+: .*ENOENT$/);
});

it("everywhere rejects an unknown runtime and lists the known ones", () => {
  // `npm run everywhere` would first install all runtimes.
  const code = `(await import("./everywhere.mjs")).everywhere(["netscape"])`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  expect(stderr).toContain(
    'unknown runtime "netscape": use one or more of node20, node22, node24, deno, bun, workerd, chromium',
  );
  expect(status).toBe(2);
});
