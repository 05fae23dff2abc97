import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { MAX_BYTES } from "./input/read-limited.ts";
import { aJobSetFile, aReplicatedJob } from "./testing.ts";

const script = fileURLToPath(new URL("../../../scripts/run.mjs", import.meta.url));
const manyJobs = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w", 1000)}`);

describe("the jobset program", () => {
  it("jobset reads standard input, and exits after all output is written to a pipe", () => {
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

  it("jobset exits quietly when its reader closes the pipe", async () => {
    const child = spawn(process.execPath, [script, "start", "render", "-f", "-"]);
    child.stdin.end(manyJobs);
    child.stdout.once("data", () => child.stdout.destroy());
    const ended = new Promise((resolve) => child.once("close", resolve));
    expect(await text(child.stderr)).toBe("");
    expect(await ended).toBe(0);
  });

  it("jobset rejects a file that is too large to be read", () => {
    const folder = mkdtempSync(join(tmpdir(), "jobset-"));
    const file = join(folder, "huge.yaml");
    try {
      writeFileSync(file, "");
      truncateSync(file, 600 * 2 ** 20); // The file is sparse and takes no disk space.
      const args = [script, "start", "plan", "-f", file];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      expect({ status, stdout, stderr }).toEqual({
        status: 2,
        stdout: "",
        stderr: `${file}: larger than ${MAX_BYTES.toLocaleString("en")} bytes, the maximum size of a file\n`,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  // /dev/full is a device that is always full.
  it.each(["/dev/full"].filter((device) => existsSync(device)))(
    "jobset reports that %s is full",
    (device) => {
      const full = openSync(device, "w");
      try {
        const args = [script, "start", "render", "-f", "-"];
        const { status, stderr } = spawnSync(process.execPath, args, {
          encoding: "utf8",
          input: manyJobs,
          stdio: ["pipe", full, "pipe"],
        });
        expect(stderr).toBe("<stdout>: cannot be written: no space left on the device\n");
        expect(status).toBe(2);
      } finally {
        closeSync(full);
      }
    },
  );

  it("jobset reads files from the folder where npm was called, and returns its exit code", () => {
    const folder = fileURLToPath(new URL("..", import.meta.url));
    const args = [script, "start", "names", "-f", "missing.yaml", "-f", "src"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { ...process.env, npm_lifecycle_event: "start", INIT_CWD: folder },
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toBe(
      "missing.yaml: no such file\nsrc: is a folder without a .json, .yaml or .yml file; -R includes its subfolders\n",
    );
  });
});

describe("jobset while kubectl runs", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("jobset ends on %s, after kubectl", async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), "jobset-kubectl-"));
    try {
      const pidFile = join(folder, "pid");
      const kubectl = `#!/bin/sh\necho $$ > '${pidFile}.new'\n/bin/mv '${pidFile}.new' '${pidFile}'\nexec /bin/sleep 600\n`;
      writeFileSync(join(folder, "kubectl"), kubectl, { mode: 0o755 });
      const child = spawn(process.execPath, [script, "start", "status"], {
        env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => child.once("close", (_, by) => resolve(by)));
      await vi.waitUntil(() => existsSync(pidFile), 250_000);
      const pid = Number(readFileSync(pidFile, "utf8"));
      // A process has no command while it replaces its program.
      await vi.waitUntil(() => isRunning(pid), 250_000);
      child.kill(signal);
      expect(await ended).toBe(signal);
      await vi.waitUntil(() => !isRunning(pid), 250_000);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

// Runs only if `script` can create a terminal. The input goes to the program, and Ctrl-C becomes a signal.
describe.each(["/usr/bin/script"].filter(isUtilLinux))(
  "jobset explore in a terminal of %s",
  (terminal) => {
    it("jobset explore ends on Ctrl-C with partial results, and prints how to continue", async () => {
      const folder = mkdtempSync(join(tmpdir(), "jobset-explore-"));
      try {
        const file = join(folder, "js.yaml");
        writeFileSync(file, aJobSetFile(`suspend: true\nreplicatedJobs:\n${aReplicatedJob("w")}`));
        // A shell that waits for the program would also get Ctrl-C, and set the exit code. dash waits.
        const command = [
          "exec",
          process.execPath,
          script,
          "start",
          "explore",
          "-f",
          file,
          "--runs",
          "1000000",
        ];
        const child = spawn(terminal, ["-qec", command.join(" "), "/dev/null"], {
          env: { ...process.env, SHELL: "/bin/sh" },
        });
        let text = "";
        child.stdout.on("data", (data) => {
          const wasUnderWay = text.includes(" left");
          text += data;
          if (!wasUnderWay && text.includes(" left")) child.stdin.write("\u0003");
        });
        expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
        expect(text).toMatch(
          /\d+ scenarios?, \d+ of them became idle, \d+ states?, 0 with a violation/,
        );
        expect(text).toMatch(/stopped early; to continue, .*--seed 1 --from \d+ --runs \d+/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  },
);

/** On other systems, a different program has this name. */
function isUtilLinux(program: string): boolean {
  return (
    spawnSync(program, ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false
  );
}

/**
 * Returns whether the fake kubectl runs. The process ID alone does not prove it, because a zombie can keep it and
 * another process can reuse it.
 */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync("/proc/self/cmdline") || isFakeKubectl(pid);
  } catch {
    return false;
  }
}

/** Returns whether the process is the fake kubectl, by its command. An ended process has no command. */
function isFakeKubectl(pid: number): boolean {
  return /kubectl|sleep/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
}
