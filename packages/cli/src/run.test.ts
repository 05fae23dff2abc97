import { describe, expect, it } from "vitest";
import { run } from "./run.ts";
import { aJobSetFile, aReplicatedJob, ran } from "./testing.ts";

const files = { "train.yaml": aJobSetFile(`replicatedJobs:\n${aReplicatedJob("workers", 2)}`) };

describe("jobset", () => {
  it("prints its help, with the commands, when it is asked to or told nothing", async () => {
    const asked = await ran(["--help"]);
    expect(asked).toMatchObject({ exitCode: 0, error: "" });
    expect(asked.out).toMatch(/^Usage: jobset .*render.*names/s);
    expect(await ran([])).toEqual(asked);
    expect((await ran(["help", "render"])).out).toMatch(
      /^Usage: jobset render .*--feature-gates.*Examples:/s,
    );
    expect((await ran(["names", "-h"])).out).toMatch(/^Usage: jobset names /);
  });

  it("prints its version", async () => {
    expect(await ran(["--version"])).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it.each([
    [["rendr"], "unknown command 'rendr' (Did you mean render?)"],
    [["destroy"], "unknown command 'destroy'"],
    [["help", "destroy"], "unknown command"],
    [["render"], "no file is named: use -f FILE, or -f - for standard input"],
    [["render", "-f"], "option '-f, --filename <file>' argument missing"],
    [["render", "--fil", "x"], "unknown option '--fil'"],
    [
      ["render", "-f", "x", "y"],
      "too many arguments for 'render'. Expected 0 arguments but got 1.",
    ],
    [
      ["render", "-f", "x", "-o", "xml"],
      "option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are yaml, json, table, name.",
    ],
    [
      ["names", "-f", "x", "--feature-gates", "Nope=true"],
      `option '--features, --feature-gates <gates>' argument 'Nope=true' is invalid. unknown feature gate "Nope".`,
    ],
    [
      ["names", "-f", "x", "--uid", "a/b"],
      "option '--uid <uid>' argument 'a/b' is invalid. A UID is up to 63 letters, digits, -, _ and ., with a " +
        "letter or digit at its ends.",
    ],
    [
      ["render", "-f", "x", "-n", "A"],
      "option '-n, --namespace <name>' argument 'A' is invalid. A namespace is up to 63 of a-z, 0-9 and -, " +
        "with no - at its ends.",
    ],
  ])("refuses %j in one line", async (args, message) => {
    expect(await ran(args)).toEqual({
      exitCode: 2,
      out: "",
      error: `jobset: ${message} (see jobset --help)\n`,
    });
  });

  it("uses colours on a terminal only, and not where NO_COLOR is set", async () => {
    const args = ["render", "-f", "missing.yaml"];
    const coloured = "\u001b[1mmissing.yaml\u001b[22m: no such file\n";
    expect((await ran(args, { isTTY: true })).error).toBe(coloured);
    expect((await ran(args, { isTTY: true, env: { NO_COLOR: "" } })).error).toBe(coloured);
    expect((await ran(args, { isTTY: true, env: { NO_COLOR: "1" } })).error).toBe(
      "missing.yaml: no such file\n",
    );
    expect((await ran(args)).error).toBe("missing.yaml: no such file\n");
  });

  it("reports a defect of its own in one line, with the stack for those who ask", async () => {
    const broken = (env: Record<string, string>, written: { error: string }) => ({
      readFile: async () => new Uint8Array(),
      readStdin: async () => new Uint8Array(),
      now: () => 0,
      stdout: { write: (_: string, done: (error?: Error) => void) => done(new Error("disk full")) },
      stderr: {
        write: (text: string, done: (error?: Error) => void) => {
          written.error += text;
          done();
        },
      },
      env,
    });
    const plain = { error: "" };
    expect(await run(["--help"], broken({}, plain))).toBe(3);
    expect(plain.error).toBe("jobset: internal error: disk full\n");
    const debug = { error: "" };
    expect(await run(["--help"], broken({ JOBSET_DEBUG: "1" }, debug))).toBe(3);
    expect(debug.error).toMatch(/^jobset: internal error: disk full\nError: disk full\n\s+at /);
  });

  it("ends quietly when the reader has seen enough", async () => {
    const written = { error: "" };
    const exitCode = await run(["render", "-f", "train.yaml"], {
      readFile: async () => new TextEncoder().encode(files["train.yaml"]),
      readStdin: async () => new Uint8Array(),
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
