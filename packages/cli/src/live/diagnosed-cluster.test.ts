import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runCommand, type TestEnvironment, withoutVersionNote } from "../testing.ts";
import { type LiveKind, liveResources } from "./resources.ts";
import { type FakeKubectlResult, findListCalls, runLive } from "./testing.ts";

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

/** Returns the resource of a kind and its version in a cluster where the server prefers `v1beta2`. */
function getServed(kind: LiveKind) {
  const found: { resource: string; apiVersion?: string; group?: string } = liveResources[kind];
  const { resource, group, apiVersion = `${group}/v1beta2` } = found;
  const [prefix] = apiVersion.includes("/") ? apiVersion.split("/") : [];
  return { resource, apiVersion, key: prefix === undefined ? resource : `${resource}.${prefix}` };
}

/** Returns kubectl's responses for a cluster with these objects. */
function createResponses(
  objects: readonly Stored[],
  served: readonly LiveKind[] = kinds,
): Record<string, FakeKubectlResult> {
  const lists = kinds.map((kind): [string, FakeKubectlResult] => [
    getServed(kind).key,
    { items: objects.filter((object) => object.kind === kind) },
  ]);
  const rows = served.map((kind) => {
    const { resource, apiVersion } = getServed(kind);
    return `${resource}   ${resource.slice(0, 2)}   ${apiVersion}   true   ${kind}\n`;
  });
  return { ...Object.fromEntries(lists), "api-resources": { prints: rows.join("") } };
}

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
      const live = await runLive([...args, "-A"], createResponses(pool), world);
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

  it("explain lists every kind once, in the version that the server prefers, and no Secrets", async () => {
    const { calls } = await runLive(["explain", "-A", "--context", "c"], createResponses(pool));
    expect(calls[0]).toBe(
      "get --raw /apis/jobset.x-k8s.io/v1alpha2/jobsets?limit=5000 --context=c",
    );
    const lists = calls.filter((call) => call.startsWith("get "));
    const paths = lists.map((call) => (call.split(" ")[2] ?? "").split("?")[0]);
    expect(new Set(paths)).toEqual(
      new Set(
        kinds.map((kind) => {
          const { resource, apiVersion } = getServed(kind);
          return `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}/${resource}`;
        }),
      ),
    );
    expect(paths).toHaveLength(kinds.length);
    expect(calls.filter((call) => !lists.includes(call))).toEqual([
      "api-resources --verbs=list --no-headers --context=c",
    ]);
    expect(calls.join("\n")).not.toMatch(/secret/i);
  });

  it("kinds that the server does not serve are not read, and count as empty", async () => {
    const served = ["JobSet", "Job", "Pod", "Node", "Service", "Event"] as const;
    const { calls, error } = await runLive(["explain", "-A"], createResponses(pool, served));
    expect(calls.join("\n")).not.toMatch(/kueue|trainer|resourceclaims/);
    expect(withoutVersionNote(error)).toBe("");
  });

  it("kinds whose version kubectl does not list are named as unread", async () => {
    const answers = {
      ...createResponses(pool),
      "api-resources": { says: "error: unknown command\n" },
    };
    const { exitCode, out, error } = await runLive(["explain", "-A"], answers, { now });
    const { out: whole } = await runLive(["explain", "-A"], createResponses(pool), { now });
    expect([exitCode, out]).toEqual([0, whole]);
    expect(error).toContain("Workload (why Kueue does not admit a JobSet)");
    expect(error).toContain(
      "the first error: kubectl api-resources failed with exit code 1: error: unknown command",
    );
  });

  it("a kind that the server no longer serves counts as empty", async () => {
    const says = "Error from server (NotFound): the server could not find the requested resource\n";
    const answers = { ...createResponses(pool), "workloads.kueue.x-k8s.io": { says } };
    const { exitCode, error } = await runLive(["explain", "-A"], answers, { now });
    expect([exitCode, withoutVersionNote(error)]).toEqual([0, ""]);
    const jobSets = { ...createResponses(pool), "jobsets.jobset.x-k8s.io": { says } };
    expect(await runLive(["explain", "-A"], jobSets, { now })).toMatchObject({
      exitCode: 2,
      error: "jobset: the cluster does not serve jobsets of jobset.x-k8s.io/v1alpha2\n",
    });
  });

  it("kinds that kubectl may not list are named once, after the output, with the missing information", async () => {
    const answers = {
      ...createResponses(pool),
      nodes: forbidden("nodes"),
      "clusterqueues.kueue.x-k8s.io": forbidden("clusterqueues", "kueue.x-k8s.io"),
      events: forbidden("events", "", 'in the namespace "ml"'),
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

  it("a kind with another error does not hide the others", async () => {
    const answers = {
      ...createResponses(pool),
      limitranges: { says: "Error from server (ServiceUnavailable): try later\n" },
    };
    const { out, error } = await runLive(["explain", "-A"], answers, { now });
    expect(out).toBe((await runLive(["explain", "-A"], createResponses(pool), { now })).out);
    expect(error).toContain(
      "missing: LimitRange (limits of a namespace); the first error: try later",
    );
  });

  it("explain of a JobSet with its namespace reads this namespace", async () => {
    const { calls, out } = await runLive(["explain", "ml/js"], createResponses(pool), { now });
    expect(out).toMatch(/^ml\/js: /);
    expect(findListCalls(calls, "jobs.batch")).toEqual([
      "get --raw /apis/batch/v1/namespaces/ml/jobs?limit=5000",
    ]);
    expect(findListCalls(calls, "deployments.apps")).toEqual([
      "get --raw /apis/apps/v1/deployments?limit=5000",
    ]);
  });

  it.each([["s03-full-house"], ["s08-pull"], ["s13-bigrun"], ["s16-jobname"]])(
    "explain of one JobSet reads only the Pods that can affect it, and finds the same: %s",
    async (dump) => {
      const objects = readObjects(dump);
      const answers = createResponses(objects);
      const isExclusive = JSON.stringify(objects).includes("exclusive-topology");
      for (const { kind, metadata } of objects) {
        if (kind !== "JobSet") continue;
        const scope = ["-n", metadata.namespace ?? "", "-o", "json"];
        const every = await runLive(["explain", ...scope], answers, { now });
        const one = await runLive(["explain", metadata.name, ...scope], answers, { now });
        const found = JSON.parse(every.out) as readonly { readonly jobSet: string }[];
        expect(JSON.parse(one.out)).toEqual(
          found.filter(({ jobSet }) => jobSet === `${metadata.namespace}/${metadata.name}`),
        );
        expect(JSON.parse(one.out)).toHaveLength(1);
        const selector = isExclusive ? "" : `+in+%28${metadata.name}%29`;
        expect(findListCalls(one.calls, "pods")[0]).toContain(
          `/pods?labelSelector=jobset.sigs.k8s.io%2Fjobset-name${selector}&`,
        );
      }
    },
  );

  it("explain of a missing JobSet reads only the JobSets", async () => {
    const args = ["explain", "ml/jss", "--jobset-version", "main"];
    const { calls, exitCode, error } = await runLive(args, createResponses(pool), { now });
    expect(exitCode).toBe(1);
    expect(error).toBe('jobset: JobSet "ml/jss" not found (Did you mean ml/js?)\n');
    expect(calls).toHaveLength(1);
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
    const one = await runLive(["explain", "-n", "ml"], createResponses(objects));
    for (const resource of ["pods", "services", "endpointslices.discovery.k8s.io", "events"]) {
      const namespaces = findListCalls(one.calls, resource).map(
        (call) => /namespaces\/([^/]+)/.exec(call)?.[1],
      );
      expect(namespaces.toSorted()).toEqual(["jobset-system", "ml", "policy"]);
    }
    const every = await runLive(["explain", "-A"], createResponses(objects));
    expect(findListCalls(every.calls, "pods")).toHaveLength(1);
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
  const watch = async (rounds: number, world: TestEnvironment = {}) => {
    let left = rounds;
    const sleep = async (millis: number) => {
      expect(millis).toBe(3000);
      left -= 1;
      return left > 0;
    };
    const args = ["top", "-A", "--watch", "--interval", "3"];
    return runLive(args, createResponses(pool), { now, sleep, ...world });
  };

  it("--watch prints a result again only if it has changed", async () => {
    const once = await runLive(["top", "-A"], createResponses(pool), { now });
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
    const answers = { "jobsets.jobset.x-k8s.io": { says: "error: no cluster\n" } };
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
      const answers = createResponses(readObjects(name));
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
    const answers = { ...createResponses(pool), nodes: forbidden("nodes") };
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
    const answers = createResponses([...pool, ...other]);
    const one = await runLive(["dump", "ml/js"], answers, { now });
    const { items } = JSON.parse(one.out) as { readonly items: readonly Stored[] };
    const names = items
      .filter(({ kind }) => kind === "JobSet")
      .map(({ metadata }) => metadata.name);
    expect(names).toEqual(["js"]);
    const pods = items.filter(({ kind }) => kind === "Pod");
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(["js-w-0-0-86l79"]);
    const live = await runLive(["explain", "ml/js"], answers, { now });
    const read = await runCommand(["explain", "-f", "-"], { stdin: one.out });
    expect(read.out).toBe(live.out);
  });

  it("a dump of one JobSet omits Events about Pods that are not read", async () => {
    const objects = readObjects("s08-pull");
    const copy = JSON.stringify(objects.filter(({ kind }) => kind !== "Node"))
      .replaceAll("hello", "other")
      .replaceAll('"uid":"', '"uid":"o-');
    const answers = createResponses([...objects, ...(JSON.parse(copy) as readonly Stored[])]);
    const { out } = await runLive(["dump", "demo/hello"], answers, { now });
    expect(out).toMatch(/"kind":"Pod".*"name":"hello-w-0-0-wlfqm"/);
    expect(out).toContain("Back-off pulling image");
    expect(out).not.toContain("other-w-0");
  });

  it("a dump of one JobSet omits other JobSets, even if one of their Jobs changes its diagnosis", async () => {
    const objects = readObjects("s16-jobname");
    const jobSet = objects.find(({ kind }) => kind === "JobSet");
    const copy = JSON.stringify(jobSet).replace('"name":"js"', '"name":"other"');
    const other = JSON.parse(copy) as Stored;
    // The Job that has the name of a child Job belongs to the other JobSet.
    const labels = { "jobset.sigs.k8s.io/jobset-name": "other" };
    const owned = objects.map((object) =>
      object.metadata.name === "js-w-1" && object.kind === "Job"
        ? { ...object, metadata: { ...object.metadata, labels } }
        : object,
    );
    const answers = createResponses([...owned, other]);
    const one = await runLive(["dump", "js", "-n", "ml"], answers, { now });
    const live = await runLive(["explain", "js", "-n", "ml"], answers, { now });
    const read = await runCommand(["explain", "-f", "-"], { stdin: one.out });
    expect(live.out).toContain("job js-w-1 has no owner");
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
