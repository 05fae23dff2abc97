import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api/keys";
import { eventually, type Stored } from "../../cluster.ts";
import type { KubectlCall } from "../../kubectl.ts";
import { addNode } from "../../kubelet.ts";
import { getRejectionMessage, part, type Scenario, type Stage } from "../../scenario.ts";
import { failed } from "./job-statuses.ts";
import { denied } from "./messages.ts";
import { createPod, createPodOfJob } from "./pods-by-hand.ts";

const SECRET = "hunter2";
const RACK = "example.com/rack";

/** A JobSet with a secret value in the environment of its containers. */
const spec = {
  failurePolicy: { maxRestarts: 3 },
  replicatedJobs: [
    part("workers", {
      replicas: 2,
      pods: 2,
      podSpec: { container: { env: [{ name: "TOKEN", value: SECRET }] } },
    }),
  ],
};

/** Calls kubectl and returns its output, which must not contain the secret value. */
async function runAndCheckOutput(
  stage: Stage,
  args: readonly string[],
  { exitCode: expected = 0, ...call }: KubectlCall & { readonly exitCode?: number } = {},
): Promise<{ readonly out: string; readonly error: string }> {
  const { exitCode, out, error } = await stage.kubectl(args, call);
  assert.equal(exitCode, expected, `kubectl ${args.join(" ")}: ${error}${out}`);
  assert.ok(!(out + error).includes(SECRET), `kubectl ${args.join(" ")} shows a secret`);
  return { out, error };
}

/** Calls kubectl and returns the items of its JSON output. */
async function listItems(
  ...args: Parameters<typeof runAndCheckOutput>
): Promise<readonly Stored[]> {
  return JSON.parse((await runAndCheckOutput(...args)).out).items;
}

/**
 * Returns the output of a command without the note about the version of JobSet. Only an administrator can read the objects
 * that show the version.
 */
function withoutVersionNote({ out, error }: { readonly out: string; readonly error: string }) {
  const isVersionNote = (text: string) => text.includes("assuming JobSet");
  const lines = error.split("\n").filter((line) => !isVersionNote(line));
  if (!out.startsWith("{")) return { out, error: lines.join("\n") };
  const { notes, ...report } = JSON.parse(out) as { readonly notes: readonly Stored[] };
  const others = notes.filter(({ message }) => !isVersionNote(message));
  return { out: { ...report, notes: others }, error: lines.join("\n") };
}

/** Returns a kubeconfig of a user who can only read this namespace. */
async function aReader(stage: Stage, folder: string): Promise<string> {
  const inNamespace = ["-n", stage.namespace];
  const resources =
    "jobsets.jobset.x-k8s.io,jobs.batch,services,persistentvolumeclaims,pods,events";
  const kubectl = async (...args: readonly string[]) =>
    (await runAndCheckOutput(stage, [...args, ...inNamespace])).out.trim();
  await kubectl("create", "serviceaccount", "reader");
  await kubectl("create", "role", "reader", "--verb=get,list", `--resource=${resources}`);
  const account = `${stage.namespace}:reader`;
  await kubectl("create", "rolebinding", "reader", "--role=reader", `--serviceaccount=${account}`);
  const token = await kubectl("create", "token", "reader");
  const { out } = await runAndCheckOutput(stage, [
    "config",
    "view",
    "--raw",
    "--flatten",
    "-o",
    "json",
  ]);
  const config = JSON.parse(out) as Stored;
  config.users[0].user = { token };
  config.contexts[0].context.namespace = stage.namespace;
  const file = join(folder, "reader.kubeconfig");
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

/** Runs a story with a temporary folder. */
async function withTemporaryFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "jobset-e2e-kubectl-"));
  try {
    await act(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const kubectlJobSet: readonly Scenario[] = [
  {
    name: "kubectl jobset prints the same for an administrator and a user of one namespace",
    async play(stage) {
      await stage.create(spec);
      await stage.jobs("workers-0", "workers-1");
      await stage.jobStatus("workers-1", failed());
      await stage.atAttempt(1, "workers-0", "workers-1");
      const { namespace } = stage;
      const commands = [
        ["status", "train"],
        ["plan"],
        ["plan", "-o", "json"],
        ["names", "-o", "name"],
      ].map((args) => ["jobset", ...args]);
      const toAdministrator = (args: readonly string[]) =>
        runAndCheckOutput(stage, [...args, "-n", namespace]);

      // When the controller has finished its work, the plan is empty and no status write remains.
      await stage.waitForValue(
        async () => {
          const [item] = await listItems(stage, [
            "jobset",
            "status",
            "-n",
            namespace,
            "-o",
            "json",
          ]);
          const { status } = (await stage.jobSet()) ?? {};
          return { ...item, isSame: JSON.stringify(item?.status) === JSON.stringify(status) };
        },
        {
          namespace,
          name: "train",
          changed: false,
          status: (
            await stage.jobSetWith(
              "the JobSet has restarted",
              ({ status }) => status?.restarts === 1,
            )
          ).status,
          isSame: true,
        },
      );
      const plan = await toAdministrator(["jobset", "plan"]);
      assert.match(
        plan.out,
        new RegExp(`^${namespace}/train +<none> +none +<none> +nothing to do`, "m"),
      );
      const names = await toAdministrator(["jobset", "names", "train", "-o", "name"]);
      assert.deepEqual(
        names.out.trim().split("\n"),
        ["0-0", "0-1", "1-0", "1-1"].map((pod) => `train-workers-${pod}.train`),
      );
      // Objects of other users are shown only to users who may read them.
      const every = await listItems(stage, ["jobset", "status", "-A", "-o", "json"]);
      assert.ok(every.some((item) => item.namespace === namespace));

      await withTemporaryFolder(async (folder) => {
        const kubeconfig = await aReader(stage, folder);
        for (const args of commands) {
          const expected = withoutVersionNote(await toAdministrator(args));
          // The kubeconfig context of the reader sets the namespace.
          const inContext = await runAndCheckOutput(stage, args, { kubeconfig });
          assert.deepEqual(withoutVersionNote(inContext), expected);
          const flags = ["--kubeconfig", kubeconfig, "-n", namespace];
          const inNamespace = await runAndCheckOutput(stage, [...args, ...flags]);
          assert.deepEqual(withoutVersionNote(inNamespace), expected);
        }
        const elsewhere = ["jobset", "status", "-A"];
        const { error } = await runAndCheckOutput(stage, elsewhere, { kubeconfig, exitCode: 2 });
        assert.match(
          error,
          /^jobset: kubectl get --raw \S+\/jobsets failed with exit code 1: Error from server \(Forbidden\): jobsets.* is forbidden: User "system:serviceaccount:\S+:reader" cannot list resource "jobsets"/,
        );
      });
    },
  },
  {
    name: "kubectl jobset admit --live returns the API server's decision about an edit",
    async play(stage) {
      const { namespace } = stage;
      const { metadata, spec: stored } = await stage.create(spec);
      const expectAdmitted = async (object: Stored, exitCode: number) => {
        const args = ["jobset", "admit", "-f", "-", "--live", "-n", namespace, "-o", "json"];
        const [item] = await listItems(stage, args, { input: JSON.stringify(object), exitCode });
        return item;
      };
      const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" };
      const edited = { ...jobSet, metadata: { name: metadata.name }, spec: { ...stored } };
      edited.spec.suspend = true;
      assert.deepEqual((await expectAdmitted(edited, 0)).operation, "UPDATE");

      // A template is immutable, even if redaction hides the change.
      const [workers] = stored.replicatedJobs;
      const changed = structuredClone(workers);
      changed.template.spec.template.spec.containers[0].env[0].value = `${SECRET}-rotated`;
      const words = await getRejectionMessage(
        stage.cluster.patch(await stage.jobSet(), { spec: { replicatedJobs: [changed] } }),
      );
      edited.spec = { ...stored, replicatedJobs: [changed] };
      const item = await expectAdmitted(edited, 1);
      assert.equal(item.allowed, false);
      assert.equal(words, denied("vjobset.kb.io", item.message));
      assert.match(words, /"name":"TOKEN","value":"\(redacted \d\)"/);
      assert.ok(!words.includes(SECRET));

      const created = { ...jobSet, metadata: { name: "other" }, spec: { ...spec, managedBy: "x" } };
      assert.equal((await expectAdmitted(created, 1)).operation, "CREATE");
    },
  },
  {
    name: "kubectl jobset admit --live evaluates a follower for a user who cannot read nodes",
    async play(stage) {
      const { namespace } = stage;
      await stage.create({
        replicatedJobs: [
          part("workers", {
            pods: 2,
            annotations: { [EXCLUSIVE_TOPOLOGY_KEY]: RACK },
            podSpec: { nodeSelector: {} },
          }),
        ],
      });
      await addNode(stage.cluster, `${namespace}-rack`, { [RACK]: `${namespace}-rack` }, 10);
      await stage.cluster.bind(await createPod(stage, "workers-0", 0), `${namespace}-rack`);
      const input = JSON.stringify(await createPodOfJob(stage, "workers-0", 1));
      const args = ["jobset", "admit", "-f", "-", "--live", "-o", "json"];
      await eventually("the leader has its node", async () => {
        const [item] = await listItems(stage, args, { input });
        return item?.allowed === true;
      });
      await withTemporaryFolder(async (folder) => {
        const kubeconfig = await aReader(stage, folder);
        const { out, error } = await runAndCheckOutput(stage, args, {
          kubeconfig,
          input,
          exitCode: 1,
        });
        const forbidden = /nodes is forbidden: User "\S+:reader" cannot list resource "nodes"/;
        assert.match(error, forbidden);
        assert.equal(error.match(/Node: cannot be read/g)?.length, 1);
        const [item] = JSON.parse(out).items;
        assert.equal(item.code, 403);
        assert.match(item.message, forbidden);
      });
    },
  },
  {
    name: "kubectl jobset explain prints the same for the live cluster and for its dump",
    async play(stage) {
      const { namespace } = stage;
      const jobSet = await stage.create({ ...spec, suspend: true });
      await stage.jobs("workers-0", "workers-1");
      await stage.condition("Suspended");
      const name = jobSet.metadata.name;
      await withTemporaryFolder(async (folder) => {
        const kubeconfig = await aReader(stage, folder);
        // An administrator sees everything, and the reader of one namespace sees no cluster-scoped objects.
        for (const call of [{}, { kubeconfig }]) {
          const inNamespace = ["-n", namespace];
          const dumped = await runAndCheckOutput(
            stage,
            ["jobset", "dump", name, ...inNamespace],
            call,
          );
          const { jobsetDump } = JSON.parse(dumped.out);
          const args = ["jobset", "explain", name];
          const live = await runAndCheckOutput(
            stage,
            [...args, ...inNamespace, "--now", jobsetDump.time],
            call,
          );
          const read = await runAndCheckOutput(stage, [...args, "-f", "-"], { input: dumped.out });
          assert.equal(read.out, live.out);
          assert.match(live.out, /JobSet is suspended/);
          assert.equal(live.error, dumped.error);
          const unread = Object.keys(jobsetDump.readErrors);
          assert.equal(unread.includes("Node"), "kubeconfig" in call);
          assert.equal(
            live.error.match(/could not be read/g)?.length ?? 0,
            unread.length > 0 ? 1 : 0,
          );
          assert.ok(!unread.includes("Pod") && jobsetDump.kinds.includes("Event"));
        }
      });
      const top = await runAndCheckOutput(stage, ["jobset", "top", "-A"]);
      assert.match(top.out, new RegExp(`^${namespace} +${name} +Suspended`, "m"));
    },
  },
];
