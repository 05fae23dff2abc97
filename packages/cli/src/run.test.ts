import { describe, expect, it } from "vitest";
import { run } from "./run.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "./testing.ts";

const files = { "train.yaml": aJobSetFile(`replicatedJobs:\n${aReplicatedJob("workers", 2)}`) };

describe("the jobset command line", () => {
  it("--help prints the help with the commands", async () => {
    const result = await runCommand(["--help"]);
    expect(result).toMatchObject({ exitCode: 0, error: "" });
    expect(result.out).toMatch(/^Usage: jobset .*render.*names/s);
    expect((await runCommand(["help", "render"])).out).toMatch(
      /^Usage: jobset render .*--feature-gates.*Examples:/s,
    );
    expect((await runCommand(["names", "-h"])).out).toMatch(/^Usage: jobset names /);
  });

  it("jobset without a command prints its help as an error", async () => {
    const { out } = await runCommand(["--help"]);
    expect(await runCommand([])).toEqual({ exitCode: 2, out: "", error: out });
    const group = await runCommand(["kueue"]);
    expect(group).toMatchObject({ exitCode: 2, out: "" });
    expect(group.error).toMatch(/^Usage: jobset kueue /);
  });

  it("jobset prints its version, as a command or an option", async () => {
    const { out: version, ...rest } = await runCommand(["--version"]);
    expect(rest).toEqual({ exitCode: 0, error: "" });
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await runCommand(["version"])).toEqual({ exitCode: 0, out: version, error: "" });
  });

  it("jobset version prints the same shape as kubectl version", async () => {
    const { out: version } = await runCommand(["version"]);
    const shown = { clientVersion: { gitVersion: `v${version.trim()}` } };
    const { exitCode, out } = await runCommand(["version", "-o", "json"]);
    expect({ exitCode, ...JSON.parse(out) }).toEqual({ exitCode: 0, ...shown });
    const yaml = await runCommand(["version", "-o", "yaml"]);
    expect(yaml.out).toBe(`clientVersion:\n  gitVersion: ${shown.clientVersion.gitVersion}\n`);
  });

  it.each([
    [["rendr"], "unknown command 'rendr' (Did you mean render?)"],
    [["destroy"], "unknown command 'destroy'"],
    [["help", "destroy"], "unknown command 'destroy'"],
    [["help", "rendr"], "unknown command 'rendr' (Did you mean render?)"],
    [["render"], "no file given: use -f FILE, or -f - for standard input"],
    [["render", "-f"], "option '-f, --filename <file>' argument missing"],
    [["render", "--fil", "x"], "unknown option '--fil'"],
    [
      ["render", "-f", "x", "y"],
      "too many arguments for 'render'. Expected 0 arguments but got 1.",
    ],
    [
      ["render", "-f", "x", "-o", "xml"],
      "option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are table, json, yaml, wide, name, jsonpath=<template>.",
    ],
    [
      ["names", "-f", "x", "--feature-gates", "Nope=true"],
      `option '--features, --feature-gates <gates>' argument 'Nope=true' is invalid. unknown feature gate "Nope".`,
    ],
    [
      ["names", "-f", "x", "--feature-gates", "InPlaceRestart=true,RestartJobs=true"],
      `option '--features, --feature-gates <gates>' argument 'InPlaceRestart=true,RestartJobs=true' is invalid. unknown feature gate "RestartJobs". (Did you mean RestartJob?)`,
    ],
    [
      ["names", "-f", "x", "--uid", "a/b"],
      "option '--uid <uid>' argument 'a/b' is invalid. A UID is up to 63 letters, digits, -, _ and ., and starts and ends " +
        "with a letter or digit.",
    ],
    [
      ["render", "-f", "x", "-n", "A"],
      "option '-n, --namespace <name>' argument 'A' is invalid. A namespace is up to 63 of a-z, 0-9 and -, and " +
        "does not start or end with -.",
    ],
  ])("jobset rejects %j in one line that refers to the help", async (args, message) => {
    const [command = ""] = args;
    const page = ["render", "names"].includes(command) ? `jobset ${command}` : "jobset";
    expect(await runCommand(args)).toEqual({
      exitCode: 2,
      out: "",
      error: `jobset: ${message} (see ${page} --help)\n`,
    });
  });

  it("jobset uses colors on a terminal only, unless NO_COLOR is set", async () => {
    const args = ["render", "-f", "missing.yaml"];
    const coloured = "\u001b[1mmissing.yaml\u001b[22m: no such file\n";
    expect((await runCommand(args, { isTTY: true })).error).toBe(coloured);
    expect((await runCommand(args, { isTTY: true, env: { NO_COLOR: "" } })).error).toBe(coloured);
    expect((await runCommand(args, { isTTY: true, env: { NO_COLOR: "1" } })).error).toBe(
      "missing.yaml: no such file\n",
    );
    expect((await runCommand(args)).error).toBe("missing.yaml: no such file\n");
  });

  /** Creates an environment in which writing to a stream or reading the clock fails. */
  function createFailingIo(world: {
    readonly stdout?: Error;
    readonly stderr?: Error;
    readonly clock?: Error;
  }) {
    const written = { out: "", error: "" };
    const sink = (name: "out" | "error", error: Error | undefined) => ({
      write(text: string, done: (error?: Error) => void) {
        if (error === undefined) written[name] += text;
        done(error);
      },
    });
    const io = (env: Record<string, string> = {}) => ({
      readFile: async (path: string) =>
        new TextEncoder().encode(
          files["train.yaml"].replace("replicas", path === "typo.yaml" ? "replica" : "replicas"),
        ),
      readStdin: async () => new Uint8Array(),
      readFolder: async () => [],
      writeFile: async () => {},
      now: () => {
        if (world.clock !== undefined) throw world.clock;
        return 0;
      },
      stdout: sink("out", world.stdout),
      stderr: sink("error", world.stderr),
      env,
    });
    return { written, io };
  }

  it("an internal error is one line, with the stack on request", async () => {
    const clock = new Error("no \u001b time");
    const plain = createFailingIo({ clock });
    expect(await run(["plan", "-f", "train.yaml"], plain.io())).toBe(3);
    expect(plain.written).toEqual({ out: "", error: "jobset: internal error: no \\u001b time\n" });
    const debug = createFailingIo({ clock });
    expect(await run(["plan", "-f", "train.yaml"], debug.io({ JOBSET_DEBUG: "1" }))).toBe(3);
    expect(debug.written.error).toMatch(
      /^jobset: internal error: no \\u001b time\nError: no \\u001b time\n\s+at /,
    );
  });

  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
  });

  it("a full disk is reported as such, not as an internal error", async () => {
    for (const args of [["--help"], ["render", "-f", "train.yaml"], ["plan", "-f", "train.yaml"]]) {
      const { io, written } = createFailingIo({ stdout: full });
      expect(await run(args, io())).toBe(2);
      expect(written.error).toBe("<stdout>: cannot be written: no space left on the device\n");
    }
    const { io, written } = createFailingIo({ stdout: new Error("EIO: i/o error") });
    expect(await run(["--help"], io())).toBe(2);
    expect(written.error).toBe("<stdout>: cannot be written: EIO: i/o error\n");
  });

  it("a closed standard error does not stop the output", async () => {
    const { io, written } = createFailingIo({ stderr: full });
    expect(await run(["names", "-f", "typo.yaml", "--validate=warn"], io())).toBe(2);
    expect(written.out).toMatch(/^KIND /);
    expect(await run(["nonsense"], io())).toBe(2);
    expect(await run(["--help"], createFailingIo({ stderr: full, stdout: full }).io())).toBe(2);
    const clock = new Error("no time");
    expect(await run(["plan", "-f", "x"], createFailingIo({ stderr: full, clock }).io())).toBe(3);
  });

  it("jobset exits quietly when the reader closes the pipe", async () => {
    const written = { error: "" };
    const exitCode = await run(["render", "-f", "train.yaml"], {
      readFile: async () => new TextEncoder().encode(files["train.yaml"]),
      readStdin: async () => new Uint8Array(),
      readFolder: async () => [],
      writeFile: async () => {},
      now: () => 0,
      stdout: { write: (_, done) => done(Object.assign(new Error("gone"), { code: "EPIPE" })) },
      stderr: {
        write: (text, done) => {
          written.error += text;
          done();
        },
      },
      env: {},
    });
    expect({ exitCode, ...written }).toEqual({ exitCode: 0, error: "" });
  });
});
