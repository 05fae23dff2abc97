import { describe, expect, it } from "vitest";
import { runCommand, type TestEnvironment, withoutVersionNote } from "../testing.ts";
import { findListCalls, runLive } from "./testing/fake-kubectl.ts";
import {
  createResponses,
  forbidden,
  getServed,
  kinds,
  list,
  now,
  pool,
  readObjects,
  SECRET,
} from "./testing/recorded-clusters.ts";

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
