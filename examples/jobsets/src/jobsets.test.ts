// Tests that the manifests are admitted and behave as described. `npx vitest run examples/jobsets --update` writes the
// rendered files and the README again.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { admitJobSet, admitPod } from "@jobset-ts/admission";
import { type JobSet, resolveFeatureGates, type Unvalidated } from "@jobset-ts/api";
import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { desiredJobs } from "@jobset-ts/core/desired";
import { stopJob } from "@jobset-ts/kueue";
import { describe, expect, it } from "vitest";
import { expectBlocks } from "../../../docs/testing/held-blocks.ts";
import { readYamlDocuments } from "../../../packages/cli/src/input/yaml-documents.ts";
import { runCommand } from "../../../packages/cli/src/testing.ts";
import { playStory } from "./play-story.ts";
import { admitWithQuota, createSpecPatch } from "./quota.ts";
import { type Manifest, manifests, type Story } from "./stories.ts";

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const readme = join(folder, "README.md");
const context = createContext({ now: 0 });

const asText = (file: string) => readFileSync(join(folder, file), "utf8");

/**
 * Returns the JobSet that a cluster stores for a manifest: parsed, defaulted, and checked by the CRD and both JobSet
 * webhooks.
 */
function readStored(file: string): Unvalidated<JobSet> {
  const [document] = readYamlDocuments(asText(file));
  const object = document?.value as Unvalidated<JobSet>;
  const metadata = { ...object.metadata, uid: "5c1c3a0e-8d5c-4c58-9d4b-0d6b1b0f7a11" };
  const cluster = createSnapshot([], { kinds: ["PersistentVolumeClaim"] });
  const request = { operation: "CREATE", object: { ...object, metadata } } as const;
  const admitted = admitJobSet(request, cluster, context);
  if (!admitted.allowed) throw new Error(admitted.denial.status.message);
  return admitted.stored as Unvalidated<JobSet>;
}

/** Returns a shell line with a command about a manifest, followed by its output. */
async function runManifestCommand(file: string, command: readonly string[]): Promise<string> {
  const [name = "", ...options] = command;
  const files = { [file]: asText(file) };
  const { exitCode, out, error } = await runCommand([name, "-f", file, ...options], { files });
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
  return `$ jobset ${[name, "-f", file, ...options].join(" ")}\n${out}`;
}

it("every manifest in the folder has a scenario", () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  expect(manifests.map(({ file }) => file).sort()).toEqual(files.sort());
  for (const file of files) expect(readFileSync(readme, "utf8")).toContain(`[${file}](${file})`);
});

describe.each(manifests.map((manifest) => [manifest.file, manifest] as const))(
  "the manifest %s",
  (file, manifest) => {
    it("the CRD and the JobSet webhooks admit the manifest without a warning", async () => {
      const out = await runManifestCommand(file, ["admit"]);
      expect(out).toMatch(/ validate +allowed +200 /);
    });

    it("the Pod webhooks admit the Pods of the manifest", () => {
      const jobs = desiredJobs(readStored(file), { features: resolveFeatureGates({}) });
      expect(jobs.length).toBeGreaterThan(0);
      for (const { metadata, spec } of jobs) {
        const { labels, annotations } = spec.template.metadata ?? {};
        const object = {
          metadata: {
            generateName: `${metadata.name}-0-`,
            namespace: metadata.namespace ?? "",
            labels: labels ?? {},
            annotations: { ...annotations, [JOB_COMPLETION_INDEX_KEY]: "0" },
          },
          spec: spec.template.spec ?? {},
        };
        const cluster = createSnapshot([], { kinds: "all" });
        const admitted = admitPod({ operation: "CREATE", object } as never, cluster, context);
        expect(admitted, metadata.name).toMatchObject({ allowed: true });
      }
    });

    it("the rendered objects match the recorded file", async () => {
      const objects = await runManifestCommand(file, ["render", "-o", "table"]);
      const names = await runManifestCommand(file, ["names"]);
      const path = join(folder, "rendered", file.replace(/yaml$/, "txt"));
      await expect(`${objects}\n${names}`).toMatchFileSnapshot(path);
    });

    it("every hostname in the manifest exists", async () => {
      const { items } = JSON.parse(
        (await runManifestCommand(file, ["names", "-o", "json"])).replace(/.*\n/, ""),
      ) as {
        items: readonly { readonly dnsName?: string }[];
      };
      const jobSet = readStored(file);
      const hosts = JSON.stringify(jobSet.spec).match(/[a-z-]+-\d+-\d+\.[a-z-]+/g) ?? [];
      const known = items.map(({ dnsName }) => dnsName);
      for (const host of hosts) expect(known).toContain(host);
    });

    it.each(
      [manifest.life, ...manifest.failures].map((story) => [story.description, story] as const),
    )("%s", (_told, story) => {
      const { description: _words, workload: _workload, actions: _actions, ...expected } = story;
      const life = playStory(readStored(file), manifest, story);
      expect(life).toEqual({ ...expected, rejected: [], violations: [] });
    });
  },
);

describe("the Kueue canary", () => {
  const jobSet = readStored("kueue-canary.yaml");
  const flavor = { name: "spot-l4", nodeLabels: { "node.example.com/accelerator": "l4" } };
  const getSelector = ({ spec }: Unvalidated<JobSet>) =>
    spec?.replicatedJobs?.[0]?.template?.spec?.template?.spec?.nodeSelector;

  it("the canary requests quota for two Pods at the lowest priority", () => {
    const { workload } = admitWithQuota(jobSet, flavor, 0);
    expect(workload.spec).toMatchObject({
      queueName: "gpu",
      priority: -10,
      podSets: [{ name: "trainer", count: 2 }],
    });
  });

  it("the canary runs with the node selector of its flavor, and preemption restores the original", () => {
    const { jobSet: running, workload } = admitWithQuota(jobSet, flavor, 0);
    expect([running.spec?.suspend, getSelector(running)]).toEqual([false, flavor.nodeLabels]);
    const stopped = stopJob(running, workload, "Preempted").jobSet;
    expect({ ...stopped.spec, replicatedJobs: [] }).toEqual({ ...jobSet.spec, replicatedJobs: [] });
    expect(getSelector(stopped)).toBe(undefined);
  });

  it("the canary waits, runs, is preempted, and completes after it gets quota again", () => {
    const [manifest] = manifests.filter(({ file }) => file === "kueue-canary.yaml");
    const { jobSet: running, workload } = admitWithQuota(jobSet, flavor, 0);
    const actions = [
      createSpecPatch(stopJob(running, workload, "Preempted").jobSet, 30_000),
      createSpecPatch(running, 50_000),
    ];
    const story = { ...(manifest?.life as Story), actions };
    const life = playStory(jobSet, manifest as Manifest, story);
    // Two Pods before the preemption and two after it. Preemption does not count as a failure.
    expect(life).toMatchObject({ pods: 4, ends: "Completed", restarts: 0, starts: [["trainer"]] });
    expect({ rejected: life.rejected, violations: life.violations }).toEqual({
      rejected: [],
      violations: [],
    });
  });
});

it("the README has a working command for each manifest", async () => {
  const rows = readFileSync(readme, "utf8").matchAll(
    /^\| \[(.*?)\].*`npm start -- (.*?)(?: > .*)?` \|$/gm,
  );
  const commands = [...rows].map(
    ([, file = "", command = ""]) => [file, command.split(" ")] as const,
  );
  expect(commands.map(([file]) => file)).toEqual(manifests.map(({ file }) => file));
  for (const [file, [name = "", ...args]] of commands) {
    const path = `examples/jobsets/${file}`;
    expect(args).toContain(path);
    const { exitCode, out } = await runCommand([name, ...args], {
      files: { [path]: asText(file) },
    });
    expect({ exitCode, isSilent: out === "" }, file).toEqual({ exitCode: 0, isSilent: false });
  }
});

it("the README lists the scenarios and their outcomes", async () => {
  const lines = manifests.flatMap(({ file, life, failures }) => [
    file,
    ...[life, ...failures].flatMap(storyLines),
  ]);
  await expectBlocks(readme, readFileSync(readme, "utf8"), { "the stories": lines.join("\n") });
});

function storyLines(story: Story): readonly string[] {
  const {
    description,
    starts,
    pods,
    ends,
    reason,
    restarts,
    restartsCountTowardsMax: counted,
  } = story;
  const attempts = starts.map((names) => names.join(", ")).join("; again: ");
  const times = `${restarts} restart${restarts === 1 ? "" : "s"}${restarts > counted ? " that does not count" : ""}`;
  return [`  ${description}`, `    ${attempts}`, `    ${ends} (${reason}), ${times}, ${pods} Pods`];
}
