import assert from "node:assert/strict";
import { COORDINATOR_KEY } from "@jobset-ts/api";
import { eventually } from "../cluster.ts";
import { part, type Scenario } from "../scenario.ts";

export const creation: Scenario = {
  name: "a JobSet becomes Jobs with a Service, claims, DNS names and a coordinator",
  async play(stage) {
    const { cluster, namespace } = stage;
    await stage.create({
      coordinator: { replicatedJob: "driver", jobIndex: 0, podIndex: 0 },
      network: { subdomain: "net" },
      volumeClaimPolicies: [
        {
          templates: [
            {
              metadata: { name: "data" },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
            },
          ],
          retentionPolicy: { whenDeleted: "Delete" },
        },
      ],
      replicatedJobs: [
        part("driver", { podSpec: { container: {} } }),
        part("workers", {
          replicas: 2,
          pods: 2,
          podSpec: { container: { volumeMounts: [{ name: "data", mountPath: "/data" }] } },
        }),
      ],
    });
    const jobs = await stage.jobs("driver-0", "workers-0", "workers-1");
    for (const { metadata } of jobs) {
      assert.equal(metadata.labels[COORDINATOR_KEY], "train-driver-0-0.net");
    }
    const service = await cluster.get("Service", namespace, "net");
    assert.equal(service?.spec.clusterIP, "None");
    assert.equal(service.spec.publishNotReadyAddresses, true);
    const claim = await cluster.get("PersistentVolumeClaim", namespace, "data-train");
    assert.equal(claim?.spec.resources.requests.storage, "1Gi");
    const pods = await eventually("there are 5 Pods", async () => {
      const found = await stage.pods();
      return found.length === 5 && found;
    });
    const names = pods.map(({ spec }) => `${spec.hostname}.${spec.subdomain}`).sort();
    assert.deepEqual(names, [
      "train-driver-0-0.net",
      "train-workers-0-0.net",
      "train-workers-0-1.net",
      "train-workers-1-0.net",
      "train-workers-1-1.net",
    ]);
    await stage.counted("driver", { ready: 1 });
  },
};
