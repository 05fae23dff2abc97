import { resolveFeatureGates } from "@jobset-ts/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { names } from "../commands/names.ts";
import { plan } from "../commands/plan.ts";
import { status } from "../commands/status.ts";
import { aJobSetFile, runCommand } from "../testing.ts";
import type { KubectlCall } from "./kubectl.ts";
import {
  createCluster,
  definitions,
  follower,
  jobSetPath,
  jobSets,
  list,
  pending,
  resources,
  restart,
} from "./testing/example-clusters.ts";
import { type FakeKubectlResult, runLive } from "./testing/fake-kubectl.ts";

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
