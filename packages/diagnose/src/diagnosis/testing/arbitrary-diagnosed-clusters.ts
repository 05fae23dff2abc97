import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import fc from "fast-check";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  denial,
  listJobs,
  podOnNode,
  running,
  SELECTOR_NOT_SET,
  unschedulable,
  type Wire,
} from "./a-diagnosed-cluster.ts";

/** The objects of a cluster with a faulty JobSet `ml/js`, and objects of other owners. */
export interface DiagnosedCluster {
  readonly objects: readonly Wire[];
  readonly others: readonly Wire[];
}

/** Generates clusters in which checks of every kind fail, alone and together. */
export function diagnosedClusters(): fc.Arbitrary<DiagnosedCluster> {
  return clusterParts().map(assembleCluster);
}

function clusterParts() {
  return fc.record({
    exclusive: fc.boolean(),
    spec: fc.constantFrom({}, { suspend: true }, orderedPolicies, { managedBy: "me" }),
    labels: fc.constantFrom<Record<string, string>>({}, { "kueue.x-k8s.io/queue-name": "q" }),
    status: statuses,
    dependency: fc.constantFrom("first", "self", "none"),
    job: fc.array(jobStates, { minLength: 3, maxLength: 3 }),
    pods: fc.array(fc.array(podStates, { maxLength: 4 }), { minLength: 3, maxLength: 3 }),
    nodes: fc.subarray([aNodeIn("r1"), aNodeIn("r2", "n2", "False"), aNodeIn(undefined, "n3")]),
    service: fc.constantFrom("ours", "ours", "foreign", "none"),
    isDeleted: fc.constantFrom(false, false, false, true),
    isPrevious: fc.constantFrom(false, false, false, true),
    completionMode: fc.constantFrom("Indexed", "Indexed", "Indexed", "NonIndexed"),
    claim: fc.boolean(),
    failures: fc.array(fc.tuple(fc.nat(2), fc.constantFrom(...failedCreations)), {
      maxLength: 3,
    }),
    rejected: fc.option(fc.constantFrom(...rejections), { nil: undefined }),
    isTooLarge: fc.constantFrom(false, false, false, false, false, false, true),
    tenants: fc.subarray([podOnNode("n1"), podOnNode("n2"), podOnNode("n1", "7")]),
  });
}

type ClusterParts =
  ReturnType<typeof clusterParts> extends fc.Arbitrary<infer Parts> ? Parts : never;

function assembleCluster(drawn: ClusterParts): DiagnosedCluster {
  const { exclusive, spec, labels, status, dependency, completionMode, nodes } = drawn;
  const dependsOn =
    dependency === "none"
      ? undefined
      : [{ name: dependency === "self" ? "w" : "d", status: "Ready" }];
  const replicatedJobs = [
    { name: "d", pods: 2, spec: { completionMode } },
    { name: "w", replicas: 2, pods: 3, dependsOn },
  ];
  const whole = createJobSet({ exclusive, spec, labels, status, replicatedJobs });
  const deleted = { ...whole.metadata, deletionTimestamp: "2026-02-07T09:59:00Z" };
  const jobSet = drawn.isDeleted ? { ...whole, metadata: deleted } : whole;
  const stored = drawn.isTooLarge ? withReplicas(jobSet, 2_147_483_647) : jobSet;
  const created = listJobs({
    ...jobSet,
    spec: { ...jobSet.spec, suspend: false },
    status: drawn.isPrevious ? { ...status, restarts: 0 } : status,
  });
  const jobs = created.flatMap((job, at) => drawn.job[at]?.(job) ?? []);
  const pods = created.flatMap((job, at) =>
    (drawn.pods[at] ?? []).map((state, index) => state(createPod(job, index))),
  );
  const events = drawn.failures.map(([at, message]) =>
    anEvent(created[at], "FailedCreate", message),
  );
  const { rejected } = drawn;
  return {
    objects: [
      stored,
      ...jobs,
      ...pods,
      ...nodes,
      ...services[drawn.service as keyof typeof services](jobSet),
      ...(drawn.claim ? [pendingClaim] : []),
      ...pods.slice(0, 1).map((pod) => anEvent(pod, "FailedMount", "no such volume")),
      ...events,
      ...(rejected === undefined ? [] : [anEvent(jobSet, rejected.reason, rejected.message)]),
    ],
    others: drawn.tenants,
  };
}

function withReplicas(jobSet: Wire, replicas: number): Wire {
  const replicatedJobs = jobSet.spec.replicatedJobs.map((one: Wire) => ({ ...one, replicas }));
  return { ...jobSet, spec: { ...jobSet.spec, replicatedJobs } };
}

const services = {
  ours: (jobSet: Wire) => [createService(jobSet)],
  foreign: (jobSet: Wire) => [{ ...createService(jobSet), spec: { clusterIP: "10.0.0.1" } }],
  none: () => [],
};

const pendingClaim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", namespace: "ml" },
  status: { phase: "Pending" },
};

const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];

const orderedPolicies = { startupPolicy: { startupPolicyOrder: "InOrder" } };

const statuses = fc.constantFrom<Wire>(
  {},
  { restarts: 0, conditions: [{ type: "X", status: "True" }] },
  { restarts: 1, replicatedJobsStatus: [{ name: "d", ready: 1, succeeded: 0, failed: 0 }] },
  { conditions: [{ type: "Failed", status: "True", reason: "ReachedMaxRestarts" }] },
  { conditions: [{ type: "Failed", status: "True", reason: "FailedJobs" }] },
  { conditions: [{ type: "Completed", status: "True" }] },
);

const withCondition = (type: string) => (job: Wire) => [
  { ...job, status: { conditions: [{ type, status: "True", reason: "BackoffLimitExceeded" }] } },
];

/** Changes a Job: unchanged, absent, foreign, suspended, or finishing. */
const jobStates = fc.constantFrom<(job: Wire) => Wire[]>(
  (job) => [job],
  (job) => [job],
  () => [],
  (job) => [{ ...job, metadata: { ...job.metadata, ownerReferences: [] } }],
  (job) => [{ ...job, metadata: { ...job.metadata, uid: `${job.metadata.uid}-again` } }],
  (job) => [{ ...job, spec: { ...job.spec, suspend: true } }],
  withCondition("FailureTarget"),
  withCondition("Failed"),
  withCondition("Complete"),
);

const withChanges = (parts: Wire) => (pod: Wire) => ({
  ...pod,
  ...parts,
  metadata: { ...pod.metadata, ...parts.metadata },
});

const container = (state: Wire) => ({
  ...running,
  conditions: [],
  containerStatuses: [{ name: "main", ready: false, ...state }],
});

const leaderAnnotations = { [JOB_COMPLETION_INDEX_KEY]: "0" };

/** Changes a Pod: unchanged, or with any kind of problem. */
const podStates = fc.constantFrom<(pod: Wire) => Wire>(
  withChanges({}),
  withChanges({}),
  withChanges({ spec: { nodeName: "n2" } }),
  withChanges({ spec: { nodeName: "n3" } }),
  withChanges({ spec: { nodeName: "gone" } }),
  withChanges({ spec: {}, status: { phase: "Pending" } }),
  withChanges({ spec: { schedulingGates: [{ name: "g" }] }, status: { phase: "Pending" } }),
  withChanges(unschedulable("0/3 nodes are available: 3 Insufficient cpu.")),
  withChanges(
    unschedulable("0/3 nodes are available: 1 node(s) were unschedulable, 2 Too many pods."),
  ),
  withChanges(
    unschedulable("0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules."),
  ),
  withChanges(unschedulable("0/3 nodes are available: 3 node(s) didn't match pod affinity rules.")),
  withChanges(
    unschedulable('0/3 nodes are available: persistentvolumeclaim "c" not found. not found'),
  ),
  withChanges({
    ...unschedulable("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims."),
    spec: { volumes },
  }),
  withChanges({ spec: { nodeName: "n1", nodeSelector: { rack: "r2" } } }),
  (pod) => ({ ...pod, metadata: { ...pod.metadata, annotations: leaderAnnotations } }),
  withChanges({ status: { phase: "Pending" } }),
  withChanges({ status: { phase: "Succeeded" } }),
  withChanges({ status: { phase: "Failed" } }),
  withChanges({ status: container({ state: { waiting: { reason: "CrashLoopBackOff" } } }) }),
  withChanges({
    status: container({ restartCount: 2, lastState: { terminated: { exitCode: 1 } } }),
  }),
  withChanges({ metadata: { deletionTimestamp: "2026-02-07T09:59:00Z" } }),
);

const failedCreations = [
  denial(SELECTOR_NOT_SET),
  denial("follower pod node selector for topology domain not found. missing selector: rack"),
  denial("leader pod not yet scheduled, not creating follower pod"),
  'Error creating: pods "js-w-0-0-xyz12" is forbidden: exceeded quota: q',
  'Error creating: Internal error occurred: failed calling webhook "v": failed to call webhook: no',
];

const rejections = [
  { reason: "JobCreationFailed", message: 'job "js-w-0" creation failed with error: forbidden' },
  { reason: "HeadlessServiceCreationFailed", message: "forbidden" },
  { reason: "PVCCreationFailed", message: "forbidden" },
];
