import assert from "node:assert/strict";
import type { Stored } from "../../cluster.ts";
import { getRejectionMessage, part, type Scenario } from "../../scenario.ts";
import { deniedJobSet, invalid } from "./messages.ts";
import { claimPolicy, createMountingJob } from "./volume-claims.ts";

interface Edit {
  readonly what: string;
  /** The fields of the JobSet in addition to its two ReplicatedJobs. The second one has a PVC template. */
  readonly before?: Stored;
  /** Edits the spec. It may change its argument. */
  edit(spec: Stored): Stored;
  /** The message after the name of the JobSet. */
  readonly message: RegExp | string;
  /** Whether a rule of the CustomResourceDefinition rejects it, and not the webhook. */
  readonly bySchema?: true;
}

const isImmutable = /^spec\.replicatedJobs: Invalid value: \[\{"name":.*\}\]: field is immutable$/;
const valueIsImmutable = (field: string) => `${field}: Invalid value: Value is immutable`;

const createPod = (replicatedJob: Stored) => replicatedJob.template.spec.template;

const edits: readonly Edit[] = [
  {
    what: "more replicas",
    edit: ({ replicatedJobs: [first, second] }) => ({
      replicatedJobs: [first, { ...second, replicas: 3 }],
    }),
    message: isImmutable,
  },
  {
    what: "renaming a ReplicatedJob",
    edit: ({ replicatedJobs: [first, second] }) => ({
      replicatedJobs: [first, { ...second, name: "others" }],
    }),
    message: isImmutable,
  },
  {
    what: "adding a ReplicatedJob",
    edit: ({ replicatedJobs }) => ({ replicatedJobs: [...replicatedJobs, part("more")] }),
    message: isImmutable,
  },
  {
    what: "removing a ReplicatedJob",
    edit: ({ replicatedJobs: [first] }) => ({ replicatedJobs: [first] }),
    message: isImmutable,
  },
  {
    what: "reordering ReplicatedJobs",
    edit: ({ replicatedJobs }) => ({ replicatedJobs: replicatedJobs.toReversed() }),
    message: isImmutable,
  },
  {
    what: "another image",
    edit(spec) {
      createPod(spec.replicatedJobs[0]).spec.containers[0].image = "example.com/other";
      return spec;
    },
    message: isImmutable,
  },
  {
    what: "changing the image while suspended",
    before: { suspend: true },
    edit(spec) {
      createPod(spec.replicatedJobs[0]).spec.containers[0].image = "example.com/other";
      return spec;
    },
    message: isImmutable,
  },
  {
    what: "adding Pod labels while running",
    edit(spec) {
      createPod(spec.replicatedJobs[0]).metadata = { labels: { queue: "a" } };
      return spec;
    },
    message: isImmutable,
  },
  {
    what: "changing the success policy",
    edit: () => ({ successPolicy: { operator: "Any" } }),
    message: valueIsImmutable("spec.successPolicy"),
    bySchema: true,
  },
  {
    what: "changing the failure policy",
    before: { failurePolicy: { maxRestarts: 1 } },
    edit: () => ({ failurePolicy: { maxRestarts: 2 } }),
    message: valueIsImmutable("spec.failurePolicy"),
    bySchema: true,
  },
  {
    what: "removing the failure policy",
    before: { failurePolicy: { maxRestarts: 1 } },
    edit: () => ({ failurePolicy: null }),
    message: "spec.failurePolicy: Invalid value: null: field is immutable",
  },
  {
    what: "another network",
    edit: () => ({ network: { subdomain: "net" } }),
    message: valueIsImmutable("spec.network"),
    bySchema: true,
  },
  {
    what: "changing the startup policy",
    edit: () => ({ startupPolicy: { startupPolicyOrder: "InOrder" } }),
    message: valueIsImmutable("spec.startupPolicy"),
    bySchema: true,
  },
  {
    what: "other claims",
    before: { volumeClaimPolicies: [claimPolicy()] },
    edit: () => ({ volumeClaimPolicies: [claimPolicy("Retain")] }),
    message: valueIsImmutable("spec.volumeClaimPolicies"),
    bySchema: true,
  },
  {
    what: "another dependency",
    edit({ replicatedJobs: [first, second] }) {
      const dependsOn = [{ name: first.name, status: "Complete" }];
      return { replicatedJobs: [first, { ...second, dependsOn }] };
    },
    message: isImmutable,
  },
  {
    what: "setting an unknown coordinator",
    edit: () => ({ coordinator: { replicatedJob: "nope" } }),
    message:
      'spec.coordinator.replicatedJob: Invalid value: "nope": coordinator replicatedJob nope does not exist',
  },
];

export const rejectedEditStories: readonly Scenario[] = [
  ...edits.map(
    ({ what, before, edit, message, bySchema }): Scenario => ({
      name: `the API server rejects an edit: ${what}`,
      async play(stage) {
        const jobSet = await stage.create({
          replicatedJobs: [part("driver"), createMountingJob("workers")],
          ...before,
        });
        const start = bySchema ? invalid("") : deniedJobSet("");
        const spec = edit(structuredClone(jobSet.spec));
        const words = await getRejectionMessage(stage.cluster.patch(jobSet, { spec }));
        assert.equal(words.slice(0, start.length), start);
        const rest = words.slice(start.length);
        if (typeof message === "string") assert.equal(rest, message);
        else assert.match(rest, message);
      },
    }),
  ),
  {
    name: "labels, annotations, the coordinator and the TTL can be edited while running",
    async play(stage) {
      const jobSet = await stage.create({ replicatedJobs: [part("workers")] });
      const metadata = { labels: { queue: "a" }, annotations: { note: "b" } };
      const spec = { coordinator: { replicatedJob: "workers" }, ttlSecondsAfterFinished: 3_600 };
      await stage.cluster.patch(jobSet, { metadata, spec });
      const after = await stage.jobSet();
      assert.deepEqual(after.metadata.labels, metadata.labels);
      assert.deepEqual(after.spec.coordinator, { ...spec.coordinator });
      assert.equal(after.spec.ttlSecondsAfterFinished, 3_600);
    },
  },
  {
    name: "defaults are set when a JobSet is created",
    async play(stage) {
      const { spec } = await stage.create({
        failurePolicy: { rules: [{ action: "FailJobSet" }] },
        volumeClaimPolicies: [claimPolicy()],
        replicatedJobs: [
          {
            name: "workers",
            template: {
              spec: {
                template: {
                  spec: {
                    containers: [
                      {
                        name: "main",
                        image: "example.com/main",
                        volumeMounts: [{ name: "data", mountPath: "/data" }],
                      },
                    ],
                  },
                },
              },
            },
          },
        ],
      });
      const [workers] = spec.replicatedJobs;
      assert.equal(workers.replicas, 1);
      assert.equal(workers.groupName, "default");
      assert.equal(workers.template.spec.completionMode, "Indexed");
      assert.equal(createPod(workers).spec.restartPolicy, "OnFailure");
      assert.deepEqual(spec.successPolicy, { operator: "All" });
      assert.deepEqual(spec.startupPolicy, { startupPolicyOrder: "AnyOrder" });
      assert.deepEqual(spec.network, { enableDNSHostnames: true, publishNotReadyAddresses: true });
      assert.deepEqual(spec.failurePolicy, {
        restartStrategy: "Recreate",
        rules: [{ name: "failurePolicyRule0", action: "FailJobSet" }],
      });
      assert.deepEqual(spec.volumeClaimPolicies[0].retentionPolicy, { whenDeleted: "Delete" });
    },
  },
];
