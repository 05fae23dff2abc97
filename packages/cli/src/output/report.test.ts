import { describe, expect, it } from "vitest";
import { createProgram } from "../command-line/program.ts";
import { readYamlDocuments } from "../input/yaml-documents.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

const good = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
const files = {
  "good.yaml": good,
  "generated.yaml": good.replace("name: train", "generateName: train-"),
  "refused.yaml": `${good}  ttlSecondsAfterFinished: -1\n`,
  "unreadable.yaml": "spec: [",
};

/** The command lines of all commands. Those that print Kubernetes objects print a list. */
const commands: Readonly<Record<string, (file: string) => readonly string[]>> = {
  render: (file) => ["-f", file],
  names: (file) => ["-f", file],
  plan: (file) => ["-f", file],
  status: (file) => ["-f", file],
  admit: (file) => ["-f", file],
  diff: (file) => ["good.yaml", file],
  cost: (file) => ["-f", file],
  kueue: (file) => ["podsets", "-f", file],
  explain: (file) => ["-f", file],
  top: (file) => ["-f", file],
  verify: (file) => ["-f", file],
  census: (file) => ["-f", file],
  "what-if": (file) => ["-f", file, "train", "--fail", "train-w-0"],
  upgrade: (file) => ["--from", "v0.11.1", "--to", "v0.12.0", "-f", file],
};

/** The commands without a common report: they print Kubernetes objects, an array, or further lists. */
const otherCommands = ["render", "explain", "upgrade"];
/** The commands that read a dump, in which a JobSet is not validated. */
const dumpCommands = ["top", "verify", "census", "what-if"];

type ReportedMessages = readonly Readonly<Record<string, unknown>>[];

interface PrintedReport {
  readonly items: readonly unknown[];
  readonly errors: ReportedMessages;
  readonly warnings: ReportedMessages;
  readonly notes: ReportedMessages;
}

const reportingCommands = Object.entries(commands).filter(
  ([name]) => !otherCommands.includes(name),
);
const rejectedCases = reportingCommands.filter(([name]) => !dumpCommands.includes(name));

/** Returns the report of a command about a file, and expects the same report as JSON and YAML. */
async function runForReport(name: string, file: string) {
  const args = [name, ...(commands[name]?.(file) ?? [])];
  const json = await runCommand([...args, "-o", "json"], { files });
  const yaml = await runCommand([...args, "-o", "yaml"], { files });
  const report = JSON.parse(json.out) as PrintedReport;
  expect(json.out).toBe(`${JSON.stringify(report, null, 2)}\n`);
  const documents = readYamlDocuments(yaml.out).map(({ value }) => value);
  expect(documents).toEqual([report]);
  expect({ ...yaml, out: "" }).toEqual({ ...json, out: "" });
  return { ...json, report };
}

describe("the report of every command", () => {
  it("every command is in this test", async () => {
    const world = {
      readFile: async () => new Uint8Array(),
      readStdin: async () => new Uint8Array(),
      readFolder: async () => [],
      writeFile: async () => {},
      stderr: { write: () => {} },
      env: {},
      now: () => 0,
      kubectl: async () => ({ stderr: "" }),
    };
    const context = {
      env: {},
      openWorld: async () => world,
      stdout: {},
      sleep: async () => false,
      finish: async () => {},
    };
    const program = await createProgram([], context);
    // These commands print a run or a format for other programs, which is not a list of items.
    const ofOthers = ["dump", "simulate", "explore", "replay", "schema", "version", "completion"];
    const names = program.commands.map((command) => command.name());
    expect(names.filter((name) => !ofOthers.includes(name))).toEqual(Object.keys(commands));
  });

  it.each(
    Object.keys(files).flatMap((file) => reportingCommands.map(([name]) => [name, file] as const)),
  )(
    "the report is an object with items, errors, warnings and notes: %s of %s",
    async (name, file) => {
      const { report, error } = await runForReport(name, file);
      expect(Object.keys(report)).toEqual(["items", "errors", "warnings", "notes"]);
      for (const list of Object.values(report)) expect(list).toBeInstanceOf(Array);
      const diagnostics = [...report.errors, ...report.warnings, ...report.notes];
      expect(diagnostics).toHaveLength(error.split("\n").length - 1);
    },
  );

  it.each(rejectedCases.map(([name]) => name))(
    "the report contains the position of each error: %s",
    async (name) => {
      const { exitCode, report } = await runForReport(name, "refused.yaml");
      expect(exitCode).toBe(1);
      const field = "spec.ttlSecondsAfterFinished";
      expect(report.errors).toEqual([
        {
          message: `Invalid value: -1: ${field} in body should be greater than or equal to 0`,
          field,
          file: "refused.yaml",
          line: 18,
          column: 3,
        },
      ]);
    },
  );

  it.each(reportingCommands.map(([name]) => name))(
    "an empty report states why there are no items: %s",
    async (name) => {
      const { exitCode, report } = await runForReport(name, "unreadable.yaml");
      expect({ exitCode, items: report.items }).toEqual({ exitCode: 2, items: [] });
      expect(report.errors).toMatchObject([{ file: "unreadable.yaml", line: 1, column: 8 }]);
    },
  );
});

describe("the output of render", () => {
  it("render prints a List for kubectl apply, and nothing if a JobSet is denied", async () => {
    const { out } = await runCommand(["render", "-f", "good.yaml", "-o", "json"], { files });
    expect(Object.keys(JSON.parse(out) as object)).toEqual([
      "apiVersion",
      "kind",
      "metadata",
      "items",
    ]);
    for (const file of ["refused.yaml", "unreadable.yaml"]) {
      expect((await runCommand(["render", "-f", file, "-o", "json"], { files })).out).toBe("");
    }
  });
});

describe("-o jsonpath", () => {
  it.each([
    ["names", "{.items[?(@.kind=='Service')].name}", "train"],
    ["plan", "{.items[0].jobSet.name}", "train"],
    ["status", '{range .items[*]}{.namespace}/{.name}{"\\n"}{end}', "default/train\n"],
    ["admit", "{.items[*].allowed}", "true"],
    ["diff", "{.items[*].admission.allowed}", "true"],
    ["kueue", "{.items[*].podSets[*].count}", "2"],
    ["explain", "{[*].jobSet}", "default/train"],
    ["top", "{.items[*].phase}", "Pending"],
    ["render", "{.items[*].metadata.name}", "train train-w-0"],
  ])("-o jsonpath evaluates the output of -o json: %s %s", async (name, template, text) => {
    const args = [name, ...(commands[name]?.("good.yaml") ?? []), "-o", `jsonpath=${template}`];
    const { out, exitCode } = await runCommand(args, { files });
    expect({ out, exitCode }).toEqual({ out: text, exitCode: 0 });
  });

  it("-o jsonpath rejects an invalid template before it reads input", async () => {
    const { exitCode, error } = await runCommand([
      "top",
      "-f",
      "missing.yaml",
      "-o",
      "jsonpath={.a",
    ]);
    expect(exitCode).toBe(2);
    expect(error).toBe(
      "jobset: option '-o, --output <format>' argument 'jsonpath={.a' is invalid. } is missing, at character 4. (see jobset top --help)\n",
    );
  });

  it("-o jsonpath prints only an error if the template refers to missing elements", async () => {
    for (const [name, template] of [
      ["render", "{.items[9]}"],
      ["admit", "{.items[9]}"],
      ["explain", "{[9]}"],
    ] as const) {
      const args = [name, "-f", "good.yaml", "-o", `jsonpath=${template}`];
      const { exitCode, out, error } = await runCommand(args, { files });
      expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
      expect(error).toMatch(/^jobset: -o jsonpath: \[9\]: there are \d elements$/m);
    }
  });

  it("-o jsonpath prints no values of environment variables", async () => {
    const secret = good.replace("image: example.com/w:1", "env: [{name: T, value: hunter2}]");
    const args = ["kueue", "podsets", "-f", "s.yaml", "-o", "jsonpath={..env[*].value}"];
    const { out } = await runCommand(args, { files: { "s.yaml": secret } });
    expect(out).toBe("(redacted 1)");
  });
});

describe("-o name", () => {
  it.each(["top", "status", "admit"])(
    "-o name prints JobSets as kubectl does: %s",
    async (name) => {
      const { out } = await runCommand([name, "-f", "good.yaml", "-o", "name"], { files });
      expect(out).toBe("jobset.jobset.x-k8s.io/train\n");
    },
  );

  it("admit -o name prints only admitted objects", async () => {
    const args = ["admit", "-f", "good.yaml", "-f", "refused.yaml", "-o", "name"];
    const { exitCode, out } = await runCommand(args, { files });
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: "jobset.jobset.x-k8s.io/train\n" });
  });
});

describe("-o wide", () => {
  it.each([
    [
      "render",
      /^KIND .* SUSPEND +COMPLETIONS +BACKOFFLIMIT +CONTAINERS +IMAGES\n.*\n.* 2 +<none> +main +example.com\/w:1\n$/,
    ],
    ["names", / DNS-NAME +FQDN\n.* train-w-0-0.train.default.svc.cluster.local\n/s],
    ["top", /^NAMESPACE +NAME +PHASE +RESTARTS +COUNTED +READY +PENDING +WHY\n.* 0 +0\/0 +0\//],
  ])("-o wide prints more columns: %s", async (name, pattern) => {
    const { out } = await runCommand([name, "-f", "good.yaml", "-o", "wide"], { files });
    expect(out).toMatch(pattern);
  });
});
