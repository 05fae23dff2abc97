import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runCommand, type World, withoutVersionNote } from "../testing.ts";
import { getServedName, type LiveKind, liveResources } from "./resources.ts";
import { type Answer, runLive } from "./testing.ts";

interface Stored {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const SECRET = "hunter2hunter2";

/** Returns the objects of a recorded cluster. Each container and object has a secret. */
function readObjects(name: string): readonly Stored[] {
  const url = new URL(`../testdata/dumps/${name}.json.gz`, import.meta.url);
  const text = gunzipSync(readFileSync(url))
    .toString()
    .replace(
      /"containers":\s*\[\s*\{/g,
      `$&"env":[{"name":"TOKEN","value":"${SECRET}"}],"args":["--key=${SECRET}"],`,
    );
  const { items } = JSON.parse(text) as { readonly items: readonly Stored[] };
  return items.map((object) => {
    const annotations = {
      "example.com/note": `see ${SECRET}`,
      [LAST_APPLIED]: `{"a":"${SECRET}"}`,
    };
    const { metadata } = object as { readonly metadata: { readonly annotations?: object } };
    return {
      ...object,
      metadata: {
        ...object.metadata,
        annotations: { ...metadata.annotations, ...annotations },
        managedFields: [{ manager: "kubectl" }],
      },
    };
  });
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

const kinds = Object.keys(liveResources) as LiveKind[];

/** Returns kubectl's responses for a cluster with these objects. */
function createAnswers(
  objects: readonly Stored[],
  served: readonly LiveKind[] = kinds,
): Record<string, Answer> {
  const lists = kinds.map((kind): [string, Answer] => [
    liveResources[kind].resource,
    { items: objects.filter((object) => object.kind === kind) },
  ]);
  const names = served.map((kind) => `${getServedName(kind)}\n`).join("");
  return { ...Object.fromEntries(lists), [API_RESOURCES]: { prints: names } };
}

/** The fake kubectl stores a response under its second word: `kubectl api-resources --verbs=list`. */
const API_RESOURCES = "--verbs=list";

const list = (items: readonly object[]) =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });

const now = Date.parse("2026-11-22T00:00:00Z");
const forbidden = (resource: string, group = "", where = "at the cluster scope") => ({
  says: `Error from server (Forbidden): ${resource} is forbidden: User "eve" cannot list resource "${resource}" in API group "${group}" ${where}\n`,
});

const pool = readObjects("s01-pool-slice");

describe("a diagnosis of the live cluster", () => {
  it.each([["explain"], ["top"], ["verify"], ["census"], ["what-if ml/js --fail js-w-0"]])(
    "jobset %s prints the same for a live cluster and for its dump",
    async (command) => {
      const args = [...command.split(" "), "-o", "json"];
      const world = { now };
      const time =
        args[0] === "verify" || args[0] === "census" ? [] : ["--now", "2026-11-22T00:00:00Z"];
      const live = await runLive([...args, "-A"], createAnswers(pool), world);
      const dumped = await runCommand([...args, "-f", "-", ...time], { stdin: list(pool), now });
      // A dump can show the version of JobSet in objects that the command does not read from a cluster.
      const [of, from] = [live, dumped].map(({ error, out, exitCode }) => ({
        error: withoutVersionNote(error),
        out: out.replace(/\{\s*"message": "assuming JobSet [^}]*\},?\s*/, ""),
        exitCode,
      }));
      expect(of).toEqual(from);
      expect(live.calls.length).toBeGreaterThan(1);
      expect(live.out).not.toContain(SECRET);
    },
  );

  it("explain reads all kinds with few calls of kubectl, and no Secrets", async () => {
    const { calls } = await runLive(["explain", "-A", "--context", "c"], createAnswers(pool));
    expect(calls[0]).toBe(
      "get jobsets.v1alpha2.jobset.x-k8s.io -o json --context=c --all-namespaces",
    );
    expect(calls[1]).toBe("api-resources --verbs=list -o name --context=c");
    expect(calls).toHaveLength(9);
    const listed = calls.flatMap((call) =>
      call.startsWith("get ") ? call.split(" ")[1]?.split(",") : [],
    );
    expect(new Set(listed)).toEqual(new Set(kinds.map((kind) => liveResources[kind].resource)));
    expect(listed).toHaveLength(kinds.length);
    expect(calls.join("\n")).not.toMatch(/secret/i);
  });

  it("kinds that the server does not serve are not read, and count as empty", async () => {
    const served = ["JobSet", "Job", "Pod", "Node", "Service", "Event"] as const;
    const { calls, error } = await runLive(["explain", "-A"], createAnswers(pool, served));
    expect(calls.join("\n")).not.toMatch(/kueue|trainer|endpointslices/);
    expect(withoutVersionNote(error)).toBe("");
  });

  it("a kind that the server does not serve is not an error if kubectl does not list the API", async () => {
    const answers = {
      ...createAnswers(pool),
      [API_RESOURCES]: { says: "error: unknown command\n" },
      "workloads.kueue.x-k8s.io": {
        says: `error: the server doesn't have a resource type "workloads"\n`,
      },
    };
    const { exitCode, out, error } = await runLive(["explain", "-A"], answers, { now });
    const { out: whole } = await runLive(["explain", "-A"], createAnswers(pool), { now });
    expect([exitCode, out, withoutVersionNote(error)]).toEqual([0, whole, ""]);
  });

  it("kinds that kubectl may not list are named once, after the output, with what they hide", async () => {
    const answers = {
      ...createAnswers(pool),
      nodes: forbidden("nodes"),
      "clusterqueues.kueue.x-k8s.io": forbidden("clusterqueues", "kueue.x-k8s.io"),
      "events.v1.": forbidden("events", "", 'in the namespace "ml"'),
    };
    const { exitCode, out, error } = await runLive(["explain", "-n", "ml"], answers, { now });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^ml\/js: /);
    expect(withoutVersionNote(error)).toMatch(
      /^jobset: warning: could not be read, so findings about them are missing: [^\n]*\n$/,
    );
    for (const hidden of [
      "Node (topology domains, taints and lost nodes)",
      "ClusterQueue (the quota of queues)",
      "Event (messages of the scheduler, the kubelets and controllers)",
    ]) {
      expect(error).toContain(hidden);
    }
    expect(error.match(/ is forbidden/g)).toHaveLength(1);
  });

  it("one kind of a group with another error does not hide the others", async () => {
    const answers = {
      ...createAnswers(pool),
      limitranges: { says: "Error from server (ServiceUnavailable): try later\n" },
    };
    const { out, error, calls } = await runLive(["explain", "-A"], answers, { now });
    expect(out).toBe((await runLive(["explain", "-A"], createAnswers(pool), { now })).out);
    expect(error).toContain(
      "missing: LimitRange (limits of a namespace); the first error: try later",
    );
    expect(calls).toContain("get services -o json --all-namespaces");
  });

  it("explain of a JobSet with its namespace reads this namespace", async () => {
    const { calls, out } = await runLive(["explain", "ml/js"], createAnswers(pool), { now });
    expect(out).toMatch(/^ml\/js: /);
    expect(calls).toContain("get pods -o json --namespace=ml");
    expect(calls.filter((call) => call.includes("--all-namespaces"))).toEqual([
      "get deployments.v1.apps -o json --all-namespaces",
    ]);
  });

  it("explain reads the namespaces of controllers and webhooks, too", async () => {
    const webhooks = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "policies" },
      webhooks: [
        {
          clientConfig: { service: { namespace: "policy", name: "p" } },
          rules: [{ apiGroups: [""], resources: ["pods"] }],
        },
        {
          clientConfig: { service: { namespace: "unrelated", name: "p" } },
          rules: [{ apiGroups: [""], resources: ["secrets"] }],
        },
      ],
    };
    const manager = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace: "jobset-system", name: "jobset-controller-manager" },
    };
    const objects = [...pool, webhooks, manager];
    const one = await runLive(["explain", "-n", "ml"], createAnswers(objects));
    const what = "get pods,services,endpointslices.discovery.k8s.io,events.v1. -o json";
    expect(one.calls.filter((call) => call.startsWith(what)).toSorted()).toEqual([
      `${what} --namespace=jobset-system`,
      `${what} --namespace=policy`,
    ]);
    const every = await runLive(["explain", "-A"], createAnswers(objects));
    expect(every.calls.filter((call) => call.startsWith(what))).toEqual([]);
  });

  it("a namespace without JobSets is reported with a note", async () => {
    for (const command of ["explain", "top"]) {
      expect(await runLive([command, "-n", "ml"], {})).toMatchObject({
        exitCode: 0,
        out: "",
        error: "jobset: note: no JobSet found in namespace ml\n",
      });
    }
  });
});

describe("jobset --watch", () => {
  const watch = async (rounds: number, world: World = {}) => {
    let left = rounds;
    const sleep = async (millis: number) => {
      expect(millis).toBe(3000);
      left -= 1;
      return left > 0;
    };
    const args = ["top", "-A", "--watch", "--interval", "3"];
    return runLive(args, createAnswers(pool), { now, sleep, ...world });
  };

  it("--watch prints a result again only if it has changed", async () => {
    const once = await runLive(["top", "-A"], createAnswers(pool), { now });
    const watched = await watch(3);
    expect(watched.out).toBe(once.out);
    expect(watched.calls).toHaveLength(3 * once.calls.length);
    let time = now;
    const later = await watch(2, {
      now: () => {
        time += 3_600_000;
        return time;
      },
    });
    expect(later.exitCode).toBe(0);
  });

  it("--watch replaces the previous result on a terminal", async () => {
    const { out } = await watch(1, { isTTY: true });
    expect(out.startsWith("\u001b[H\u001b[2J\u001b[3J")).toBe(true);
  });

  it("--watch ends if the first read fails", async () => {
    const answers = { "jobsets.v1alpha2.jobset.x-k8s.io": { says: "error: no cluster\n" } };
    const sleep = () => expect.unreachable("reads again");
    const { exitCode } = await runLive(["top", "--watch"], answers, { sleep });
    expect(exitCode).toBe(2);
  });

  it("--watch is rejected for files", async () => {
    const { exitCode, error } = await runCommand(["explain", "-f", "-", "--watch"]);
    expect(exitCode).toBe(2);
    expect(error).toContain("cannot be used with option");
  });
});

describe("jobset dump", () => {
  const formats = [["-o", "json"], []];

  it.each([["s01-pool-slice"], ["s05-label-gone"], ["s12-new"], ["s17-two-causes"]])(
    "explain prints the same for the live cluster and its dump, which contains no secret: %s",
    async (name) => {
      const answers = createAnswers(readObjects(name));
      const dumped = await runLive(["dump", "-A"], answers, { now });
      expect(dumped).toMatchObject({ exitCode: 0, error: "" });
      expect(dumped.out).not.toContain(SECRET);
      expect(dumped.out).not.toContain("managedFields");
      for (const format of formats) {
        const live = await runLive(["explain", "-A", ...format], answers, { now });
        const read = await runCommand(["explain", "-f", "-", ...format], { stdin: dumped.out });
        expect({ ...live, calls: 0 }).toEqual({ ...read, calls: 0 });
        expect(live.out).not.toBe("");
      }
    },
  );

  it("a dump keeps which kinds could not be read", async () => {
    const answers = { ...createAnswers(pool), nodes: forbidden("nodes") };
    const dumped = await runLive(["dump", "-A"], answers, { now });
    expect(dumped.error).toContain("missing: Node (");
    const live = await runLive(["explain", "-A", "-o", "json"], answers, { now });
    const read = await runCommand(["explain", "-f", "-", "-o", "json"], { stdin: dumped.out });
    expect({ ...live, calls: 0 }).toEqual({ ...read, calls: 0 });
    expect(live.out).toContain("domain-occupied:nodes");
  });

  it("a dump of one JobSet omits the objects of the others and has the same diagnosis", async () => {
    const other = pool.flatMap((object) => {
      const text = JSON.stringify(object);
      if (!["JobSet", "Job", "Pod"].includes(object.kind) || object.metadata.namespace !== "ml")
        return [];
      const copy = text.replaceAll("js", "other").replaceAll('"uid":"', '"uid":"o-');
      return [JSON.parse(copy) as Stored];
    });
    const answers = createAnswers([...pool, ...other]);
    const one = await runLive(["dump", "ml/js"], answers, { now });
    const { items } = JSON.parse(one.out) as { readonly items: readonly Stored[] };
    const names = items
      .filter(({ kind }) => kind === "JobSet")
      .map(({ metadata }) => metadata.name);
    expect(names).toEqual(["js"]);
    expect(items.filter(({ kind }) => kind === "Pod").length).toBe(
      pool.filter(({ kind }) => kind === "Pod").length,
    );
    const live = await runLive(["explain", "ml/js"], answers, { now });
    const read = await runCommand(["explain", "-f", "-"], { stdin: one.out });
    expect(read.out).toBe(live.out);
  });

  it("a dump of files is redacted, too", async () => {
    const { exitCode, out } = await runCommand(["dump", "-f", "-"], { stdin: list(pool) });
    expect(exitCode).toBe(0);
    expect(out).toContain('"kind":"JobSet"');
    expect(out).not.toContain(SECRET);
  });

  it("a misshapen header of a dump counts as none", async () => {
    const { out: expected } = await runCommand(["explain", "-f", "-"], { stdin: list(pool) });
    for (const header of [
      1,
      {},
      { time: 7, kinds: [] },
      { time: "2026-11-22T00:00:00Z", kinds: {} },
    ]) {
      const stdin = JSON.stringify({
        apiVersion: "v1",
        kind: "List",
        jobsetDump: header,
        items: pool,
      });
      const { exitCode, out } = await runCommand(["explain", "-f", "-"], { stdin });
      expect({ exitCode, out }).toEqual({ exitCode: 0, out: expected });
    }
    const hostile = {
      time: "2026-11-22T00:00:00Z",
      kinds: [{}, "Pod"],
      readErrors: { Node: 1, Job: { message: "m" } },
    };
    const stdin = JSON.stringify({
      apiVersion: "v1",
      kind: "List",
      jobsetDump: hostile,
      items: pool,
    });
    const { exitCode, error } = await runCommand(["explain", "-f", "-"], { stdin });
    expect(exitCode).toBe(0);
    expect(error).toContain("missing: Job (the state of child Jobs); the first error: m");
  });
});
