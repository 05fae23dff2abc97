import { describe, expect, it } from "vitest";
import { ran } from "./testing.ts";

// Values that stand nowhere else, so that they are found wherever they come out.
const secrets = {
  env: "hunter2-in-env",
  initEnv: "hunter2-in-init-env",
  edited: "hunter2-in-the-edit",
  lastApplied: "hunter2-in-last-applied",
  data: "aHVudGVyMi1pbi1kYXRh",
};
const annotations = {
  "kubectl.kubernetes.io/last-applied-configuration": `{"env":[{"value":"${secrets.lastApplied}"}]}`,
};
const metadata = { namespace: "ml", annotations, creationTimestamp: "2026-02-07T06:56:19Z" };
const podSpec = (value: string) => ({
  restartPolicy: "Never",
  initContainers: [{ name: "init", image: "i", env: [{ name: "TOKEN", value: secrets.initEnv }] }],
  containers: [{ name: "main", image: "i", env: [{ name: "TOKEN", value }] }],
});

function jobSetWith(value: string) {
  const template = { spec: { template: { spec: podSpec(value) } } };
  return {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: { ...metadata, name: "train", uid: "u-train" },
    spec: { replicatedJobs: [{ name: "w", replicas: 2, template }] },
  };
}

const labels = {
  "jobset.sigs.k8s.io/jobset-name": "train",
  "jobset.sigs.k8s.io/jobset-uid": "u-train",
  "jobset.sigs.k8s.io/replicatedjob-name": "w",
  "jobset.sigs.k8s.io/job-index": "0",
  "jobset.sigs.k8s.io/restart-attempt": "0",
};
const owner = (apiVersion: string, kind: string, name: string) => {
  return { apiVersion, kind, name, uid: `u-${name}`, controller: true };
};
const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: {
    ...metadata,
    labels,
    name: "train-w-0",
    uid: "u-train-w-0",
    ownerReferences: [owner("jobset.x-k8s.io/v1alpha2", "JobSet", "train")],
  },
  spec: { parallelism: 1, template: { metadata: { labels }, spec: podSpec(secrets.env) } },
};
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    ...metadata,
    labels,
    name: "train-w-0-0-abcde",
    uid: "u-pod",
    ownerReferences: [owner("batch/v1", "Job", "train-w-0")],
  },
  spec: podSpec(secrets.env),
  status: { phase: "Pending" },
};
const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { ...metadata, name: "token" },
  data: { token: secrets.data },
};
const listOf = (...items: readonly object[]) =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });
const files = {
  dump: listOf(jobSetWith(secrets.env), job, pod, secret),
  edited: JSON.stringify(jobSetWith(secrets.edited)),
  manifest: listOf(
    { ...jobSetWith(secrets.env), metadata: { name: "train", annotations } },
    secret,
  ),
  stored: JSON.stringify(jobSetWith(secrets.env)),
  scenario: JSON.stringify({
    seed: 1,
    objects: [{ ...jobSetWith(secrets.env), metadata: { ...metadata, name: "train" } }],
    workload: [],
    actions: [],
    faults: [],
    endsAt: 60_000,
  }),
};

const tables = ["table", "json", "yaml", "jsonpath={.}"];
const pictures = ["timeline", "html", "trace", "json"];
const commands: readonly (readonly [args: string, formats: readonly string[]])[] = [
  ["names -f manifest", [...tables, "wide", "name"]],
  ["names -f manifest --budget", tables],
  ["plan -f dump", tables],
  ["status -f dump", [...tables, "name"]],
  ["admit -f manifest", [...tables, "name"]],
  ["admit -f edited --old stored --cluster dump", tables],
  ["diff stored edited", tables],
  ["diff stored edited --cluster dump", tables],
  ["cost -f manifest", tables],
  ["kueue podsets -f manifest", tables],
  ["explain -f dump", tables],
  ["top -f dump", [...tables, "wide", "name"]],
  ["verify -f dump", tables],
  ["census -f dump --job-owned none", tables],
  ["what-if -f dump train --fail train-w-0", tables],
  ["simulate -f manifest", pictures],
  ["replay scenario", pictures],
  ["explore -f manifest --runs 1 --jobs 1", []],
  ["schema", []],
  ["completion bash", []],
];

describe("no value of an environment variable, and nothing of a Secret, is printed", () => {
  const rows = commands.flatMap(([args, formats]) =>
    formats.length === 0 ? [args] : formats.map((format) => `${args} -o ${format}`),
  );
  it.each(rows)("jobset %s", async (line) => {
    const { exitCode, out, error } = await ran(line.split(" "), { files });
    expect(exitCode, error).toBeLessThan(2);
    expect(out + error).not.toBe("");
    const told = Object.values(secrets).filter((value) => (out + error).includes(value));
    expect(told).toEqual([]);
  });

  it("is asked of every command but render, which prints what is to be created", async () => {
    const { out } = await ran(["--help"]);
    const names = [...out.matchAll(/^ {2}(?<name>[a-z-]+) /gm)].map(({ groups }) => groups?.name);
    const tried = new Set(commands.map(([args]) => args.split(" ")[0]));
    expect(names.filter((name) => name !== undefined && !tried.has(name))).toEqual([
      "render",
      "version",
      "help",
    ]);
    const whole = ["yaml", "json", "jsonpath={.}"];
    for (const format of [...whole, "table", "wide", "name"]) {
      const rendered = await ran(["render", "-f", "manifest", "-o", format], { files });
      expect(rendered.exitCode, rendered.error).toBe(0);
      expect(rendered.out.includes(secrets.env)).toBe(whole.includes(format));
      expect(rendered.out + rendered.error).not.toContain(secrets.data);
    }
  });

  it("says that an edit changes one all the same", async () => {
    const { exitCode, out } = await ran(["diff", "stored", "edited"], { files });
    expect(exitCode).toBe(1);
    expect(out).toMatch(/env.* "\(redacted \d\)" +"\(redacted \d\)" /);
  });
});
