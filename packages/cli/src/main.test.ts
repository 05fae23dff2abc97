import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob } from "./testing.ts";

const script = fileURLToPath(new URL("../../../scripts/run.mjs", import.meta.url));
const manyJobs = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w", 1000)}`);

describe("the program", { timeout: 60_000 }, () => {
  it("reads standard input, and ends once a pipe has taken all that it has to say", () => {
    const args = [script, "start", "render", "-f", "-", "-o", "json"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      input: manyJobs,
      maxBuffer: 1e9,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { items } = JSON.parse(stdout) as { items: unknown[] };
    expect(items).toHaveLength(1001);
  });

  it("ends quietly when nobody reads on", async () => {
    const child = spawn(process.execPath, [script, "start", "render", "-f", "-"]);
    child.stdin.end(manyJobs);
    child.stdout.once("data", () => child.stdout.destroy());
    const ended = new Promise((resolve) => child.once("close", resolve));
    expect(await text(child.stderr)).toBe("");
    expect(await ended).toBe(0);
  });

  it("reads files from the folder where npm was called, and ends with the exit code of what it finds", () => {
    const folder = fileURLToPath(new URL("..", import.meta.url));
    const args = [script, "start", "names", "-f", "missing.yaml", "-f", "src"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { ...process.env, npm_lifecycle_event: "start", INIT_CWD: folder },
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toBe("missing.yaml: no such file\nsrc: is a directory; name the files in it\n");
  });
});
