import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand, type TestEnvironment } from "./testing.ts";

/** Runs `render` on a file, and returns its exit code and standard error. Expects no output. */
async function renderError(content: NonNullable<TestEnvironment["files"]>[string] | undefined) {
  const files: TestEnvironment["files"] = content === undefined ? {} : { "bad.yaml": content };
  const { exitCode, out, error } = await runCommand(["render", "-f", "bad.yaml"], { files });
  expect(out).toBe("");
  expect(error).not.toMatch(/^\s+at /m); // There is no stack trace.
  return { exitCode, error };
}

const header = aJobSetFile().split("\n").slice(0, 5).join("\n");

const jobSet = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  metadata: { name: "train" },
};

/** Returns a JobSet of five lines, followed by this line as a member of `spec`. */
function withMember(line: string): string {
  return `${header}\n  ${line}\n`;
}

describe("unreadable files", () => {
  it.each([
    ["that is missing", undefined, "bad.yaml: no such file"],
    ["that is empty", "", "bad.yaml: no JobSet found"],
    ["with only comments", "# to do\n---\n", "bad.yaml: no JobSet found"],
    ["that is not text", Uint8Array.of(0x89, 0x50, 0x4e, 0x47), "bad.yaml:1:1: not UTF-8 text"],
    [
      "that is not YAML",
      withMember("replicatedJobs: [{name: a"),
      "bad.yaml:7:1: spec.replicatedJobs[0].name: not YAML: flow map in block collection must be sufficiently " +
        "indented and end with a }",
    ],
    [
      "that contains only a sentence",
      "apply me\n",
      "bad.yaml:1:1: expected an object with apiVersion and kind, found a string",
    ],
    [
      "without a JobSet",
      "apiVersion: v1\nkind: Pod\n---\napiVersion: v1\nkind: Pod\n---\nkind: Job\napiVersion: batch/v1\n",
      "bad.yaml: no JobSet found, only Pod, Job",
    ],
    [
      "with an empty list",
      '{"apiVersion": "v1", "kind": "List", "items": []}',
      "bad.yaml: no JobSet found",
    ],
    [
      "of another apiVersion",
      aJobSetFile().replace("v1alpha2", "v1alpha1"),
      'bad.yaml:1:1: apiVersion: Unsupported value: "jobset.x-k8s.io/v1alpha1": supported values: ' +
        '"jobset.x-k8s.io/v1alpha2"',
    ],
    [
      "with a __proto__ key",
      withMember("__proto__: {suspend: true}"),
      "bad.yaml:6:3: spec.__proto__: Forbidden: no Kubernetes field has this name",
    ],
    [
      "with a lone surrogate",
      withMember('managedBy: "\\ud83d"'),
      "bad.yaml:6:14: spec.managedBy: Invalid value: the text contains a lone surrogate, which is not a character",
    ],
    [
      "with a NUL byte",
      withMember("managedBy: a\0b"),
      "bad.yaml:6:15: spec.managedBy: not YAML: the control character U+0000 is not allowed",
    ],
    [
      "with a NUL character",
      withMember('managedBy: "\\0"'),
      "bad.yaml:6:14: spec.managedBy: Invalid value: the text contains a NUL character",
    ],
    [
      "with an integer beyond 2^53",
      withMember("ttlSecondsAfterFinished: 9007199254740993"),
      "bad.yaml:6:28: spec.ttlSecondsAfterFinished: Invalid value: 9007199254740993: an integer beyond " +
        "±9007199254740991 (2^53 - 1) cannot be represented exactly; if it is a quantity, put it in quotes",
    ],
    [
      "with infinity",
      withMember("ttlSecondsAfterFinished: .inf"),
      "bad.yaml:6:28: spec.ttlSecondsAfterFinished: Invalid value: .inf: JSON cannot represent this number",
    ],
  ])("a file %s is rejected with its name, the line and the field", async (_, content, line) => {
    expect(await renderError(content)).toEqual({ exitCode: 2, error: `${line}\n` });
  });

  it("a file with a YAML alias bomb is rejected before its aliases are expanded", async () => {
    const bomb = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? "b0: &b0 [x, x, x, x, x, x, x, x, x]"
        : `b${level}: &b${level} [${Array(9)
            .fill(`*b${level - 1}`)
            .join(", ")}]`,
    );
    expect(await renderError(withMember(bomb.join("\n  ")))).toEqual({
      exitCode: 2,
      error:
        "bad.yaml:11:12: spec.b5[0]: Invalid value: the aliases expand to more than 100,000 values\n",
    });
  });

  it.each([[600], [20_000]])("a file with %i levels of nesting is rejected", async (levels) => {
    const content = withMember(`a: ${"[".repeat(levels)}${"]".repeat(levels)}`);
    const { exitCode, error } = await renderError(content);
    expect(exitCode).toBe(2);
    expect(error).toMatch(/^bad\.yaml:6:\d+: spec\.a\[0\].*: is nested deeper than 500 levels\n$/);
  });
});

/** Returns a JobSet with one ReplicatedJob of one container with these members, which start in line 18. */
function withContainer(members: string): string {
  return aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}\n            ${members}`);
}

const container = "spec.replicatedJobs[0].template.spec.template.spec.containers[0]";

describe("denied JobSets", () => {
  it.each([
    [
      "a number in place of a string",
      withContainer("workingDir: 5"),
      `18:15: ${container}.workingDir: Invalid value: 5: must be a string`,
    ],
    [
      "a string in place of a list",
      withContainer("env: yes please"),
      `18:15: ${container}.env: Invalid value: "(redacted 1)": must be a list`,
    ],
    [
      "an object in place of a list",
      withMember("replicatedJobs: {name: a}"),
      '6:3: spec.replicatedJobs: Invalid value: "object": must be a list',
    ],
    [
      "a scalar in a list of objects",
      withContainer("ports: [http]"),
      `18:23: ${container}.ports[0]: Invalid value: "http": must be an object`,
    ],
    [
      "a string in place of a boolean",
      withMember('suspend: "true"'),
      '6:3: spec.suspend: Invalid value: "true": must be true or false',
    ],
    [
      "a boolean in place of a quoted yes",
      withContainer("env: [{name: A, value: yes}]"),
      `18:31: ${container}.env[0].value: Invalid value: true: must be a string`,
    ],
    [
      "a string in place of an object",
      withMember("").replace("spec:\n  \n", "spec: none\n"),
      '5:1: spec: Invalid value: "none": must be an object',
    ],
    [
      "metadata of the wrong type",
      aJobSetFile().replace("  name: train", "  name: [train]"),
      '4:3: metadata.name: Invalid value: "array": must be a string',
    ],
    [
      "a label that is a number",
      aJobSetFile().replace("  name: train", "  name: train\n  labels: {a.b/c: 1}"),
      "5:12: metadata.labels[a.b/c]: Invalid value: 1: must be a string",
    ],
    [
      "an integer beyond int32",
      withMember("ttlSecondsAfterFinished: 2147483648"),
      "6:3: spec.ttlSecondsAfterFinished: Invalid value: 2147483648: must be between -2147483648 and 2147483647",
    ],
    [
      "a fraction",
      withMember("ttlSecondsAfterFinished: 1.5"),
      "6:3: spec.ttlSecondsAfterFinished: Invalid value: 1.5: must be an integer",
    ],
    [
      "a quantity with an unknown suffix",
      withContainer("resources: {limits: {memory: 1GiB}}"),
      `18:36: ${container}.resources.limits[memory]: Invalid value: "1GiB": must be a quantity such as 500m, 2 or 1.5Gi`,
    ],
  ])("an object with %s is rejected before its schema is checked", async (_, content, line) => {
    expect(await renderError(content)).toEqual({ exitCode: 1, error: `bad.yaml:${line}\n` });
  });

  const notChecked =
    "bad.yaml:1:1: note: some validation rules were not checked because the object was invalid; " +
    "correct the existing errors to complete validation\n";

  it.each([
    [
      "a negative number",
      withMember("ttlSecondsAfterFinished: -1"),
      "6:3: spec.ttlSecondsAfterFinished: Invalid value: -1: spec.ttlSecondsAfterFinished in body should be greater than or equal to 0",
      "",
    ],
    [
      "two ReplicatedJobs with the same name",
      aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}\n${aReplicatedJob("w")}`),
      '18:5: spec.replicatedJobs[1]: Duplicate value: {"name":"w"}',
      "",
    ],
    [
      "an unknown operator",
      withMember("successPolicy: {operator: Some}"),
      '6:19: spec.successPolicy.operator: Unsupported value: "Some": supported values: "All", "Any"',
      notChecked,
    ],
    [
      "no containers",
      aJobSetFile("replicatedJobs: [{name: w, template: {spec: {template: {spec: {}}}}}]"),
      "6:59: spec.replicatedJobs[0].template.spec.template.spec.containers: Required value",
      notChecked,
    ],
    [
      "no name",
      aJobSetFile().replace("  name: train", "  labels: {}"),
      "3:1: metadata.name: Required value: name or generateName is required",
      notChecked,
    ],
    [
      "both startup policies",
      aJobSetFile(
        "startupPolicy: {startupPolicyOrder: InOrder}\nreplicatedJobs: [{name: w, dependsOn: [], template: {spec: {template: {spec: {containers: []}}}}}]",
      ),
      "5:1: spec: Invalid value: StartupPolicy and DependsOn APIs are mutually exclusive",
      "",
    ],
  ])("a JobSet with %s is rejected by the schema", async (_, content, line, more) => {
    expect(await renderError(content)).toEqual({ exitCode: 1, error: `bad.yaml:${line}\n${more}` });
  });

  it("a JobSet with ten thousand errors shows the first twenty and counts the others", async () => {
    const jobs = Array.from({ length: 10_000 }, () => "5").join("\n  - ");
    const { exitCode, error } = await renderError(withMember(`replicatedJobs:\n  - ${jobs}`));
    const lines = error.split("\n");
    expect(exitCode).toBe(1);
    expect(lines[0]).toBe(
      "bad.yaml:7:5: spec.replicatedJobs[0]: Invalid value: 5: must be an object",
    );
    expect(lines[19]).toBe(
      "bad.yaml:26:5: spec.replicatedJobs[19]: Invalid value: 5: must be an object",
    );
    expect(lines.slice(20)).toEqual(["… and 9,980 more", ""]);
  });

  it("all errors are counted, even if there are more than a function call can have arguments", async () => {
    const jobs = "5,".repeat(130_000);
    const json = JSON.stringify({ ...jobSet, spec: { replicatedJobs: [] } }).replace(
      "[]",
      `[${jobs}5]`,
    );
    expect((await renderError(json)).error).toMatch(/… and 129,981 more\n$/);
    const numbers = "1e999,".repeat(130_000);
    const infinite = JSON.stringify({ ...jobSet, spec: [] }).replace("[]", `[${numbers}1e999]`);
    expect((await renderError(infinite)).error).toMatch(/… and 129,981 more\n$/);
    const unknown = Array.from({ length: 130_000 }, (_, index) => `"x${index}": 1`).join();
    const spec = JSON.stringify({ ...jobSet, spec: {} }).replace("{}", `{${unknown}}`);
    expect((await renderError(spec)).error).toMatch(/… and 129,981 more\n$/);
  });

  it("an object in another namespace than the requested one is rejected with its own namespace", async () => {
    const files = {
      "bad.yaml": aJobSetFile().replace("  name: train", "  name: train\n  namespace: a"),
    };
    expect(await runCommand(["render", "-f", "bad.yaml", "-n", "b"], { files })).toEqual({
      exitCode: 1,
      out: "",
      error:
        'bad.yaml:5:3: metadata.namespace: the namespace from the provided object "a" does not match the ' +
        "namespace \"b\". You must pass '--namespace=a' to perform this operation.\n",
    });
  });
});

describe("unreadable files of commands that read several files", () => {
  const good = aJobSetFile();
  const infinite = withMember("ttlSecondsAfterFinished: .inf");
  const line =
    "bad.yaml:6:28: spec.ttlSecondsAfterFinished: Invalid value: .inf: JSON cannot represent this number\n";

  it.each([
    [["admit", "-f", "bad.yaml"]],
    [["admit", "-f", "good.yaml", "-f", "bad.yaml"]],
    [["admit", "-f", "good.yaml", "--old", "bad.yaml"]],
    [["admit", "-f", "good.yaml", "--cluster", "bad.yaml"]],
    [["diff", "bad.yaml", "good.yaml"]],
    [["diff", "good.yaml", "bad.yaml"]],
    [["diff", "good.yaml", "good.yaml", "--cluster", "bad.yaml"]],
    [["plan", "-f", "good.yaml", "-f", "bad.yaml"]],
  ])("an invalid object is rejected, and the others are not mentioned: %j", async (args) => {
    const files = { "good.yaml": good, "bad.yaml": infinite };
    expect(await runCommand(args, { files })).toMatchObject({
      exitCode: 2,
      out: "",
      error: line,
    });
    const missing = await runCommand(args, { files: { "good.yaml": good } });
    expect(missing).toMatchObject({ exitCode: 2, out: "", error: "bad.yaml: no such file\n" });
  });

  it("a cluster that contains an object without a name is rejected", async () => {
    const files = { "good.yaml": good, "c.yaml": "apiVersion: v1\nkind: Node\nmetadata: 5\n" };
    const { exitCode, out, error } = await runCommand(
      ["admit", "-f", "good.yaml", "--cluster", "c.yaml"],
      {
        files,
      },
    );
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(error).toMatch(/^c\.yaml:3:1: metadata: /);
  });
});
