import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JobSet } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import {
  createContext,
  createSnapshot,
  type Effect,
  executePlan,
  reconcile,
} from "@jobset-ts/core";
import { aJobSet } from "@jobset-ts/testing";
import { BatchV1Api, CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { FakeApiServer } from "../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import {
  temporaryFolder,
  writeKubeConfig,
} from "../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import { perform } from "./client-node-adapter.ts";

const context = createContext({ now: "2026-11-22T10:00:00Z" });
const pod = { restartPolicy: "Never", containers: [{ name: "main" }], workloadRef: { name: "w" } };
const jobTemplate = { spec: { template: { spec: pod } } };

let server: FakeApiServer;
let kubeConfig: KubeConfig;

beforeEach(async () => {
  server = await new FakeApiServer().start();
  onTestFinished(() => server.stop());
  kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(writeKubeConfig(join(temporaryFolder(), "config"), server.url));
});

async function pass(jobSet: JobSet, jobs: Parameters<typeof createSnapshot>[0]) {
  const plan = reconcile(createSnapshot(jobs, { kinds: "all" }), jobSet, context);
  return executePlan(plan, { perform: ({ effect }) => perform(kubeConfig, effect) });
}

describe("the client-node adapter", () => {
  it("docs/controller.md shows the source of the adapter", () => {
    const [guide, source] = ["../../../docs/controller.md", "client-node-adapter.ts"].map((file) =>
      readFileSync(join(import.meta.dirname, file), "utf8"),
    );
    expect(guide).toContain(`\`\`\`ts\n${source?.replace("export async", "async")}\`\`\`\n`);
  });

  it("the adapter executes a plan and keeps every field of a template", async () => {
    const jobSet = aJobSet("train").withReplicatedJob("w", { template: jobTemplate as never });
    server.put(jobSet);
    expect(await pass(jobSet, [])).toMatchObject({ ok: true });
    expect(server.lastHeaders).toMatchObject({ authorization: "Bearer secret" });
    expect(server.objects("Job")).toMatchObject([{ spec: { template: { spec: pod } } }]);
    expect(server.objects("JobSet")).toMatchObject([
      { status: { replicatedJobsStatus: [{ name: "w" }] } },
    ]);
    expect(await pass(jobSet, [])).toMatchObject({
      ok: false,
      message: expect.stringContaining("exists"),
    });
  });

  it("the adapter keeps fields of a Job that the typed calls do not know", async () => {
    const jobSet = aJobSet("train").withReplicatedJob("w", { template: jobTemplate as never });
    server.put(jobSet);
    expect(await pass(jobSet.suspended(), [])).toMatchObject({ ok: true });
    const [job] = server.objects("Job") as readonly Job[];
    const startTime = "2026-11-22T09:00:00Z";
    const conditions = [{ type: "Suspended", status: "True", later: 1 }];
    server.put({ ...job, status: { startTime, conditions } } as Job);

    const batch = kubeConfig.makeApiClient(BatchV1Api);
    const { items } = await batch.listNamespacedJob({ namespace: "default" });
    expect(items[0]?.spec?.template.spec).not.toHaveProperty("workloadRef");
    const list = { apiVersion: "batch/v1", kind: "JobList", items };
    const observed = [list, ...server.objects("Service")];
    expect(await pass(jobSet, observed)).toMatchObject({ ok: true });
    expect(server.objects("Job")).toMatchObject([
      { spec: { suspend: false, template: { spec: pod } }, status: { conditions } },
    ]);
    expect(server.objects("Job")[0]).not.toHaveProperty("status.startTime");
    // The previous list is out of date now.
    const second = await pass(jobSet, observed);
    expect(second).toMatchObject({ ok: false, message: expect.stringContaining("modified") });
  });
});

it("typed calls accept the objects to create for each kind without a cast", async () => {
  const [batch, core] = [kubeConfig.makeApiClient(BatchV1Api), kubeConfig.makeApiClient(CoreV1Api)];
  const create = async (effect: Effect): Promise<unknown> => {
    if (effect.verb !== "create") return undefined;
    const { object, target } = effect;
    const { namespace } = target;
    switch (object.kind) {
      case "Job":
        return batch.createNamespacedJob({ namespace, body: object });
      case "Service":
        return core.createNamespacedService({ namespace, body: object });
      case "PersistentVolumeClaim":
        return core.createNamespacedPersistentVolumeClaim({ namespace, body: object });
      case "Event":
        return undefined;
    }
  };
  const templates = [{ metadata: { name: "data" }, spec: {} }];
  const jobSet = aJobSet("train")
    .withReplicatedJob("w")
    .withSpec({ network: { enableDNSHostnames: true }, volumeClaimPolicies: [{ templates }] });
  const { steps } = reconcile(createSnapshot([], { kinds: "all" }), jobSet, context);
  for (const effect of steps.flatMap(({ effects }) => effects)) await create(effect);
  expect(server.objects().map(({ kind }) => kind)).toEqual([
    "Service",
    "PersistentVolumeClaim",
    "Job",
  ]);
});
