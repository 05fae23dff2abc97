import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  denial,
  listJobs,
  podOnNode,
  SELECTOR_NOT_SET,
  type Wire,
} from "./a-diagnosed-cluster.ts";

const at = "2026-02-07T09:55:00Z";

const condition = (type: string, status = "True") => ({
  type,
  status,
  reason: "BackoffLimitExceeded",
  message: "why",
  observedGeneration: 1,
  lastProbeTime: at,
  lastTransitionTime: at,
  lastHeartbeatTime: at,
});

const status = {
  conditions: [condition("Failed"), condition("StartupPolicyInProgress"), condition("Suspended")],
  restarts: 1,
  restartsCountTowardsMax: 2,
  terminalState: "Completed",
  replicatedJobsStatus: [
    {
      name: "w",
      ready: 3,
      succeeded: 1,
      failed: 1,
      active: 1,
      suspended: 1,
      jobRestarts: [1],
      jobRestartsCountTowardsMax: [2],
    },
  ],
  previousInPlaceRestartAttempt: 2,
  currentInPlaceRestartAttempt: 1,
  executionAttempts: 1,
};

const spec = {
  suspend: false,
  managedBy: "jobset.sigs.k8s.io/jobset-controller",
  network: { enableDNSHostnames: true, subdomain: "js", publishNotReadyAddresses: true },
  successPolicy: { operator: "All", targetReplicatedJobs: ["w"] },
  failurePolicy: {
    maxRestarts: 1,
    restartStrategy: "BlockingRecreate",
    rules: [
      {
        name: "rule",
        action: "RestartJobSet",
        onJobFailureReasons: ["BackoffLimitExceeded"],
        onJobFailureMessagePatterns: [".*"],
        targetReplicatedJobs: ["w"],
      },
    ],
  },
  startupPolicy: { startupPolicyOrder: "InOrder" },
  coordinator: { replicatedJob: "w", jobIndex: 0, podIndex: 0 },
  ttlSecondsAfterFinished: 60,
  volumeClaimPolicies: [
    {
      templates: [
        { metadata: { name: "data", labels: { a: "b" } }, spec: { volumeMode: "Block" } },
      ],
      retentionPolicy: { whenDeleted: "Delete" },
    },
  ],
};

const jobSet: Wire = createJobSet({
  exclusive: true,
  spec,
  status,
  labels: { "kueue.x-k8s.io/queue-name": "q" },
  replicatedJobs: [
    { name: "d", pods: 1 },
    { name: "w", replicas: 2, pods: 3, dependsOn: [{ name: "d", status: "Ready" }] },
  ],
});

const jobs: Wire[] = listJobs({ ...jobSet, status: { ...status, restarts: 2 } }, (job) => ({
  ...job,
  status: {
    active: 1,
    ready: 1,
    succeeded: 1,
    failed: 1,
    terminating: 1,
    completedIndexes: "0",
    failedIndexes: "1",
    uncountedTerminatedPods: { succeeded: ["u"], failed: ["u"] },
    startTime: at,
    completionTime: at,
    conditions: [condition("FailureTarget", "False")],
  },
}));

const ended = { exitCode: 1, signal: 9, reason: "Error", message: "why", finishedAt: at };

const pods: Wire[] = jobs.flatMap((job, place) =>
  [0, 1, 2].map((index) =>
    createPod(job, index, {
      spec: {
        nodeName: index === 2 ? undefined : `n${1 + (place % 2)}`,
        nodeSelector: { rack: "r1" },
        priority: 0,
        tolerations: [{ key: "k", operator: "Equal", value: "v", effect: "NoSchedule" }],
        schedulingGates: index === 2 ? [{ name: "g" }] : [],
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
        containers: [{ name: "main", resources: { requests: { cpu: "1" }, limits: { cpu: "1" } } }],
      },
      status: {
        phase: index === 2 ? "Pending" : "Running",
        reason: "Evicted",
        message: "0/3 nodes are available: 3 Insufficient cpu.",
        startTime: at,
        nominatedNodeName: "n1",
        conditions: [condition("PodScheduled", index === 2 ? "False" : "True"), condition("Ready")],
        initContainerStatuses: [{ name: "init", state: { terminated: ended } }],
        containerStatuses: [
          {
            name: "main",
            ready: true,
            started: true,
            restartCount: 2,
            state: { waiting: { reason: "CrashLoopBackOff", message: "why" } },
            lastState: { terminated: ended },
          },
        ],
      },
    }),
  ),
);

const nodes: Wire[] = [aNodeIn("r1"), aNodeIn("r2", "n2", "False")].map((node) => ({
  ...node,
  spec: {
    unschedulable: true,
    taints: [{ key: "k", value: "v", effect: "NoExecute", timeAdded: at }],
  },
  status: { allocatable: { cpu: "1" }, conditions: [condition("Ready", "False")] },
}));

const event = [
  anEvent(jobs[1], "FailedCreate", denial(SELECTOR_NOT_SET)),
  anEvent(pods[2], "FailedScheduling", "0/3 nodes are available: 3 Insufficient cpu."),
  anEvent(pods[0], "FailedMount", "no such volume"),
  anEvent(jobSet, "JobCreationFailed", "forbidden"),
].map((event: Wire) => ({
  ...event,
  count: 2,
  firstTimestamp: at,
  eventTime: at,
  series: { count: 2, lastObservedTime: at },
  source: { component: "c" },
  reportingComponent: "c",
}));

const withNewUid = event.map(({ involvedObject, message, count, ...event }) => ({
  ...event,
  apiVersion: "events.k8s.io/v1",
  regarding: involvedObject,
  note: message,
  deprecatedCount: count,
  deprecatedLastTimestamp: at,
}));

const claim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", namespace: "ml" },
  status: { phase: "Pending" },
};

/** A cluster with nearly every member that a diagnosis reads, by kind. */
export const populatedCluster: Readonly<Record<string, readonly Wire[]>> = {
  jobSets: [jobSet],
  jobs,
  pods,
  nodes,
  tenants: [podOnNode("n1")],
  services: [createService(jobSet)],
  claims: [claim],
  events: event,
  renewed: withNewUid,
};
