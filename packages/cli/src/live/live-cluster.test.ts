import { readFileSync } from "node:fs";
import { resolveFeatureGates } from "@jobset-ts/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { names } from "../commands/names.ts";
import { plan } from "../commands/plan.ts";
import { status } from "../commands/status.ts";
import { readYamlDocuments } from "../input/yaml-documents.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";
import type { KubectlCall } from "./kubectl.ts";
import { type FakeKubectlResult, runLive } from "./testing.ts";

interface DumpedList {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Returns the objects of an example. Each container has a secret in its environment. */
function listObjects(example: string): readonly DumpedList[] {
  const url = new URL(`../../../../examples/${example}/cluster.yaml`, import.meta.url);
  const text = readFileSync(url, "utf8").replace(
    /^( +)- (name: \S+)\n( +)(image: )/gm,
    "$1- $2\n$3env: [{name: TOKEN, value: hunter2}, {name: SEED, value: hunter2}]\n$3$4",
  );
  const objects = readYamlDocuments(text).flatMap(({ value }) => {
    const { items = [value] } = value as { items?: readonly unknown[] };
    return items as DumpedList[];
  });
  expect(JSON.stringify(objects)).toContain("hunter2");
  return objects;
}

const resources: Readonly<Record<string, string>> = {
  JobSet: "jobsets.jobset.x-k8s.io",
  Job: "jobs.batch",
  Service: "services",
  PersistentVolumeClaim: "persistentvolumeclaims",
  Pod: "pods",
  Node: "nodes",
  Event: "events",
};

/** Returns kubectl's responses for a cluster with these objects. */
function createCluster(objects: readonly DumpedList[]): Record<string, FakeKubectlResult> {
  return Object.fromEntries(
    Object.entries(resources).map(([kind, resource]) => [
      resource,
      { items: objects.filter((object) => object.kind === kind) },
    ]),
  );
}

const restart = listObjects("restart");
const pending = listObjects("leader-pending");
const list = (items: readonly object[]) =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });
const follower = readFileSync(
  new URL("../../../../examples/leader-pending/follower.yaml", import.meta.url),
  "utf8",
);
const jobSets = resources.JobSet ?? "";
const jobSetPath = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets";
const definitions =
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldSelector=metadata.name%3Djobsets.jobset.x-k8s.io";
const forbidden = (what: string) => ({
  says: `Error from server (Forbidden): ${what} is forbidden: User "eve" cannot list resource "${what}"\n`,
});

describe("jobset without -f", () => {
  it.each([["status"], ["plan"], ["names"]])(
    "jobset %s prints the same for a live cluster and its dump",
    async (command) => {
      for (const output of ["table", "json"]) {
        const live = await runLive([command, "-o", output], createCluster(restart));
        const dumped = await runCommand([command, "-f", "-", "-o", output], {
          stdin: list(restart),
        });
        expect(live).toMatchObject({ exitCode: 0, error: "" });
        expect(live.out).toBe(dumped.out);
        expect(live.out).toContain("train");
      }
    },
  );

  it("kubectl is called once for each kind, with the given flags", async () => {
    const flags = [
      "--context",
      "a b",
      "--kubeconfig=k",
      "--user",
      "u",
      "--as",
      "x",
      "--as-group=g",
    ];
    const args = ["plan", "-n", "ml", ...flags, "--as-group", "h", "--request-timeout=9s"];
    const { calls, exitCode } = await runLive(args, createCluster(restart));
    expect(exitCode).toBe(0);
    const everyFlag =
      "--kubeconfig=k --context=a b --user=u --as=x --request-timeout=9s --as-group=g --as-group=h";
    const [v1, page] = ["/api/v1/namespaces/ml", "limit=5000"];
    const paths = [
      `${v1}/persistentvolumeclaims?${page}`,
      `${v1}/pods?labelSelector=jobset.sigs.k8s.io%2Fjobset-name&${page}`,
      `${v1}/services?${page}`,
      `${definitions}&${page}`,
      `/apis/apps/v1/deployments?${page}`,
      `/apis/batch/v1/namespaces/ml/jobs?${page}`,
      `/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets?${page}`,
    ];
    expect(calls.toSorted()).toEqual(paths.map((path) => `get --raw ${path} ${everyFlag}`));
    expect(calls[0]).toContain("jobsets?");
  });

  it("-A reads all namespaces, overrides -n, and does not read kubectl's context", async () => {
    const every = await runLive(["names", "-A", "-n", "ml"], createCluster(restart));
    expect(every.calls).toEqual(["get --raw /apis/jobset.x-k8s.io/v1alpha2/jobsets?limit=5000"]);
    const view = { view: { prints: "ml" } };
    const own = await runLive(["names"], { ...createCluster(restart), ...view });
    expect(own.calls).toEqual([
      "config view --minify -o jsonpath={.contexts[0].context.namespace}",
      "get --raw /apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets?limit=5000",
    ]);
    expect(own.out).toBe(every.out);
  });

  it("status prints only the named JobSets, and a missing one is an error", async () => {
    const other = structuredClone(restart).map((object) => {
      return object.kind === "JobSet"
        ? { ...object, metadata: { ...object.metadata, name: "eval", uid: "eval" } }
        : object;
    });
    const results = createCluster([...restart, ...other.filter(({ kind }) => kind === "JobSet")]);
    for (const command of ["status", "plan", "names"]) {
      const one = await runLive([command, "eval"], results);
      expect(one).toMatchObject({ exitCode: 0, error: "" });
      expect(one.out).toContain("eval");
      expect(one.out).not.toMatch(/ml[ /]+train\b/);
      const none = await runLive([command, "eval", "nope", "-n", "ml"], results);
      expect(none).toMatchObject({
        exitCode: 1,
        error: 'jobset: JobSet "nope" not found in namespace ml\n',
      });
      expect(none.out).toContain("eval");
    }
  });

  it("a namespace without JobSets is reported with a note", async () => {
    expect(await runLive(["status", "-n", "ml"], {})).toMatchObject({
      exitCode: 0,
      out: "",
      error: "jobset: note: no JobSet found in namespace ml\n",
    });
  });
});

describe("a kind that kubectl may not list", () => {
  it("a failed list is reported once, and the passes that need it fail", async () => {
    const results = { ...createCluster(restart), services: forbidden("services") };
    const { exitCode, out, error } = await runLive(["plan", "-o", "json"], results);
    const words = 'services is forbidden: User "eve" cannot list resource "services"';
    expect(error).toBe(
      `jobset: JobSet ml/train: the reconcile fails in service at Service train: ${words}\n` +
        `jobset: warning: Service: cannot be read: ${words}\n`,
    );
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ items: [{ error: { phase: "service" } }] });
  });

  it("a forbidden kind does not prevent reading the others", async () => {
    const results = {
      ...createCluster(restart),
      pods: forbidden("pods"),
      persistentvolumeclaims: forbidden("persistentvolumeclaims"),
    };
    const { exitCode, out, error } = await runLive(["status"], results);
    expect(exitCode).toBe(0);
    expect(error.match(/cannot be read/g)).toHaveLength(2);
    expect(out).toBe((await runLive(["status"], createCluster(restart))).out);
  });

  it("a command fails if JobSets cannot be listed", async () => {
    const results = { ...createCluster(restart), [jobSets]: forbidden("jobsets") };
    for (const command of ["status", "plan", "names"]) {
      const { exitCode, out, error, calls } = await runLive([command], results);
      expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
      expect(error).toBe(
        `jobset: kubectl get --raw ${jobSetPath} failed with exit code 1: ${forbidden("jobsets").says}`,
      );
      expect(calls).toHaveLength(2);
    }
  });

  it("a failed list of nodes makes the domain of a leader unknown", async () => {
    const leader = { spec: { nodeName: "node-a" } };
    const placed = pending.map((object) =>
      object.kind === "Pod" ? { ...object, ...leader, status: {} } : object,
    );
    const results = { ...createCluster(placed), nodes: forbidden("nodes") };
    const args = ["admit", "-f", "-", "--live", "-o", "json"];
    const { exitCode, out, error } = await runLive(args, results, { stdin: follower });
    expect(exitCode).toBe(1);
    expect(error).toContain("jobset: warning: Node: cannot be read: nodes is forbidden");
    const { items } = JSON.parse(out) as { items: readonly object[] };
    expect(items).toMatchObject([{ allowed: false, code: 403, reason: "Forbidden" }]);
  });
});

describe("a cluster that does not respond", () => {
  const log = 'E1122 16:00:00.000000 77 memcache.go:265] "Unhandled Error" err="no"\n';
  it.each<[string, FakeKubectlResult, string]>([
    [
      "a missing login",
      { says: "error: You must be logged in to the server (Unauthorized)\n" },
      "failed with exit code 1: error: You must be logged in to the server (Unauthorized)",
    ],
    [
      "a refused connection, without the log of attempts,",
      { says: `${log}${log}The connection to the server x was refused\n\nIs it there?\n` },
      "failed with exit code 1: The connection to the server x was refused: Is it there?",
    ],
    [
      "a timeout",
      { says: "Unable to connect to the server: context deadline exceeded\n", exitCode: 3 },
      "failed with exit code 3: Unable to connect to the server: context deadline exceeded",
    ],
    ["a failure without a message", { says: "" }, "failed with exit code 1"],
    [
      "a message with escaped control characters",
      { says: "\u001b[31mno\n" },
      "failed with exit code 1: \\u001b[31mno",
    ],
    [
      "output that is not JSON",
      { prints: "NAME\ntrain\n" },
      "printed output that is not a JSON list",
    ],
    ["empty output", { prints: "" }, "printed output that is not a JSON list"],
    [
      "JSON that is not a list",
      { prints: '{"kind": "JobSet", "items": []}' },
      "printed output that is not a JSON list",
    ],
    [
      "a truncated list",
      { prints: '{"kind": "List", "items": [{}' },
      "printed output that is not a JSON list",
    ],
    [
      "text before a list",
      { prints: 'Welcome!\n{"kind": "List", "items": []}' },
      "printed output that is not a JSON list",
    ],
  ])("%s is reported, with exit code 2", async (_, result, words) => {
    const error = `jobset: kubectl get --raw ${jobSetPath} ${words}\n`;
    for (const command of ["status", "plan", "names"]) {
      expect(await runLive([command], { [jobSets]: result })).toMatchObject({
        exitCode: 2,
        out: "",
        error,
      });
    }
    const stdin = aJobSetFile().replace("name: train", "name: train\n  namespace: ml");
    const admit = await runLive(["admit", "-f", "-", "--live"], { [jobSets]: result }, { stdin });
    expect(admit).toMatchObject({ exitCode: 2, out: "", error });
  });

  it("a failed cluster ends the other requests and is reported once", async () => {
    const results = { ...createCluster(restart), pods: { says: "error: gone\n" } };
    expect(await runLive(["plan"], results)).toMatchObject({
      exitCode: 2,
      out: "",
      error:
        "jobset: kubectl get --raw /api/v1/namespaces/ml/pods failed with exit code 1: error: gone\n",
    });
  });

  it("kubectl's login prompt appears at once on a terminal, and only once", async () => {
    const asks = { says: "Open\u0007 https://login.example\n", prints: list([]), exitCode: 0 };
    const results = Object.fromEntries(Object.values(resources).map((what) => [what, asks]));
    const terminal = await runLive(["plan"], results, { isTTY: true });
    expect(terminal.exitCode).toBe(0);
    expect(terminal.error.match(/Open\\u0007 https:/g)).toHaveLength(1);
    expect(terminal.error).toMatch(/^Open/);
    const pipe = await runLive(["plan"], results);
    expect(pipe.error).toBe("jobset: note: no JobSet found\n");
  });

  it("a missing kubectl is reported", async () => {
    expect(await runCommand(["status"], { env: { PATH: "/nonexistent" } })).toEqual({
      exitCode: 2,
      out: "",
      error: "jobset: kubectl is not on the PATH; it is required to read a cluster\n",
    });
  });

  it("kubectl is not called if files are read", async () => {
    for (const args of [
      ["status", "-f", "-"],
      ["names", "-f", "-"],
      ["admit", "-f", "-"],
    ]) {
      const { exitCode, error } = await runCommand([...args, "--context", "a"]);
      expect(exitCode).toBe(2);
      expect(error).toMatch(/^jobset: --context configures kubectl, which is not called with.*/);
    }
    const both = await runCommand(["admit", "-f", "-", "--live", "--cluster", "x"]);
    expect(both.error).toMatch(/option '--live' cannot be used with option '--cluster <file>'/);
  });
});

describe("jobset admit --live", () => {
  const train = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
  const stored = restart.find(({ kind }) => kind === "JobSet");
  const edited = JSON.stringify({ ...stored, spec: { ...Object(stored).spec, suspend: true } });

  /** The calls that read the version of JobSet. */
  const versionCalls = [
    "get --raw /apis/apps/v1/deployments?limit=5000",
    `get --raw ${definitions}&limit=5000`,
  ];

  it("admit --live reads only what the objects need, in their namespaces", async () => {
    const args = ["admit", "-f", "-", "--live"];
    const jobSet = await runLive([...args, "-n", "ml"], {}, { stdin: train });
    expect(jobSet).toMatchObject({ exitCode: 0, error: "" });
    expect(jobSet.calls).toEqual([
      `get --raw ${jobSetPath}?limit=5000`,
      "get --raw /api/v1/namespaces/ml/persistentvolumeclaims?limit=5000",
      ...versionCalls,
    ]);
    const pod = await runLive(args, createCluster(pending), { stdin: follower });
    expect(pod.calls.toSorted()).toEqual([
      "get --raw /api/v1/namespaces/ml/events?limit=5000",
      "get --raw /api/v1/namespaces/ml/pods?limit=5000",
      "get --raw /api/v1/nodes?limit=5000",
      versionCalls[1],
      versionCalls[0],
    ]);
    const offline = await runCommand(["admit", "-f", "f.yaml", "--cluster", "c.yaml"], {
      files: { "f.yaml": follower, "c.yaml": list(pending) },
    });
    expect({ ...pod, calls: 0 }).toEqual({ ...offline, calls: 0 });
    const every = await runLive([...args, "-A"], {}, { stdin: follower });
    expect(every.calls).toContain("get --raw /api/v1/pods?limit=5000");
  });

  it("admit --live treats an existing JobSet as an update", async () => {
    const args = ["admit", "-f", "-", "--live", "-o", "json"];
    const update = await runLive(args, createCluster(restart), { stdin: edited });
    expect(update).toMatchObject({ exitCode: 0, error: "" });
    expect(JSON.parse(update.out)).toMatchObject({
      items: [{ object: { namespace: "ml", name: "train" }, operation: "UPDATE", allowed: true }],
    });
  });

  it("admit --live detects a changed environment variable without printing it", async () => {
    const args = ["admit", "-f", "-", "--live", "-o", "json"];
    const changed = edited.replaceAll("hunter2", "hunter3").replace('"suspend":true', '"x":0');
    const update = await runLive([...args, "--validate=ignore"], createCluster(restart), {
      stdin: changed,
    });
    expect(update.exitCode).toBe(1);
    expect(update.out).toContain("field is immutable");
    expect(update.out + update.error).not.toMatch(/hunter/);
  });

  it("admit --live sends objects without a namespace to the namespace of kubectl's context", async () => {
    const args = ["admit", "-f", "-", "--live", "--context", "c"];
    const view = "config view --minify -o jsonpath={.contexts[0].context.namespace} --context=c";
    for (const [prints, namespace] of [
      ["ml", "ml"],
      ["", "default"],
    ] as const) {
      const { calls, out } = await runLive(args, { view: { prints } }, { stdin: train });
      expect(calls[0]).toBe(view);
      expect(calls[1]).toBe(
        `get --raw ${jobSetPath.replace("/ml/", `/${namespace}/`)}?limit=5000 --context=c`,
      );
      expect(out).toContain(`JobSet/${namespace}/train`);
    }
    const none = { view: { says: "error: current-context must exist in order to minify\n" } };
    expect(await runLive(args, none, { stdin: train })).toMatchObject({
      exitCode: 2,
      error:
        "jobset: the namespace is unknown; set -n: kubectl config view failed with exit code 1: " +
        "error: current-context must exist in order to minify\n",
    });
  });

  it("admit --live does not read the cluster if a file is invalid", async () => {
    const { calls, exitCode } = await runLive(["admit", "-f", "-", "--live"], {}, { stdin: "[" });
    expect({ calls, exitCode }).toEqual({ calls: [], exitCode: 2 });
  });
});

describe("arbitrary output of kubectl", () => {
  it("arbitrary output of kubectl never causes an internal error", async () => {
    const options = {
      output: "json" as const,
      featureGates: resolveFeatureGates({}),
      quirks: "none" as const,
      validate: "strict" as const,
    };
    await fc.assert(
      fc.asyncProperty(fc.array(hostileObjects(), { maxLength: 4 }), async (items) => {
        const printed = new TextEncoder().encode(list(items as object[]));
        const world = {
          readFile: async () => new Uint8Array(),
          readStdin: async () => new Uint8Array(),
          readFolder: async () => [],
          now: () => 0,
          kubectl: async (_: unknown, { onStdout }: KubectlCall) => {
            onStdout(printed);
            return { exitCode: 0, stderr: "" };
          },
        };
        for (const command of [plan, status, names]) {
          const { output, exitCode } = await command(options, world);
          expect([0, 1, 2]).toContain(exitCode);
          JSON.parse([...output].join(""));
        }
      }),
      // A value without its own text form matches no name.
      { numRuns: runs(20), examples: [[[{ ...restart[0], apiVersion: { toString: "" } }]]] },
    );
  });
});

/** Generates an object of the example with an arbitrary member, or an arbitrary value. */
function hostileObjects() {
  const members = ["metadata", "spec", "status", "kind", "apiVersion"];
  const replaced = fc
    .tuple(fc.constantFrom(...restart), fc.constantFrom(...members), fc.jsonValue({ maxDepth: 2 }))
    .map(([object, member, value]) => ({ ...object, [member]: value }));
  return fc.oneof(replaced, fc.jsonValue({ maxDepth: 2 }));
}

describe("values of environment variables", () => {
  it("no command that reads a cluster prints a value of an environment variable", async () => {
    for (const output of ["table", "json", "yaml"]) {
      for (const objects of [restart, pending]) {
        const stdin = list(objects);
        for (const command of ["plan", "status", "names"]) {
          const live = await runLive([command, "-o", output], createCluster(objects));
          const dumped = await runCommand([command, "-f", "-", "-o", output], { stdin });
          expect(live.exitCode).not.toBe(2);
          expect(live.out + live.error + dumped.out + dumped.error).not.toContain("hunter2");
        }
        const admitted = await runLive(
          ["admit", "-f", "-", "--live", "-A", "-o", output],
          createCluster(objects),
          { stdin },
        );
        expect(admitted.error).toMatch(
          /^jobset: note: ignored kinds, because admit reviews only JobSets and Pods.*\n$/,
        );
        expect(admitted.out + admitted.error).not.toContain("hunter2");
      }
    }
    // A created Job is complete except for these values.
    const { out } = await runLive(["plan", "-o", "json"], createCluster(restart));
    expect(out).toContain('"value": "(redacted 1)"');
  });

  it("a command that reads a cluster prints no value that an Event quotes", async () => {
    const env = [{ name: "TOKEN", value: "hunter2-in-env" }];
    const owner = { apiVersion: "batch/v1", kind: "Job", name: "train-w-0", uid: "j-1" };
    const follower = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: "train-w-0-1-abcde",
        namespace: "ml",
        labels: {
          "jobset.sigs.k8s.io/jobset-name": "train",
          "jobset.sigs.k8s.io/replicatedjob-name": "w",
          "jobset.sigs.k8s.io/job-index": "0",
        },
        annotations: {
          "jobset.sigs.k8s.io/jobset-name": "train",
          "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack",
          "batch.kubernetes.io/job-completion-index": "1",
        },
        ownerReferences: [{ ...owner, controller: true }],
      },
      spec: { containers: [{ name: "main", image: "train:1", env }] },
    };
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { namespace: "ml", name: "train-w-0.1" },
      involvedObject: { ...owner, namespace: "ml" },
      type: "Warning",
      reason: "FailedCreate",
      message: 'Error creating: TOKEN "hunter2-in-env" is not allowed',
      lastTimestamp: "2026-02-07T07:00:00Z",
    };
    const results = { events: { items: [event] } };
    const stdin = JSON.stringify(follower);
    const { out, error } = await runLive(["admit", "-f", "-", "--live"], results, { stdin });
    expect(out).toContain('TOKEN "(redacted 1)" is not allowed');
    expect(out + error).not.toContain("hunter2");
  });
});
