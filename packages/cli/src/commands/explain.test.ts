import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runCommand, withoutVersionNote } from "../testing.ts";

const dumps = new URL("../testdata/dumps/", import.meta.url);
const packed = new Uint8Array(readFileSync(new URL("s01-pool-slice.json.gz", dumps)));
const files = { "dump.json.gz": packed };

interface DumpedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The objects of the dump, for clusters that are read in another way. */
const { items } = JSON.parse(gunzipSync(packed).toString()) as { readonly items: DumpedObject[] };

function createList(objects: readonly unknown[], kind = "List", apiVersion = "v1"): string {
  return JSON.stringify({ apiVersion, kind, items: objects });
}

const filterByKinds = (...kinds: readonly string[]) =>
  items.filter(({ kind }) => kinds.includes(kind));

describe("jobset explain", () => {
  it("explain prints the root cause first, then its evidence, its effects and the advice", async () => {
    const { exitCode, out, error } = await runCommand(["explain", "-f", "dump.json.gz"], { files });
    expect([exitCode, withoutVersionNote(error)]).toEqual([0, ""]);
    expect(out.split("\n").slice(0, 6)).toEqual([
      "ml/js: stuck",
      "not enough google.com/tpu for js-w-0-0-86l79 (10 of 12 nodes), for 3 s",
      expect.stringMatching(/^ {4}Pod\/js-w-0-0-86l79 PodScheduled: 0\/12 nodes are available: /),
      "    └── leader js-w-0-0-86l79 has no node",
      "        └── 3 followers of js-w-0 are denied at admission: follower pod node selector not set",
      "    add nodes with the resource, free some of it, or request less",
    ]);
  });

  it("explain prints a JSON array with one element for each JobSet, also from standard input", async () => {
    const args = ["explain", "-f", "-", "-o", "json"];
    const { exitCode, out, error } = await runCommand(args, { stdin: gunzipSync(packed) });
    expect([exitCode, withoutVersionNote(error)]).toEqual([0, ""]);
    const [js] = JSON.parse(out) as Record<string, unknown>[];
    expect(Object.keys(js ?? {}).slice(0, 5)).toEqual([
      "jobSet",
      "status",
      "roots",
      "chains",
      "notChecked",
    ]);
    expect(js).toMatchObject({
      jobSet: "ml/js",
      roots: [{ id: "insufficient-capacity", objects: ["Pod/ml/js-w-0-0-86l79"] }],
    });
    const yaml = await runCommand(["explain", "-f", "dump.json.gz", "-o", "yaml"], { files });
    expect(yaml.out).toMatch(/^- jobSet: ml\/js\n {2}status: Stuck\n {2}roots:\n/);
  });

  it("explain prints the named JobSets, with or without their namespace", async () => {
    for (const name of ["js", "ml/js"]) {
      const { out } = await runCommand(["explain", "-f", "dump.json.gz", name], { files });
      expect(out).toMatch(/^ml\/js: stuck\n/);
    }
    for (const name of ["ml", "other/js"]) {
      const args = ["explain", "-f", "dump.json.gz", name, "-o", "json"];
      const { error, ...result } = await runCommand(args, { files });
      expect(result).toEqual({ exitCode: 1, out: "[]\n" });
      expect(withoutVersionNote(error)).toBe(`jobset: JobSet "${name}" not found\n`);
    }
  });

  it("explain treats one list of several kinds as complete, and other files only for their kinds", async () => {
    const kinds = ["JobSet", "Job", "Pod"];
    const runExplain = async (stdin: string, ...args: readonly string[]) => {
      const result = await runCommand(["explain", "-f", "-", "-o", "json", ...args], { stdin });
      const [js] = JSON.parse(result.out) as { notChecked: string[] }[];
      return { notChecked: js?.notChecked, error: withoutVersionNote(result.error) };
    };
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "x", namespace: "ml" } };
    const complete = createList([...filterByKinds(...kinds, "Node"), service]);
    expect(await runExplain(complete)).toEqual({ notChecked: [], error: "" });
    // A user without permission to read nodes gets such a list.
    const noNodes =
      "jobset: note: the dump contains Pods on nodes but no nodes; if nodes could not be read, set --requested-kinds to the other kinds\n";
    const oneList = await runExplain(createList([...filterByKinds(...kinds), service]));
    expect(oneList.error).toBe(
      "jobset: note: not in the dump, so their state is unknown: Node; set --requested-kinds to the kinds that were requested\n",
    );
    expect(oneList.notChecked).toEqual(["domain-occupied:nodes", "no-domain-label:nodes"]);

    const documents = filterByKinds(...kinds).map((object) => JSON.stringify(object));
    const several = await runExplain(documents.join("\n---\n"));
    const unread =
      "jobset: note: not in the dump, so their state is unknown: Node, Service, Event, PersistentVolumeClaim; " +
      "set --requested-kinds to the kinds that were requested\n";
    expect(several.error).toBe(unread);
    expect(several.notChecked).not.toEqual([]);

    const named = await runExplain(
      documents.join("\n---\n"),
      "--requested-kinds",
      "nodes,services,Event",
    );
    expect(named.error).toBe(unread.replace("Node, Service, Event, ", "") + noNodes);
    const fewer = await runExplain(
      createList(filterByKinds(...kinds)),
      "--requested-kinds",
      "JobSet",
    );
    expect(fewer.error).toBe(unread);
  });

  it("explain does not treat kinds as empty to which the objects of a list refer", async () => {
    const unreadKinds = async (...objects: readonly object[]) => {
      const { error } = await runCommand(["explain", "-f", "-"], { stdin: createList(objects) });
      return /state is unknown: ([^;]*);/.exec(error)?.[1]?.split(", ");
    };
    const metadata = { name: "js", namespace: "ml", uid: "js" };
    const apiVersion = "jobset.x-k8s.io/v1alpha2";
    const createJobSet = (spec: object, ...conditions: readonly object[]) => {
      const replicatedJobsStatus: object[] = [{ name: "w", ready: 1 }];
      const status = { conditions, replicatedJobsStatus };
      return {
        apiVersion,
        kind: "JobSet",
        metadata,
        spec: { replicatedJobs: [], ...spec },
        status,
      };
    };
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } };
    const labels = { "jobset.sigs.k8s.io/jobset-name": "js" };
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...metadata, labels },
      spec: { nodeName: "n1" },
    };
    const job = { apiVersion: "batch/v1", kind: "Job", metadata, spec: {}, status: { ready: 1 } };
    const others = ["Service", "Event", "PersistentVolumeClaim"];
    const idle = { apiVersion, kind: "JobSet", metadata, spec: { replicatedJobs: [] } };
    expect(await unreadKinds(createJobSet({}), node)).toEqual(["Job", "Pod", ...others]);
    expect(await unreadKinds(idle, pod, node)).toEqual(["Job", ...others]);
    expect(await unreadKinds(idle, job, node)).toEqual(["Pod", ...others]);
    const starting = { ...job, status: { active: 1, ready: 0 } };
    expect(await unreadKinds(idle, starting, node)).toEqual(["Pod", ...others]);
    expect(await unreadKinds(createJobSet({}), job, pod, node)).toBeUndefined();
    // The controller creates the Service before the Jobs, and reports if it cannot.
    const childJob = { ...job, metadata: { ...metadata, labels } };
    expect(await unreadKinds(idle, childJob, pod, node)).toEqual(["Service"]);
    const reason = "HeadlessServiceCreationFailed";
    const failure = { apiVersion: "v1", kind: "Event", metadata, involvedObject: {}, reason };
    expect(await unreadKinds(idle, childJob, pod, node, failure)).toBeUndefined();
    const rejectedJob = { ...failure, reason: "JobCreationFailed" };
    expect(await unreadKinds(idle, node, rejectedJob)).toEqual(["Service"]);
    expect(await unreadKinds(idle, node, rejectedJob, failure)).toBeUndefined();
    const startingSet = createJobSet({});
    startingSet.status.replicatedJobsStatus = [{ name: "w", ready: 0, active: 1 }];
    expect(await unreadKinds(startingSet, node)).toEqual(["Job", "Pod", ...others]);
    // These counts do not show that there are Jobs now and here.
    const done = { type: "Completed", status: "True" };
    const restarting = { type: "RestartingJobSet", status: "True" };
    expect(await unreadKinds(createJobSet({}, done), node)).toBeUndefined();
    expect(await unreadKinds(createJobSet({}, restarting), node)).toBeUndefined();
    expect(await unreadKinds(createJobSet({ managedBy: "example.com/x" }), node)).toBeUndefined();
  });

  it("explain treats Pods in several files as absent if no Job counts any", async () => {
    const unread = async (status: object) => {
      const labels = { "jobset.sigs.k8s.io/jobset-name": "js" };
      const metadata = { name: "js-w-0", namespace: "ml", labels };
      const job = { apiVersion: "batch/v1", kind: "Job", metadata, spec: {}, status };
      const files = { a: createList(filterByKinds("JobSet")), b: createList([job]) };
      const { error } = await runCommand(["explain", "-f", "a", "-f", "b"], { files });
      return /state is unknown: ([^;]*);/.exec(error)?.[1];
    };
    const startTime = "2026-02-07T10:00:00Z";
    const others = "Node, Service, Event, PersistentVolumeClaim";
    expect(await unread({ startTime, ready: 0, terminating: 0 })).toBe(others);
    expect(await unread({ startTime, active: 1 })).toBe(`Pod, ${others}`);
    expect(await unread({ startTime, terminating: 1 })).toBe(`Pod, ${others}`);
    // The Job controller has not counted yet.
    expect(await unread({})).toBe(`Pod, ${others}`);
  });

  it("explain shows the middle of a long message of a root cause", async () => {
    const details = `${"x".repeat(150)} [denied by no-host-path] ${"y".repeat(300)}`;
    const message = `job "js-w-0" creation failed with error: denied: ${details}`;
    const metadata = { name: "js", namespace: "ml", uid: "js" };
    const jobSet = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata,
      spec: { replicatedJobs: [{ name: "w", replicas: 1, template: { spec: {} } }] },
      status: { conditions: [{ type: "StartupPolicyInProgress", status: "False" }] },
    };
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e", namespace: "ml" },
      involvedObject: { kind: "JobSet", ...metadata },
      reason: "JobCreationFailed",
      message,
    };
    const { out } = await runCommand(["explain", "-f", "-"], {
      stdin: createList([jobSet, event]),
    });
    const root = out.split("\n").find((line) => line.startsWith("job js-w-0"));
    expect(root).toContain("[denied by no-host-path]");
    expect(root).toContain(`${"y".repeat(300)}`);
  });

  it("explain treats a list of one type as all objects of this type", async () => {
    const jobSets = createList(filterByKinds("JobSet"));
    const pods = createList([], "PodList");
    const foreign = createList([], "ServiceList", "serving.knative.dev/v1");
    const { error } = await runCommand(["explain", "-f", "a", "-f", "b", "-f", "c"], {
      files: { a: jobSets, b: pods, c: foreign },
    });
    expect(error).toContain("unknown: Job, Node, Service, Event, PersistentVolumeClaim;");
  });

  it("explain treats a list of several kinds as complete only if it is the only document", async () => {
    const unread = async (files: Readonly<Record<string, string>>) => {
      const args = Object.keys(files).flatMap((name) => ["-f", name]);
      const { error } = await runCommand(["explain", ...args], { files });
      const kinds = /their state is unknown: (?<kinds>.*);/.exec(error)?.groups?.kinds;
      return { lines: error.split("\n").length - 1, kinds };
    };
    // An active Job would show that the Pods are omitted.
    const jobs = filterByKinds("Job").map((job) => ({ ...job, status: {} }));
    const a = createList([...filterByKinds("JobSet"), ...jobs]);
    expect(await unread({ a })).toEqual({ lines: 1, kinds: "Service" });
    const others = "Pod, Node, Service, Event, PersistentVolumeClaim";
    expect(await unread({ a, b: createList([]) })).toEqual({ lines: 1, kinds: others });
    const one = { lines: 1, kinds: `Job, ${others}` };
    expect(await unread({ a: createList(filterByKinds("JobSet")) })).toEqual(one);
    expect(await unread({ a: JSON.stringify(filterByKinds("JobSet")[0]) })).toEqual(one);
    const typed = createList(filterByKinds("JobSet"), "JobSetList", "jobset.x-k8s.io/v1alpha2");
    expect(await unread({ a: typed, b: createList([], "JobList", "batch/v1") })).toEqual({
      lines: 1,
      kinds: others,
    });
  });

  it("explain uses the newest time in the dump unless --now is set", async () => {
    const metadata = { name: "new", namespace: "ml", uid: "u", generation: 1 };
    const jobSet = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { ...metadata, creationTimestamp: "2026-11-21T12:00:00Z" },
      spec: { replicatedJobs: [{ name: "w", replicas: 1, template: { spec: {} } }] },
    };
    const lastHeartbeatTime = "2026-11-21T13:00:00Z"; // One hour later.
    const node = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n1" },
      status: { conditions: [{ type: "Ready", lastHeartbeatTime }] },
    };
    const explainFirst = async (stdin: string, now: number, ...args: readonly string[]) =>
      (await runCommand(["explain", "-f", "-", ...args], { stdin, now })).out.split("\n")[0];
    const alone = createList([jobSet, { ...node, status: {} }]);
    expect(await explainFirst(alone, 1e15)).toBe("ml/new: progressing");
    expect(await explainFirst(alone, 0, "--now", lastHeartbeatTime)).toBe("ml/new: stuck");
    // A time ahead of the local clock cannot be the time of the dump.
    const withNode = createList([jobSet, node]);
    const later = Date.parse(lastHeartbeatTime);
    expect(await explainFirst(withNode, later)).toBe("ml/new: stuck");
    expect(await explainFirst(withNode, later - 1)).toBe("ml/new: progressing");
  });

  it("explain names the invalid field of a template if no Event says why a Job is absent", async () => {
    const metadata = { name: "bad", namespace: "ml", uid: "u", generation: 1 };
    const mount = { name: "dshm", mountPath: "/dev/shm" };
    const container = { name: "main", image: "train:1", volumeMounts: [mount] };
    const template = { spec: { restartPolicy: "Never", containers: [container] } };
    const jobSet = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { ...metadata, creationTimestamp: "2026-11-21T12:00:00Z" },
      spec: { replicatedJobs: [{ name: "w", replicas: 1, template: { spec: { template } } }] },
    };
    const args = ["explain", "-f", "-", "--now", "2026-11-21T13:00:00Z"];
    const other = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "o", namespace: "ml" } };
    const { out } = await runCommand(args, { stdin: createList([jobSet, other]) });
    expect(out).toContain(
      'the API server rejects job bad-w-0: spec.replicatedJobs[0].template.spec.template.spec.containers[0].volumeMounts[0].name: Not found: "dshm"',
    );
  });

  it("explain prints no values of environment variables and nothing of a Secret", async () => {
    const value = "hunter2hunter2";
    const hide = (object: DumpedObject): unknown =>
      JSON.parse(
        JSON.stringify(object).replaceAll(
          '"containers":[{',
          `"containers":[{"env":[{"name":"A","value":"${value}"}],`,
        ),
      );
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "ml" } };
    const stdin = createList([...items.map(hide), { ...secret, data: { key: value } }]);
    expect(stdin.split(value).length).toBeGreaterThan(3);
    for (const format of ["table", "json", "yaml"]) {
      const { out, error } = await runCommand(["explain", "-f", "-", "-o", format], { stdin });
      expect(out + error).not.toContain(value);
    }
  });

  it("explain dims symptoms on a terminal only", async () => {
    const args = ["explain", "-f", "dump.json.gz"];
    const onTerminal = await runCommand(args, { files, isTTY: true });
    expect(onTerminal.out).toContain(
      "\u001b[2m    └── leader js-w-0-0-86l79 has no node\u001b[22m\n",
    );
    const plain = await runCommand(args, { files });
    expect(plain.out).not.toContain("\u001b");
    expect(await runCommand(args, { files, isTTY: true, env: { NO_COLOR: "1" } })).toEqual(plain);
  });

  it("--color overrides the terminal and NO_COLOR", async () => {
    const args = ["explain", "-f", "dump.json.gz", "--color"];
    const plain = await runCommand([...args, "never"], { files, isTTY: true });
    expect(plain.out).not.toContain("\u001b");
    const env = { NO_COLOR: "1" };
    const always = await runCommand([...args, "always"], { files, env });
    expect(always.out).toContain("\u001b[1mml/js: stuck\u001b[22m\n");
    expect((await runCommand([...args, "sometimes"], { files })).exitCode).toBe(2);
  });

  it("explain wraps its lines to the width of the terminal", async () => {
    const args = ["explain", "-f", "dump.json.gz", "--color", "never"];
    const { out } = await runCommand(args, { files, isTTY: true, columns: 60 });
    const whole = await runCommand(args, { files });
    const lines = out.split("\n");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    expect(lines.length).toBeGreaterThan(whole.out.split("\n").length);
    expect(out.replace(/\s+/g, " ")).toBe(whole.out.replace(/\s+/g, " "));
  });

  it("explain shows a kubectl command for the root cause", async () => {
    const { out } = await runCommand(["explain", "-f", "dump.json.gz"], { files });
    expect(out).toContain("\n    $ kubectl describe pod/js-w-0-0-86l79 -n ml\n");
  });

  it("explain shows messages of the cluster as one line without control characters", async () => {
    const colored = items.map((object) =>
      JSON.parse(
        JSON.stringify(object).replaceAll(
          "0/12 nodes are available: ",
          "\\u001b[31m0/12 nodes\\u001b[0m\\n\\tare available: ",
        ),
      ),
    );
    const stdin = createList(colored);
    const { out } = await runCommand(["explain", "-f", "-"], { stdin });
    expect(stdin).toContain("u001b");
    expect(out).toContain("PodScheduled: 0/12 nodes are available: ");
    for (const control of ["\\u00", "\u001b"]) expect(out).not.toContain(control);
  });

  it("explain rejects a truncated dump with its line, and reports a dump without JobSets", async () => {
    const text = gunzipSync(packed).toString();
    const cut = text.slice(0, text.length / 2);
    const { exitCode, out, error } = await runCommand(["explain", "-f", "cut.json"], {
      files: { "cut.json": cut },
    });
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(error).toMatch(/^cut\.json:\d+:\d+: /);
    expect(
      await runCommand(["explain", "-f", "-"], { stdin: createList(filterByKinds("Node")) }),
    ).toEqual({
      exitCode: 2,
      out: "",
      error: "<stdin>: no JobSet found, only Node\n",
    });
  });

  it("explain rejects kinds that no diagnosis uses", async () => {
    const { exitCode, error } = await runCommand([
      "explain",
      "-f",
      "x",
      "--requested-kinds",
      "Pod,Cat",
    ]);
    expect(exitCode).toBe(2);
    expect(error).toContain("Kinds are JobSet, Job, Pod, Node, Service, Event, ");
  });
});
