import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand, type TestEnvironment } from "../testing.ts";

const example = new URL("../../../../examples/leader-pending/", import.meta.url);
const cluster = readFileSync(new URL("cluster.yaml", example), "utf8");
const follower = readFileSync(new URL("follower.yaml", example), "utf8");

const train = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
const foreignPod = "apiVersion: v1\nkind: Pod\nmetadata: {name: other}\n";

/** `train` as a server has stored it. */
const stored = train
  .replace("  name: train", "  name: train\n  namespace: default\n  uid: 1-2-3")
  .replace("      completions: 2", "      completions: 2\n        completionMode: Indexed");

interface Result {
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly operation: string;
  readonly stage: string;
  readonly allowed: boolean;
  readonly message: string;
  readonly roots: readonly Readonly<Record<string, unknown>>[];
  readonly omitted: number;
}

/** Returns the JSON results of `admit`. */
async function results(args: readonly string[], files: TestEnvironment["files"]) {
  const { exitCode, out, error } = await runCommand(["admit", ...args, "-o", "json"], { files });
  const { items } = JSON.parse(out) as { items: readonly Result[] };
  return { exitCode, error, results: items };
}

/** Returns the only result for one file. */
async function createResult(
  content: string,
  args: readonly string[] = [],
  files: TestEnvironment["files"] = {},
) {
  const all = await results(["-f", "it.yaml", ...args], { "it.yaml": content, ...files });
  const [result] = all.results;
  if (result === undefined || all.results.length > 1) throw new Error("not one result");
  return { ...all, result };
}

describe("jobset admit of a JobSet", () => {
  it("admit accepts a valid JobSet", async () => {
    const { exitCode, error, result } = await createResult(train);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(result).toEqual({
      object: {
        apiVersion: "jobset.x-k8s.io/v1alpha2",
        kind: "JobSet",
        namespace: "default",
        name: "train",
      },
      operation: "CREATE",
      stage: "validate",
      allowed: true,
      code: 200,
      reason: "",
      message: "",
      roots: [],
      symptoms: [],
      unknown: [],
      transient: false,
    });
  });

  it("admit prints each field of a denial with its position in the file", async () => {
    const { exitCode, result } = await createResult(aJobSetFile("ttlSecondsAfterFinished: -1"));
    const object = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      namespace: "default",
      name: "train",
    };
    const field = "spec.ttlSecondsAfterFinished";
    const body = `Invalid value: -1: ${field} in body should be greater than or equal to 0`;
    expect(exitCode).toBe(1);
    expect(result).toMatchObject({ stage: "schema", allowed: false, code: 422, reason: "Invalid" });
    expect(result.roots).toEqual([
      {
        id: "schema-valid",
        message: `${field}: ${body}`,
        objects: [object],
        evidence: [{ kind: "Field", object, at: field, text: body }],
        field,
        file: "it.yaml",
        line: 6,
        column: 3,
      },
    ]);
  });

  it("admit prints the position of the object if a denial names no field", async () => {
    const { result } = await createResult(
      `# first\n${aJobSetFile("successPolicy: {operator: Some}")}`,
    );
    const whole = result.roots.find(({ evidence }) => (evidence as []).length === 0);
    expect(whole).toMatchObject({ file: "it.yaml", line: 2, column: 1 });
    expect(whole).not.toHaveProperty("field");
    expect(JSON.stringify(result.roots)).not.toContain("<nil>");
  });

  it.each([
    ["the schema", "ttlSecondsAfterFinished: -1", "schema"],
    ["the mutating webhook", "suspend: 1", "default"],
    ["the validating webhook", 'managedBy: ""', "validate"],
  ])("admit names the component that denies the request: %s", async (_, spec, stage) => {
    expect((await createResult(aJobSetFile(spec))).result).toMatchObject({ allowed: false, stage });
  });

  it("admit prints the denial for people and the positions for editors", async () => {
    const files = { "it.yaml": aJobSetFile('managedBy: ""\nbogus: 1') };
    expect(await runCommand(["admit", "-f", "it.yaml", "--validate=warn"], { files })).toEqual({
      exitCode: 1,
      out: `OBJECT                 OPERATION   STAGE      OUTCOME   CODE   ROOTCAUSE
JobSet/default/train   CREATE      validate   denied    422    managed-by-valid
`,
      error: `it.yaml:6:3: spec.managedBy: Required value
it.yaml:7:3: warning: spec.bogus: unknown field, dropped
`,
    });
  });

  it("the output escapes control characters and truncates long text", async () => {
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: "a\\e[2J", labels: ${"x".repeat(2000)}}\n`;
    const { out } = await runCommand(["admit", "-f", "-"], { stdin: pod });
    expect(out).not.toContain("\u001b");
    expect(out).toMatch(/default\/a\\u001b\[2J/);
    const { out: unread } = await runCommand(["admit", "-f", "-"], {
      stdin: follower.replace("train-workers-1-1-", '"a\\e[2J"'),
    });
    expect(unread).not.toContain("\u001b");
    expect(unread.match(/a\\u001b\[2J/g)).toHaveLength(2);
    expect(Math.max(...unread.split("\n").map(({ length }) => length))).toBeLessThan(450);
  });

  it("admit shows the first twenty errors, counts the others, and has more in its JSON output", async () => {
    const jobs = Array.from(
      { length: 100 },
      (_, index) => `{name: A${index}, template: {spec: {template: {spec: {containers: []}}}}}`,
    );
    const content = aJobSetFile(`replicatedJobs: [${jobs.join(", ")}]`);
    const { roots, omitted } = (await createResult(content)).result;
    expect(roots.length).toBeGreaterThan(80);
    expect(roots.length + omitted).toBeGreaterThanOrEqual(100);
    const { error } = await runCommand(["admit", "-f", "-"], { stdin: content });
    expect(error.match(/^<stdin>:\d+:\d+: spec\./gm)).toHaveLength(20);
    expect(error).toContain(`\n… and ${roots.length + omitted - 20} more\n`);
  });

  it("admit treats a PersistentVolumeClaim that the cluster does not show as absent, and compares one that exists", async () => {
    const claiming = aJobSetFile(
      `volumeClaimPolicies:
- templates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
replicatedJobs:
${aReplicatedJob("w")}
            volumeMounts: [{name: data, mountPath: /data}]`,
    );
    const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-train}
spec: {resources: {requests: {storage: 2Gi}}}
`;
    expect((await createResult(claiming)).result.allowed).toBe(true);
    const { result } = await createResult(claiming, ["--cluster", "dump.yaml"], {
      "dump.yaml": claim,
    });
    expect(result.message).toContain("does not match existing PVC data-train");
  });

  it("admit applies feature gates and quirks", async () => {
    const files = {
      "it.yaml": aJobSetFile(
        'failurePolicy: {rules: [{action: FailJobSet, onJobFailureMessagePatterns: ["("]}]}',
      ),
    };
    expect((await runCommand(["admit", "-f", "it.yaml"], { files })).exitCode).toBe(1);
    expect(
      (await runCommand(["admit", "-f", "it.yaml", "--quirks", "upstream"], { files })).exitCode,
    ).toBe(0);

    const scaled = stored.replaceAll(/(parallelism|completions): 2/g, "$1: 3");
    const args = ["admit", "-f", "new.yaml", "--old", "old.yaml"];
    const edit = { files: { "old.yaml": stored, "new.yaml": scaled } };
    expect((await runCommand(args, edit)).exitCode).toBe(1);
    expect((await runCommand([...args, "--features", "ElasticJobSet=true"], edit)).exitCode).toBe(
      0,
    );
  });
});

describe("jobset admit of objects with several errors", () => {
  const content = aJobSetFile(
    "successPolicy: {operator: Some}\nttlSecondsAfterFinished: -1\nstartupPolicy: {startupPolicyOrder: Any}",
  );
  const fields = [
    "spec.startupPolicy.startupPolicyOrder",
    "spec.successPolicy.operator",
    "spec.ttlSecondsAfterFinished",
  ];
  const notChecked = "some validation rules were not checked";

  it.each([
    [["admit", "-f", "bad.yaml"]],
    [["diff", "good.yaml", "bad.yaml"]],
    [["render", "-f", "bad.yaml"]],
  ])("admit prints each error once, errors first and notes last: %j", async (args) => {
    const files = { "bad.yaml": content, "good.yaml": train };
    const { out, error } = await runCommand(args, { files });
    const lines = `${error}${out}`.split("\n");
    for (const field of fields) {
      const about = lines.filter((line) => line.includes(`${field}: `));
      expect(about, field).toHaveLength(1);
      expect(about[0]).toMatch(/^bad\.yaml:\d+:\d+: spec\./);
    }
    const messages = error.split("\n").filter(Boolean);
    expect(messages.at(-1)).toMatch(`bad.yaml:1:1: note: ${notChecked}`);
    expect(messages.slice(0, -1).filter((line) => line.includes(": note: "))).toEqual([]);
    expect(`${error}${out}`).not.toContain("Invalid value: null");
  });

  it("admit prints each error once in every list of the JSON, before the errors that it hides", async () => {
    const files = { "bad.yaml": content };
    const { out } = await runCommand(["admit", "-f", "bad.yaml", "-o", "json"], { files });
    const { items, errors, notes } = JSON.parse(out) as {
      readonly items: readonly [Result];
      readonly errors: readonly { readonly field: string }[];
      readonly notes: readonly { readonly message: string }[];
    };
    expect(errors.map(({ field }) => field)).toEqual(fields);
    expect(notes).toMatchObject([{ message: expect.stringMatching(`^${notChecked}`) }]);
    expect(items[0].roots.map(({ field }) => field)).toEqual([...fields, undefined]);
    expect(items[0].roots.at(-1)?.message).toContain(notChecked);
    expect(items[0].message).toContain("<nil>: Invalid value: null: some validation rules");
  });

  it("admit prints the reason once if the denial reports the root cause itself", async () => {
    const { out } = await runCommand(["admit", "-f", "-"], { stdin: follower });
    expect(out.match(/objects of kind Pod were not read/g)).toHaveLength(1);
  });
});

describe("jobset admit of an update", () => {
  const update = (content: string, old = stored) =>
    createResult(content, ["--old", "old.yaml"], { "old.yaml": old });

  it("admit validates an update against the stored JobSet", async () => {
    const { result } = await update(stored.replace("replicas: 1", "replicas: 2"));
    expect(result).toMatchObject({ operation: "UPDATE", stage: "validate", allowed: false });
    expect(result.roots.map(({ id }) => id)).toEqual(["replicated-jobs-immutable"]);
    const labelled = stored.replace("  name: train", "  name: train\n  labels: {a: b}");
    expect((await update(labelled)).result).toMatchObject({ operation: "UPDATE", allowed: true });
  });

  it("admit takes the namespace and UID of an update from the stored JobSet", async () => {
    const bare = stored.replace(/ {2}(namespace|uid): .*\n/g, "");
    expect((await update(bare)).result).toMatchObject({ operation: "UPDATE", allowed: true });
    const { result } = await update(bare.replace("replicas: 1", "replicas: 2"));
    expect(result.roots).toMatchObject([{ objects: [{ namespace: "default", name: "train" }] }]);
  });

  it("admit notes a stored JobSet that no file updates", async () => {
    const { exitCode, error, result } = await update(train.replace("train", "trian"));
    expect(result.operation).toBe("CREATE");
    expect({ exitCode, error }).toEqual({
      exitCode: 0,
      error: "old.yaml:4:3: note: metadata.name: no file of -f updates this JobSet\n",
    });
  });

  it("admit treats a JobSet with generateName as a creation", async () => {
    const { result } = await update(train.replace("name: train", "generateName: train"));
    expect(result).toMatchObject({ operation: "CREATE", object: { name: "train" } });
  });

  it("admit rejects --old files that contain a JobSet twice", async () => {
    const files = { "it.yaml": train, "old.yaml": `${stored}---\n${stored}` };
    const { exitCode, out, error } = await runCommand(
      ["admit", "-f", "it.yaml", "--old", "old.yaml"],
      {
        files,
      },
    );
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(error).toMatch(/^old\.yaml:\d+:3: metadata\.name: Duplicate value: /);
  });

  it("admit reviews an update if the cluster has the JobSet already", async () => {
    const { error, result } = await createResult(train, ["--cluster", "c.yaml"], {
      "c.yaml": stored,
    });
    expect(result.operation).toBe("CREATE");
    expect(error).toMatch(
      /^it\.yaml:4:3: note: metadata\.name: the cluster has this JobSet already/,
    );
  });
});

describe("jobset admit of a Pod", () => {
  const files = { "cluster.yaml": cluster };
  const args = ["--cluster", "cluster.yaml"];

  it("admit reports the root cause, and the missing selector as a symptom", async () => {
    const { exitCode, result } = await createResult(follower, args, files);
    expect(exitCode).toBe(1);
    expect(result).toMatchObject({
      object: { kind: "Pod", namespace: "ml", name: "train-workers-1-1-" },
      operation: "CREATE",
      stage: "validate",
      code: 403,
      reason: "Forbidden",
      message:
        "leader pod not yet scheduled, not creating follower pod. this is an expected, transient error",
      roots: [
        {
          id: "insufficient-capacity",
          objects: [{ kind: "Pod", namespace: "ml", name: "train-workers-1-0-zl7wd" }],
        },
      ],
      symptoms: [{ id: "leader-scheduled" }, { id: "node-selector-set" }],
      transient: true,
    });
  });

  it("admit masks the cause as upstream does, and says so", async () => {
    const { result } = await createResult(follower, [...args, "--quirks", "upstream"], files);
    expect(result.message).toBe("follower pod node selector not set");
    expect(result.roots).toMatchObject([{ id: "insufficient-capacity" }]);
    const { out } = await runCommand(["admit", "-f", "-", ...args, "--quirks", "upstream"], {
      stdin: follower,
      files,
    });
    expect(out).toContain("  masked: the message names a symptom, not the root cause\n");
  });

  it("admit reports what is unknown without the cluster", async () => {
    const { exitCode, result } = await createResult(follower);
    expect(exitCode).toBe(1);
    expect(result).toMatchObject({
      allowed: false,
      code: 500,
      unknown: [{ id: "one-active-leader" }],
    });
    const { out } = await runCommand(["admit", "-f", "-"], { stdin: follower });
    expect(out).toContain("unknown: objects of kind Pod were not read");
  });

  it("admit sends a Pod without a namespace to the namespace `default`", async () => {
    const inDefault = (text: string) => text.replaceAll("namespace: ml", "namespace: default");
    const { result } = await createResult(follower.replace("  namespace: ml\n", ""), args, {
      "cluster.yaml": inDefault(cluster),
    });
    expect(result.roots).toMatchObject([{ id: "insufficient-capacity" }]);
  });

  it("admit rejects an object that cannot be decoded as a Pod", async () => {
    const { result } = await createResult("apiVersion: v1\nkind: Pod\nmetadata: 5\n");
    expect(result).toMatchObject({
      stage: "schema",
      code: 400,
      roots: [{ id: "pod-decodable", line: 3 }],
    });
  });

  it("admit accepts Pods that belong to no JobSet, also without a name", async () => {
    expect((await createResult("apiVersion: v1\nkind: Pod\n")).result.allowed).toBe(true);
    const { out } = await runCommand(["admit", "-f", "-"], {
      stdin: "apiVersion: v1\nkind: Pod\n",
    });
    expect(out).toContain("Pod/default/<none>");
  });
});

describe("jobset admit of several objects", () => {
  it("admit keeps the order of the files for all kinds", async () => {
    const files = {
      "a.yaml": `${foreignPod}---\n${train}`,
      "b.yaml": foreignPod.replace("other", "b"),
    };
    const { results: all } = await results(["-f", "a.yaml", "-f", "b.yaml"], files);
    expect(all.map(({ object }) => `${object.kind}/${object.name}`)).toEqual([
      "Pod/other",
      "JobSet/train",
      "Pod/b",
    ]);
  });

  it("admit reviews a repeated object twice, and notes it", async () => {
    const { error, results: all } = await results(["-f", "a.yaml"], {
      "a.yaml": `${train}---\n${train}`,
    });
    expect(all).toHaveLength(2);
    expect(error).toMatch(
      /^a\.yaml:\d+:3: note: metadata\.name: the files contain this object twice/,
    );
    const generated = train.replace("name: train", "generateName: train-");
    const files = { "a.yaml": `${generated}---\n${generated}` };
    expect((await results(["-f", "a.yaml"], files)).error).toBe("");
  });

  it("admit ignores other kinds with one note, and requires an object to review", async () => {
    const others = "apiVersion: v1\nkind: Service\n---\napiVersion: v1\nkind: Node\n";
    const { error } = await createResult(`${train}---\n${others}`);
    expect(error).toBe(
      "jobset: note: ignored kinds, because admit reviews only JobSets and Pods: Service, Node\n",
    );
    expect(await runCommand(["admit", "-f", "-"], { stdin: others })).toEqual({
      exitCode: 2,
      out: "",
      error: "jobset: no JobSet or Pod found, only Service, Node\n",
    });
  });

  it.each([["admit"], ["render"], ["explain"], ["simulate"]])(
    "jobset %s of a TrainJob says which JobSet to use",
    async (command) => {
      const stdin =
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: t}\n";
      const { exitCode, error } = await runCommand([command, "-f", "-"], { stdin });
      expect(exitCode).toBe(2);
      expect(error).toMatch(
        /found, only TrainJob; Kubeflow Trainer creates a JobSet with the name of the TrainJob: use the output of kubectl get jobset NAME -o yaml$/m,
      );
    },
  );

  it("admit prints the same results as YAML", async () => {
    const { out } = await runCommand(["admit", "-f", "-", "-o", "yaml"], { stdin: train });
    expect(out).toMatch(/^items:\n- object:\n {4}apiVersion: jobset/);
  });

  it.each([["--old"], ["--cluster"]])(
    "admit reads standard input once, for -f or %s",
    async (option) => {
      expect(await runCommand(["admit", "-f", "-", option, "-"], { stdin: train })).toEqual({
        exitCode: 2,
        out: "",
        error: "<stdin>: standard input can be read only once\n",
      });
    },
  );
});

describe("jobset admit of huge input", () => {
  const jobSetFile = (metadata: object, spec: object) =>
    JSON.stringify({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name: "js", ...metadata },
      spec,
    });
  const owners = Array.from({ length: 8000 }, (_, index) => ({
    apiVersion: "v1",
    kind: "Pod",
    name: `p-${index}`,
    uid: `${index}`,
    controller: true,
  }));
  const jobs = Array.from({ length: 500 }, (_, index) => ({
    name: `w${index}`,
    template: { spec: { template: { spec: { containers: [{ name: "c", image: "i" }] } } } },
  }));
  const claims = Array.from({ length: 30 }, (_, policy) => ({
    templates: Array.from({ length: 30 }, (_, index) => ({
      metadata: { name: `c${policy}-${index}` },
      spec: {},
    })),
  }));

  it.each([
    ["owners that all control", jobSetFile({ ownerReferences: owners }, { replicatedJobs: [] })],
    [
      "claims that no container mounts",
      jobSetFile({}, { replicatedJobs: jobs, volumeClaimPolicies: claims }),
    ],
  ])("admit reports %s in a short message", async (_, stdin) => {
    const limits = { table: 64, json: 256, yaml: 256 };
    for (const [format, limit] of Object.entries(limits)) {
      const { exitCode, out, error } = await runCommand(["admit", "-f", "-", "-o", format], {
        stdin,
      });
      expect(exitCode).toBe(1);
      expect(out + error).toMatch(/\(\d+ more\)|… and [\d,]+ more/);
      expect(out.length).toBeLessThan(limit * 1024);
      expect(error.length).toBeLessThan(32 * 1024);
    }
  });
});
