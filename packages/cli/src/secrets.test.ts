import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markedJobSets, SECRET_MARKS } from "../../testing/src/testing/marked-jobsets.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import { createCluster, list, pending, restart } from "./live/testing/example-clusters.ts";
import { runLive } from "./live/testing/fake-kubectl.ts";
import { runCommand } from "./testing.ts";

// Values that occur nowhere else, so that the test finds them in any output.
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
const createList = (...items: readonly object[]) =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });
const files = {
  dump: createList(jobSetWith(secrets.env), job, pod, secret),
  edited: JSON.stringify(jobSetWith(secrets.edited)),
  manifest: createList(
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
  ["upgrade --from v0.8 --to main -f dump", tables],
  ["upgrade --from v0.8 --to main -f manifest", tables],
  ["dump -f dump", []],
  ["dump -f dump train", []],
  ["simulate -f manifest", pictures],
  ["replay scenario", pictures],
  ["explore -f manifest --runs 1 --jobs 1", []],
  ["schema", []],
  ["completion bash", []],
];

describe("values of environment variables and Secrets in any output", () => {
  const rows = commands.flatMap(([args, formats]) =>
    formats.length === 0 ? [args] : formats.map((format) => `${args} -o ${format}`),
  );
  it.each(rows)("jobset %s prints no secrets", async (line) => {
    const { exitCode, out, error } = await runCommand(line.split(" "), { files });
    expect(exitCode, error).toBeLessThan(2);
    expect(out + error).not.toBe("");
    const leaked = Object.values(secrets).filter((value) => (out + error).includes(value));
    expect(leaked).toEqual([]);
  });

  it("every command except render redacts secrets", async () => {
    const { out } = await runCommand(["--help"]);
    const names = [...out.matchAll(/^ {2}(?<name>[a-z-]+) /gm)].map(({ groups }) => groups?.name);
    const tested = new Set(commands.map(([args]) => args.split(" ")[0]));
    expect(names.filter((name) => name !== undefined && !tested.has(name))).toEqual([
      "render",
      "version",
      "help",
    ]);
    const whole = ["yaml", "json", "jsonpath={.}"];
    for (const format of [...whole, "table", "wide", "name"]) {
      const rendered = await runCommand(["render", "-f", "manifest", "-o", format], { files });
      expect(rendered.exitCode, rendered.error).toBe(0);
      expect(rendered.out.includes(secrets.env)).toBe(whole.includes(format));
      expect(rendered.out + rendered.error).not.toContain(secrets.data);
    }
  });

  it("diff reports that an edit changes a secret value without printing it", async () => {
    const { exitCode, out } = await runCommand(["diff", "stored", "edited"], { files });
    expect(exitCode).toBe(1);
    expect(out).toMatch(/env.* "\(redacted \d\)" +"\(redacted \d\)" /);
  });
});

/**
 * Quotes a value in a message as JSON does: the last word of a command line, as a kubelet quotes it, and the whole Pod.
 */
function createMessage(podSpec: unknown): string {
  return `failed: ${JSON.stringify(podSpec)}`;
}

/** Returns a JobSet, stored and edited, with a Job and a Pod of it, and Events that quote them. */
function createMarkedFiles(stored: KubernetesObject, edited: KubernetesObject) {
  type Template = { readonly spec: { readonly template: { readonly spec: object } } };
  const { replicatedJobs } = (
    stored as unknown as {
      readonly spec: { readonly replicatedJobs: readonly { readonly template: Template }[] };
    }
  ).spec;
  const template = replicatedJobs[0]?.template.spec.template;
  const message = createMessage(template?.spec);
  const uid = { uid: "u-train", creationTimestamp: "2026-02-07T06:56:19Z" };
  const jobSet = { ...stored, metadata: { ...stored.metadata, ...uid } };
  const { annotations } = stored.metadata;
  const markedJob = {
    ...job,
    metadata: { ...job.metadata, annotations },
    spec: { parallelism: 1, template },
    status: {
      conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded", message }],
    },
  };
  const waiting = { name: "main", state: { waiting: { reason: "CreateContainerError", message } } };
  const markedPod = {
    ...pod,
    metadata: { ...pod.metadata, annotations },
    spec: template?.spec,
    status: { phase: "Failed", message, containerStatuses: [waiting] },
  };
  const event = (kind: string, name: string, of: string, reason: string) => ({
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace: "ml", name: `${name}.${reason}` },
    involvedObject: { kind, namespace: "ml", name, uid: of },
    type: "Warning",
    reason,
    message,
    lastTimestamp: "2026-02-07T07:00:00Z",
  });
  const events = [
    event("Pod", pod.metadata.name, "u-pod", "Failed"),
    event("Pod", pod.metadata.name, "u-pod", "FailedMount"),
    event("Job", job.metadata.name, "u-train-w-0", "FailedCreate"),
    event("JobSet", "train", "u-train", "JobCreationFailed"),
  ];
  // The Events come first, so that objects that they quote are read later.
  const dump = createList(...events, jobSet, markedJob, markedPod, secret);
  const scenario = {
    seed: 1,
    objects: [stored],
    workload: [],
    actions: [],
    faults: [],
    endsAt: 60_000,
  };
  return {
    dump,
    manifest: createList(stored, secret),
    stored: JSON.stringify(jobSet),
    edited: JSON.stringify({ ...edited, metadata: { ...edited.metadata, ...uid } }),
    scenario: JSON.stringify(scenario),
    // A typical mistake: the file is truncated in the middle of a value.
    broken: JSON.stringify(stored).slice(0, -40),
  };
}

const markedLines: readonly (readonly [args: string, formats: readonly string[]])[] = [
  ...commands.filter(([args]) => !/^(explore|schema|completion)/.test(args)),
  ["admit -f dump --cluster dump --validate strict", tables],
  ["names -f broken", tables],
  ["replay broken", pictures],
];

describe("secrets of any shape and in any field", () => {
  const draws = fc.tuple(markedJobSets(), markedJobSets(), fc.nat());
  it.each(markedLines)("jobset %s prints no secrets of any shape", async (args, formats) => {
    await fc.assert(
      fc.asyncProperty(draws, async ([stored, edited, choice]) => {
        const line = `${args} -o ${formats[choice % formats.length]}`;
        const { out, error } = await runCommand(line.split(" "), {
          files: createMarkedFiles(stored, edited),
        });
        expect(out + error).not.toBe("");
        expect(
          SECRET_MARKS.filter((mark) => (out + error).includes(mark)),
          out + error,
        ).toEqual([]);
      }),
      { numRuns: runs(3) },
    );
  });

  it("jobset explore and jobset render print secrets only in the manifest", async () => {
    await fc.assert(
      fc.asyncProperty(draws, async ([stored, edited]) => {
        const files = createMarkedFiles(stored, edited);
        const explored = await runCommand("explore -f manifest --runs 1 --jobs 1".split(" "), {
          files,
        });
        const rendered = await runCommand("render -f manifest --validate strict".split(" "), {
          files,
        });
        const output = explored.out + explored.error + rendered.error;
        expect(
          SECRET_MARKS.filter((mark) => output.includes(mark)),
          output,
        ).toEqual([]);
      }),
      { numRuns: runs(2) },
    );
  });

  it("jobset explain quotes a kubelet's message without secret values", async () => {
    const [stored] = fc.sample(markedJobSets({ misshapen: false }), { numRuns: 1, seed: 1 });
    const files = createMarkedFiles(stored as KubernetesObject, stored as KubernetesObject);
    const { out } = await runCommand(["explain", "-f", "dump"], { files });
    expect(out).toMatch(/failed: .*\(redacted \d+\)/);
  });
});

describe("secrets in a file that cannot be read", () => {
  const createYaml = (lines: string) => `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: train}
spec:
  replicatedJobs:
  - name: w
    template:
      spec:
        template:
          spec:
            containers:
            - name: main
${lines.replaceAll(/^/gm, "              ")}
`;

  it.each([
    "env: [{name: TOKEN, value: @Hunter2}]",
    "env: [{name: TOKEN, value: *Hunter2}]",
    "env: [{name: TOKEN, value: &Hunter2 }]\nargs: [*Hunter2, *Other]",
    "env: [{name: TOKEN, value: !Hunter2 x}]",
    "env: [{name: TOKEN, value: !!int Hunter2}]",
    "env: [{name: TOKEN, value: %Hunter2}]",
    'env: [{name: TOKEN, value: "a\\Hunter2"}]',
    "env: [{name: TOKEN, value: 'Hunter2}]",
    "env: [{name: TOKEN, value: 'a'Hunter2}]",
    "env:\n- name: TOKEN\n  value: Hunter2: x: y",
    "env:\n- name: TOKEN\n value: Hunter2",
    "env:\n- name: TOKEN\n  value: 'a' Hunter2",
    "env:\n- name: TOKEN\n  value: |Hunter2\n    x",
    "env:\n- name: TOKEN\n  value: |\n    x\n Hunter2 y\n  z: 1",
    "env:\n- name: TOKEN\n  value: {Hunter2: [1, Hunter2: {}}",
    "env:\n- name: TOKEN\n  value: {Hunter2: 1, Hunter2: 2}",
    "env:\n- name: TOKEN\n  value: {[Hunter2]: 1}",
    "env:\n- name: TOKEN\n  value: {__proto__: {Hunter2: .inf}}",
    "env:\n- name: TOKEN\n  value: {Hunter2: 48151623420000000000}",
    "command: [sh, -c, {Hunter2: 48151623420000000000}]",
    'env:\n- name: TOKEN\n  value: "Hunter2\\0"',
    "env:\n- name: TOKEN\n  value: Hunter2\u0007",
    "Hunter2\nenv: []",
    "env: []\nHunter2",
  ])("no YAML error quotes a value: %s", async (lines) => {
    for (const args of ["admit -f f", "names -f f", "render -f f", "explain -f f", "replay f"]) {
      const { out, error } = await runCommand(args.split(" "), { files: { f: createYaml(lines) } });
      expect(out + error).not.toBe("");
      expect(
        SECRET_MARKS.filter((mark) => (out + error).includes(mark)),
        error,
      ).toEqual([]);
    }
  });

  it.each([
    '{"env":[{"name":"TOKEN","value":4815162342000000000000}]}',
    '{"env":[{"name":"TOKEN","value":48151623421e999}]}',
    '{"env":[{"name":"TOKEN","value":{"Hunter2":1,"Hunter2":2}}]}',
    '{"env":[{"name":"TOKEN","value":{"Hunter2":"\\u0000"}}]}',
    '{"args":{"Hunter2":{"__proto__":1}}}',
    '{"env":[{"name":"TOKEN","value":"Hunter2',
    '{"env":[{"name":"TOKEN","value":Hunter2}]}',
  ])("no JSON error quotes a value: %s", async (text) => {
    for (const args of ["admit -f f", "names -f f", "replay f"]) {
      const { error } = await runCommand(args.split(" "), { files: { f: text } });
      expect(error).not.toBe("");
      expect(
        SECRET_MARKS.filter((mark) => error.includes(mark)),
        error,
      ).toEqual([]);
    }
  });
});

it("plain numbers of a spec are printed unchanged", async () => {
  const aJobSet = (replicas: number, value: string) => {
    const jobSet = jobSetWith(value);
    const [replicatedJob] = jobSet.spec.replicatedJobs;
    return JSON.stringify({
      ...jobSet,
      spec: { replicatedJobs: [{ ...replicatedJob, replicas }] },
    });
  };
  const files = { stored: aJobSet(2, "2"), edited: aJobSet(3, "2") };
  const { out } = await runCommand(["diff", "stored", "edited"], { files });
  expect(out).toMatch(/^spec\.replicatedJobs\[0\]\.replicas +2 +3 /m);
});

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
