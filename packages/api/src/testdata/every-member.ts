import type { JobSet } from "../jobset.ts";
import type { ObjectMeta } from "../object-meta.ts";

/** All members required, at every depth but in objects whose members we do not know all of. */
type Complete<T> = T extends readonly (infer Element)[]
  ? Complete<Element>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [Key in keyof T]-?: Complete<NonNullable<T[Key]>> }
    : T;

const metadata: Complete<ObjectMeta> = {
  name: "train",
  generateName: "train-",
  namespace: "ml",
  uid: "b2a3",
  resourceVersion: "12",
  generation: 1,
  creationTimestamp: "2026-02-07T06:56:19Z",
  deletionTimestamp: "2026-02-07T06:56:19Z",
  deletionGracePeriodSeconds: 30,
  labels: { app: "train" },
  annotations: { note: "text" },
  ownerReferences: [
    {
      apiVersion: "v1",
      kind: "Owner",
      name: "owner",
      uid: "c4d5",
      controller: true,
      blockOwnerDeletion: true,
    },
  ],
  finalizers: ["example.org/finalizer"],
  managedFields: [{}],
};

const template: Complete<JobSet>["spec"]["replicatedJobs"][0]["template"] = {
  metadata,
  spec: {
    parallelism: 1,
    completions: 1,
    completionMode: "Indexed",
    activeDeadlineSeconds: 60,
    backoffLimit: 6,
    backoffLimitPerIndex: 1,
    maxFailedIndexes: 1,
    suspend: false,
    selector: {},
    manualSelector: false,
    podReplacementPolicy: "Failed",
    ttlSecondsAfterFinished: 60,
    managedBy: "example.org/controller",
    template: {},
  },
};

const spec: Complete<JobSet>["spec"] = {
  replicatedJobs: [
    {
      name: "workers",
      groupName: "default",
      template,
      replicas: 2,
      dependsOn: [{ name: "driver", status: "Ready" }],
    },
  ],
  network: { enableDNSHostnames: true, subdomain: "net", publishNotReadyAddresses: true },
  successPolicy: { operator: "All", targetReplicatedJobs: ["workers"] },
  failurePolicy: {
    maxRestarts: 3,
    restartStrategy: "Recreate",
    rules: [
      {
        name: "rule",
        action: "FailJobSet",
        onJobFailureReasons: ["DeadlineExceeded"],
        onJobFailureMessagePatterns: [".*"],
        targetReplicatedJobs: ["workers"],
      },
    ],
  },
  startupPolicy: { startupPolicyOrder: "AnyOrder" },
  suspend: false,
  coordinator: { replicatedJob: "workers", jobIndex: 0, podIndex: 0 },
  managedBy: "example.org/controller",
  ttlSecondsAfterFinished: 60,
  volumeClaimPolicies: [
    { templates: [{ metadata, spec: {} }], retentionPolicy: { whenDeleted: "Delete" } },
  ],
};

const status: Complete<JobSet>["status"] = {
  conditions: [
    {
      type: "Completed",
      status: "True",
      observedGeneration: 1,
      lastTransitionTime: "2026-02-07T06:56:19Z",
      reason: "AllJobsCompleted",
      message: "jobset completed successfully",
    },
  ],
  restarts: 1,
  restartsCountTowardsMax: 1,
  terminalState: "Completed",
  replicatedJobsStatus: [
    {
      name: "workers",
      ready: 0,
      succeeded: 2,
      failed: 0,
      active: 0,
      suspended: 0,
      jobRestarts: [0, 1],
      jobRestartsCountTowardsMax: [0, 1],
    },
  ],
  previousInPlaceRestartAttempt: 0,
  currentInPlaceRestartAttempt: 1,
  executionAttempts: 1,
};

/** A JobSet with every member that its type has; the compiler sees to it. */
export const everyMember: Complete<JobSet> = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  metadata,
  spec,
  status,
};
