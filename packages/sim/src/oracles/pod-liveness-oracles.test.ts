import { expect, it } from "vitest";
import { play } from "../scenario/play.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { jobsGetTheirPods } from "./pod-liveness-oracles.ts";

/** A Job of a leader and a follower, of which the follower cannot be created before the leader is evicted. */
const scenario: Scenario = {
  seed: 1,
  objects: [
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "node-0", labels: { rack: "r0" } },
      status: {
        allocatable: { cpu: "64", memory: "64Gi", pods: "110" },
        conditions: [{ type: "Ready", status: "True" }],
      },
    },
    {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: {
        name: "train",
        namespace: "ml",
        annotations: { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" },
      },
      spec: {
        replicatedJobs: [
          {
            name: "workers",
            template: {
              spec: {
                parallelism: 2,
                completions: 2,
                template: {
                  spec: {
                    restartPolicy: "Never",
                    containers: [{ name: "main", image: "busybox" }],
                  },
                },
              },
            },
          },
        ],
      },
    },
  ] as Scenario["objects"],
  workload: [{ readyMillis: 100, stopMillis: 200 }],
  actions: [],
  faults: [
    { fault: "WebhookOutage", from: 16, until: 2_018 },
    { fault: "Drain", node: "node-0", from: 1_526, until: 1 },
  ],
  endsAt: 3_600_000,
};

it("no followers are asked for of a leader that has succeeded, be its Pod there or gone", () => {
  const { violations, end } = play(scenario, { livenessOracles: [jobsGetTheirPods] });
  expect(violations).toEqual([]);
  const [job] = end.objects.ofKind("Job");
  expect(job).toMatchObject({ status: { succeeded: 1, completedIndexes: "0" } });
  expect(end.objects.ofKind("Pod")).toEqual([]);
});
