import assert from "node:assert/strict";
import { eventually, type Stored } from "../../cluster.ts";
import { part, type Scenario, type Stage } from "../../scenario.ts";

/** Waits until the Service exists. */
function createService({ cluster, namespace }: Stage, name: string): Promise<Stored> {
  return eventually(`there is a Service ${name}`, () => cluster.get("Service", namespace, name));
}

async function serviceNames({ cluster, namespace }: Stage): Promise<readonly string[]> {
  return (await cluster.list("Service", namespace)).map(({ metadata }) => metadata.name);
}

export const services: readonly Scenario[] = [
  {
    name: "a JobSet has a headless Service for all its Pods, which it owns",
    async play(stage) {
      const { metadata } = await stage.create({ replicatedJobs: [part("workers")] });
      const service = await createService(stage, "train");
      const { clusterIP, selector, publishNotReadyAddresses, ports } = service.spec;
      assert.deepEqual(
        { clusterIP, selector, publishNotReadyAddresses, ports },
        {
          clusterIP: "None",
          selector: { "jobset.sigs.k8s.io/jobset-name": "train" },
          publishNotReadyAddresses: true,
          ports: undefined,
        },
      );
      assert.deepEqual(service.metadata.ownerReferences, [
        {
          apiVersion: "jobset.x-k8s.io/v1alpha2",
          kind: "JobSet",
          name: "train",
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      const job = await stage.job("workers-0");
      assert.deepEqual(job.metadata.ownerReferences, service.metadata.ownerReferences);
      assert.equal(job.spec.template.spec.subdomain, "train");
    },
  },
  {
    name: "a deleted Service is recreated",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers")] });
      const { metadata } = await createService(stage, "train");
      await stage.job("workers-0");
      await stage.cluster.delete("Service", stage.namespace, "train");
      await eventually("the Service is another", async () => {
        return (await createService(stage, "train")).metadata.uid !== metadata.uid;
      });
      await stage.events();
    },
  },
  {
    name: "a custom subdomain names the Service, which can be limited to ready addresses",
    async play(stage) {
      await stage.create({
        network: { subdomain: "net", publishNotReadyAddresses: false },
        replicatedJobs: [part("workers")],
      });
      const { spec } = await createService(stage, "net");
      assert.equal(spec.publishNotReadyAddresses, undefined);
      const job = await stage.job("workers-0");
      assert.equal(job.spec.template.spec.subdomain, "net");
      assert.deepEqual(await serviceNames(stage), ["net"]);
    },
  },
  {
    name: "without DNS hostnames, there is no Service and no subdomain",
    async play(stage) {
      await stage.create({
        network: { enableDNSHostnames: false },
        replicatedJobs: [part("workers")],
      });
      const job = await stage.job("workers-0");
      assert.equal(job.spec.template.spec.subdomain, undefined);
      assert.deepEqual(await serviceNames(stage), []);
    },
  },
  {
    name: "an existing Service with the right name is used unchanged",
    async play(stage) {
      await stage.cluster.create({
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "net", namespace: stage.namespace },
        spec: { ports: [{ port: 80 }] },
      });
      await stage.create({ network: { subdomain: "net" }, replicatedJobs: [part("workers")] });
      await stage.job("workers-0");
      const { metadata } = await createService(stage, "net");
      assert.equal(metadata.ownerReferences, undefined);
      await stage.events();
    },
  },
  {
    name: "a JobSet with a generated name uses that name for its Service and its Jobs",
    async play(stage) {
      const { metadata } = await stage.cluster.create({
        apiVersion: "jobset.x-k8s.io/v1alpha2",
        kind: "JobSet",
        metadata: { generateName: "train-", namespace: stage.namespace },
        spec: { replicatedJobs: [part("workers")] },
      });
      await createService(stage, metadata.name);
      const job = await eventually("the Job exists", () =>
        stage.cluster.get("Job", stage.namespace, `${metadata.name}-workers-0`),
      );
      assert.equal(job.spec.template.spec.subdomain, metadata.name);
    },
  },
];
