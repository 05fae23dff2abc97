import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { COORDINATOR_KEY } from "@jobset-ts/api/keys";
import { eventually } from "../cluster.ts";
import { part, type Scenario } from "../scenario.ts";
import { rejectJobs } from "./reject-jobs.ts";

export const creation: Scenario = {
  name: "a JobSet creates Jobs with a Service, PVCs, DNS names and a coordinator",
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
    const service = await eventually("the Service exists", () =>
      cluster.get("Service", namespace, "net"),
    );
    assert.equal(service.spec.clusterIP, "None");
    assert.equal(service.spec.publishNotReadyAddresses, true);
    const claim = await eventually("the PVC exists", () =>
      cluster.get("PersistentVolumeClaim", namespace, "data-train"),
    );
    assert.equal(claim.spec.resources.requests.storage, "1Gi");
    const desired = [
      "train-driver-0-0.net",
      "train-workers-0-0.net",
      "train-workers-0-1.net",
      "train-workers-1-0.net",
      "train-workers-1-1.net",
    ];
    // If a response is lost, the Job controller creates a Pod twice, and later deletes one of them.
    await eventually(`a Pod exists for each of ${desired.join(", ")}`, async () => {
      const found = await stage.pods();
      const names = found.map(({ spec }) => `${spec.hostname}.${spec.subdomain}`).sort();
      return isDeepStrictEqual(names, desired);
    });
    await stage.waitForCounts("driver", { ready: 1 });
  },
};

export const rejectedCreation: Scenario = {
  name: "a Job whose creation fails with changing messages has one Event, and exists once its creation succeeds",
  events: ["Warning JobCreationFailed (series)"],
  async play(stage) {
    const allowJobs = await rejectJobs(stage, {
      operation: "CREATE",
      messageExpression: "'not ' + object.metadata.uid",
    });
    await stage.create({ replicatedJobs: [part("workers")] });
    await eventually("it is reported more than once", async () => {
      const events = await stage.cluster.list("Event", stage.namespace);
      return events.some(
        ({ reason, series }) => reason === "JobCreationFailed" && series?.count > 1,
      );
    });
    await allowJobs();
    await stage.waitForCounts("workers", { ready: 1 });
  },
};
