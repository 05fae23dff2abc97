// A small cluster with a problem, as JSON of the API.
import type { Scenario } from "@jobset-ts/sim";

const containers = [{ name: "main", image: "busybox" }];
const podSpec = { restartPolicy: "Never", containers };
const podTemplate = {
  metadata: { annotations: { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" } },
  spec: podSpec,
};
const jobSpec = {
  parallelism: 2,
  completions: 2,
  completionMode: "Indexed",
  backoffLimit: 0,
  template: podTemplate,
};
const rule = {
  name: "preempted",
  action: "RestartJobSetAndIgnoreMaxRestarts",
  onJobFailureMessagePatterns: ["(?i)node \\pN+ was drained\\z"],
};

export const train = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  metadata: {
    name: "train",
    namespace: "ml",
    uid: "js-1",
    labels: { "kueue.x-k8s.io/queue-name": "gpu" },
  },
  spec: {
    network: { enableDNSHostnames: false },
    failurePolicy: { maxRestarts: 1, rules: [rule] },
    replicatedJobs: [{ name: "workers", replicas: 2, template: { spec: jobSpec } }],
  },
};

export const oneJob = {
  ...train,
  spec: { replicatedJobs: [{ name: "w", template: { spec: { template: { spec: podSpec } } } }] },
};

const labels = {
  "jobset.sigs.k8s.io/jobset-name": "train",
  "jobset.sigs.k8s.io/replicatedjob-name": "workers",
  "jobset.sigs.k8s.io/job-index": "0",
  "jobset.sigs.k8s.io/restart-attempt": "0",
};
const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: {
    name: "train-workers-0",
    namespace: "ml",
    uid: "j-1",
    labels,
    ownerReferences: [
      {
        apiVersion: train.apiVersion,
        kind: "JobSet",
        name: "train",
        uid: "js-1",
        controller: true,
      },
    ],
  },
  spec: jobSpec,
};

export const failedJob = {
  ...job,
  status: {
    conditions: [
      {
        type: "Failed",
        status: "True",
        reason: "PodFailurePolicy",
        message: "Node 7 was drained",
        lastTransitionTime: "2026-11-21T11:59:00Z",
      },
    ],
  },
};

/** The same cluster with one Job, whose first Pod waits for a node with a TPU. */
export const withoutNode = [
  {
    ...train,
    spec: { replicatedJobs: [{ name: "workers", replicas: 1, template: { spec: jobSpec } }] },
  },
  { apiVersion: "v1", kind: "Node", metadata: { name: "node-0", labels: { rack: "r0" } } },
  job,
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "train-workers-0-0-x7k2p",
      namespace: "ml",
      uid: "p-1",
      labels,
      annotations: {
        ...podTemplate.metadata.annotations,
        "batch.kubernetes.io/job-completion-index": "0",
      },
      ownerReferences: [
        {
          apiVersion: "batch/v1",
          kind: "Job",
          name: "train-workers-0",
          uid: "j-1",
          controller: true,
        },
      ],
    },
    status: {
      phase: "Pending",
      conditions: [
        {
          type: "PodScheduled",
          status: "False",
          reason: "Unschedulable",
          message: "0/10 nodes are available: 10 Insufficient google.com/tpu.",
        },
      ],
    },
  },
];

/** A scenario in which one of two Jobs fails once, and the controller crashes right after its fifth request. */
export const scenario: Scenario = {
  seed: 1,
  objects: [
    {
      kind: "Node",
      metadata: { name: "node-0", labels: { rack: "r0" } },
      status: {
        allocatable: { cpu: "64", pods: "110" },
        conditions: [{ type: "Ready", status: "True" }],
      },
    },
    {
      kind: "Node",
      metadata: { name: "node-1", labels: { rack: "r1" } },
      status: {
        allocatable: { cpu: "64", pods: "110" },
        conditions: [{ type: "Ready", status: "True" }],
      },
    },
    { ...train, metadata: { name: "train", namespace: "ml" } },
  ],
  workload: [
    { replicatedJob: "workers", jobIndex: 1, attempt: 0, runMs: 3_000, exitCode: 1 },
    { replicatedJob: "workers", runMs: 20_000, stopMs: 500 },
  ],
  actions: [],
  faults: [{ fault: "Crash", request: 5, when: "After", downMs: 1_000 }],
  endsAt: 3_600_000,
};

export function createReview(object: object): object {
  const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u-1", kind, operation: "CREATE", object },
  };
}
