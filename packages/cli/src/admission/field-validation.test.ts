import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand, type TestEnvironment } from "../testing.ts";

const train = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
const typo = train.replace("replicas", "replica");
const twice = aJobSetFile(`suspend: true\nsuspend: false\nreplicatedJobs:\n${aReplicatedJob("w")}`);
const stored = train.replace("  name: train", "  name: train\n  namespace: default\n  uid: 1-2-3");

const header = `"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet"`;
const aJob = (more = "") =>
  `{"name": "w", ${more} "template": {"spec": {"template": {"spec": {"containers": [{"name": "c", "image": "i"}]}}}}}`;

interface Item {
  readonly allowed: boolean;
  readonly stage: string;
  readonly code: number;
  readonly message: string;
  readonly roots: readonly Readonly<Record<string, unknown>>[];
}

interface ReportedDiagnostic {
  readonly message: string;
  readonly line: number;
  readonly field?: string;
}

/** Runs `admit` and returns its JSON result for one object. */
async function runAdmit(stdin: string, args: readonly string[] = []) {
  const { exitCode, out } = await runCommand(["admit", "-f", "-", "-o", "json", ...args], {
    stdin,
  });
  const { items, warnings } = JSON.parse(out) as {
    readonly items: readonly [Item];
    readonly warnings: readonly ReportedDiagnostic[];
  };
  return { exitCode, item: items[0], warnings };
}

describe("field validation of jobset admit", () => {
  // The responses of kube-apiserver 1.36 to these request bodies with fieldValidation=Strict.
  it.each([
    [
      "unknown fields",
      `{${header}, "metadata": {"name": "a", "lables": {"a": "b"}}, "spec": {"foo": 1, "bogus": null,
        "replicatedJobs": [${aJob(`"replica": 3,`)}]}, "sepc": {}}`,
      'unknown field "metadata.lables", unknown field "sepc", unknown field "spec.bogus", unknown field "spec.foo", unknown field "spec.replicatedJobs[0].replica"',
    ],
    [
      "duplicate fields before unknown ones, each once",
      `{${header}, "metadata": {"name": "a", "name": "b"}, "spec": {"suspend": true, "suspend": false,
        "suspend": true, "x": 1, "x": 2, "replicatedJobs": [${aJob(`"replicas": 3, "replicas": 2,`)}]}}`,
      'duplicate field "metadata.name", duplicate field "spec.suspend", duplicate field "spec.x", duplicate field "spec.replicatedJobs[0].replicas", unknown field "spec.x"',
    ],
    [
      "duplicate keys of maps",
      `{${header}, "metadata": {"name": "a", "labels": {"a.b/c": "1", "a.b/c": "2"}}, "spec": {}}`,
      'duplicate field "metadata.labels.a.b/c"',
    ],
    [
      "fields in and next to values of wrong types",
      `{${header}, "metadata": {"name": "a"}, "spec": {"foo": 1, "suspend": "x", "network": 5,
        "coordinator": {"x": {"y": 1}}}}`,
      'unknown field "spec.coordinator.x", unknown field "spec.foo"',
    ],
    [
      "fields of the status",
      `{${header}, "metadata": {"name": "a"}, "spec": {"replicatedJobs": [${aJob()}]}, "status": {"foo": 1}}`,
      'unknown field "status.foo"',
    ],
  ])("admit reports %s as a strict API server does", async (_, body, words) => {
    const { exitCode, item } = await runAdmit(body);
    expect({ exitCode, ...item }).toMatchObject({
      exitCode: 1,
      allowed: false,
      stage: "schema",
      code: 400,
      reason: "BadRequest",
      message: `JobSet in version "v1alpha2" cannot be handled as a JobSet: strict decoding error: ${words}`,
    });
  });

  it("admit reports only the decoding error of an object that the server cannot decode", async () => {
    const { item } = await runAdmit(`{${header}, "metadata": {"name": 5}, "spec": {"foo": 1}}`);
    expect(item).toMatchObject({ stage: "schema", code: 400 });
    expect(item.message).not.toContain("strict");
  });

  it("admit reports unknown fields of a Pod", async () => {
    const pod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "foo": 1},
      "spec": {"bogus": 1, "containers": [{"name": "c", "name": "d", "image": "i", "x": 1}]}}`;
    const { exitCode, item } = await runAdmit(pod);
    expect(exitCode).toBe(1);
    expect(item.message).toBe(
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: duplicate field ' +
        '"spec.containers[0].name", unknown field "metadata.foo", unknown field "spec.bogus", unknown field ' +
        '"spec.containers[0].x"',
    );
    expect((await runAdmit(pod, ["--validate=warn"])).warnings).toHaveLength(4);
    expect((await runAdmit(pod, ["--validate=ignore"])).item.allowed).toBe(true);
  });

  it("admit reports the line and column of unknown and duplicate fields", async () => {
    const { item } = await runAdmit(typo);
    expect(item.roots).toMatchObject([
      {
        message: "spec.replicatedJobs[0].replica: unknown field (Did you mean replicas?)",
        field: "spec.replicatedJobs[0].replica",
        line: 8,
        column: 5,
      },
    ]);
  });

  it("admit truncates a long list of unknown fields in the message", async () => {
    const members = Array.from({ length: 1000 }, (_, index) => `"x${index}": 1`).join();
    const { item } = await runAdmit(`{${header}, "metadata": {"name": "a"}, "spec": {${members}}}`);
    expect(item.message).toMatch(/, … \(900 more\)$/);
    expect(item.roots).toHaveLength(1000);
  });
});

describe("unknown fields", () => {
  const listSuggestions = async (content: string, args: readonly string[] = []) =>
    (await runCommand(["render", "-f", "-", ...args], { stdin: content })).error
      .split("\n")
      .filter((line) => line.includes("unknown field"));

  it.each([
    ["a singular", train.replace("replicatedJobs", "replicatedJob"), "replicatedJobs"],
    ["another case", train.replace("replicatedJobs", "replicatedjobs"), "replicatedJobs"],
    ["swapped letters", train.replace("metadata", "metadtaa"), "metadata"],
    ["a field of the metadata", train.replace("  name: train", "  nmae: train"), "name"],
    ["a field of a Job template", train.replace("parallelism", "paralelism"), "parallelism"],
    ["a field of a container", train.replace("image", "imag"), "image"],
    ["a field of a Pod", "apiVersion: v1\nkind: Pod\nspec: {contaniers: []}\n", "containers"],
  ])("admit suggests the closest field of a file: %s", async (_, content, suggestion) => {
    const args = content.includes("kind: Pod") ? ["admit", "-f", "-"] : ["render", "-f", "-"];
    const { error } = await runCommand(args, { stdin: content });
    expect(error).toContain(`unknown field (Did you mean ${suggestion}?)\n`);
  });

  it("admit suggests no field if none is close", async () => {
    expect(await listSuggestions(train.replace("replicas", "color"))).toEqual([
      "<stdin>:8:5: spec.replicatedJobs[0].color: unknown field",
    ]);
  });
});

it("admit suggests the closest supported value", async () => {
  const policy = aJobSetFile("successPolicy: {operator: all}\nreplicatedJobs: []");
  const { error } = await runCommand(["render", "-f", "-"], { stdin: policy });
  expect(error).toContain(
    'Unsupported value: "all": supported values: "All", "Any" (Did you mean All?)\n',
  );
});

describe("--validate", () => {
  const files: TestEnvironment["files"] = {
    "train.yaml": train,
    "typo.yaml": typo,
    "twice.yaml": twice,
    "stored.yaml": stored,
  };
  const text =
    "typo.yaml:8:5: spec.replicatedJobs[0].replica: unknown field (Did you mean replicas?)\n";
  const dropped =
    "typo.yaml:8:5: warning: spec.replicatedJobs[0].replica: unknown field, dropped (Did you mean replicas?)\n";

  /** The commands that correspond to `kubectl apply`. */
  const sending = [
    ["render", "-f", "typo.yaml"],
    ["names", "-f", "typo.yaml"],
    ["admit", "-f", "typo.yaml"],
    ["admit", "-f", "typo.yaml", "--old", "stored.yaml"],
    ["diff", "train.yaml", "typo.yaml"],
    ["diff", "stored.yaml", "typo.yaml"],
  ];

  it.each(sending.map((args) => [args] as const))(
    "--validate is strict by default: %j",
    async (args) => {
      const { exitCode, error } = await runCommand(args, { files });
      expect(exitCode).toBe(1);
      expect(error).toContain(text);
      expect(error).toContain("use --validate=warn");
      for (const value of ["--validate=strict", "--validate=true"]) {
        expect((await runCommand([...args, value], { files })).error).toBe(error);
      }
    },
  );

  it.each(sending.map((args) => [args] as const))(
    "--validate=warn prints warnings and --validate=ignore prints nothing: %j",
    async (args) => {
      const warned = await runCommand([...args, "--validate=warn"], { files });
      expect(warned.error).toBe(dropped);
      for (const value of ["--validate=ignore", "--validate=false"]) {
        expect(await runCommand([...args, value], { files })).toEqual({ ...warned, error: "" });
      }
    },
  );

  it("--validate=warn also reports the old manifest of an edit, and --validate=ignore does not", async () => {
    const args = ["diff", "typo.yaml", "train.yaml"];
    expect(await runCommand(args, { files })).toMatchObject({ exitCode: 0, error: dropped });
    expect((await runCommand([...args, "--validate=ignore"], { files })).error).toBe("");
  });

  it("the last value of a duplicate field counts unless --validate is strict", async () => {
    const args = ["render", "-f", "twice.yaml", "-o", "table"];
    expect(await runCommand(args, { files })).toMatchObject({
      exitCode: 1,
      out: "",
      error: expect.stringMatching(
        /^twice\.yaml:7:3: spec\.suspend: duplicate field, already set in line 6\n/,
      ),
    });
    const warned = await runCommand([...args, "--validate=warn"], { files });
    expect(warned.exitCode).toBe(0);
    expect(warned.out).toMatch(/Job .* false\n$/);
    expect(warned.error).toBe(
      "twice.yaml:7:3: warning: spec.suspend: duplicate field, already set in line 6; the last one counts\n",
    );
    const ignored = await runCommand([...args, "--validate=ignore"], { files });
    expect(ignored).toEqual({ ...warned, error: "" });
  });

  it("the JSON output contains the warnings of --validate", async () => {
    const { exitCode, warnings } = await runAdmit(typo, ["--validate=warn"]);
    expect(exitCode).toBe(0);
    expect(warnings).toEqual([
      {
        message: "unknown field, dropped (Did you mean replicas?)",
        field: "spec.replicatedJobs[0].replica",
        file: "<stdin>",
        line: 8,
        column: 5,
      },
    ]);
    expect((await runAdmit(typo, ["--validate=ignore"])).warnings).toEqual([]);
  });

  it("--validate does not apply to stored objects of the cluster", async () => {
    const invalidManifest = stored.replace(
      "spec:",
      "spec:\n  bogus: 1\n  suspend: true\n  suspend: true",
    );
    for (const args of [
      ["plan", "-f", "odd.yaml"],
      ["status", "-f", "odd.yaml"],
      ["admit", "-f", "other.yaml", "--cluster", "odd.yaml"],
      ["admit", "-f", "stored.yaml", "--old", "odd.yaml"],
      ["diff", "odd.yaml", "stored.yaml"],
    ]) {
      const { error } = await runCommand(args, {
        files: {
          ...files,
          "odd.yaml": invalidManifest,
          "other.yaml": train.replace("train", "other"),
        },
      });
      expect(error).not.toMatch(/warning|bogus|duplicate/i);
    }
  });

  it("--validate accepts the same values as kubectl", async () => {
    expect((await runCommand(["admit", "-f", "train.yaml", "--validate=x"], { files })).error).toBe(
      "jobset: option '--validate <how>' argument 'x' is invalid. The value must be strict (or true), warn, " +
        "or ignore (or false). (see jobset admit --help)\n",
    );
  });
});
