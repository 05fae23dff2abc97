// Every exported function of this package, with generators for its arguments. The types and a test reject an export
// without a row.

import { jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import {
  type ArgumentKind,
  anything,
  type FunctionTable,
  trusted,
} from "../../testing/src/testing/never-throws.ts";
import { testTotality } from "../../testing/src/testing/test-totality.ts";
import { restorePodSetsInfo } from "./admission/admit.ts";
import * as indexExports from "./index.ts";
import * as multiKueueExports from "./multikueue.ts";
import { queuedJobSets } from "./testing/arbitrary-queued-jobsets.ts";
import * as webhooksExports from "./webhooks.ts";
import { workloadName } from "./workload/workload-name.ts";
import * as workloadExports from "./workload.ts";

/** All exports of the entry points, and functions that the replay of recorded decisions uses. */
const kueue = {
  ...indexExports,
  ...multiKueueExports,
  ...webhooksExports,
  ...workloadExports,
  restorePodSetsInfo,
  workloadName,
};

const allFeatures = kueue.resolveKueueFeatureGates(
  Object.fromEntries(Object.keys(kueue.kueueFeatureGates).map((name) => [name, true])),
);
const features = trusted(
  kueue.resolveKueueFeatureGates(),
  allFeatures,
  new Set() as typeof allFeatures,
);

const text: ArgumentKind = {
  typed: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "train", "\ud800")),
};
const owned = queuedJobSets().map((jobSet) => ({
  ...jobSet,
  metadata: {
    ...jobSet.metadata,
    annotations: { "kueue.x-k8s.io/prebuilt-workload-name": "w" },
    ownerReferences: [
      { apiVersion: "batch/v1", kind: "Job", name: "top", uid: "top-uid", controller: true },
    ],
  },
}));
const anyJobSet = fc.oneof(queuedJobSets(), jobSets(), owned);
const jobSet = anything(anyJobSet);

const condition = (type: string) =>
  fc.record({
    type: fc.constant(type),
    status: fc.constantFrom("True", "False"),
    reason: fc.constantFrom("Preempted", "Deactivated"),
    message: fc.constant("why"),
    lastTransitionTime: fc.constantFrom("2026-02-07T06:56:19Z", "never"),
  });
const podSet = fc.record({
  name: fc.constantFrom("driver", "workers", "ps"),
  count: fc.nat(4),
  template: fc.constant({ spec: { containers: [{ name: "main" }], tolerations: [{ key: "a" }] } }),
});
const podSets = fc.array(podSet, { maxLength: 3 });
const reclaimable = fc.array(
  fc.record({ name: fc.constantFrom("driver", "workers"), count: fc.nat(5) }),
  { maxLength: 3 },
);
const workloads = fc.record({
  apiVersion: fc.constant("kueue.x-k8s.io/v1beta2"),
  kind: fc.constant("Workload"),
  metadata: fc.record({
    name: fc.constantFrom("w", "v"),
    namespace: fc.constant("default"),
    finalizers: fc.constantFrom([], ["kueue.x-k8s.io/resource-in-use"]),
    ownerReferences: fc.constantFrom(
      [],
      [
        {
          apiVersion: "jobset.x-k8s.io/v1alpha2",
          kind: "JobSet",
          name: "train",
          uid: "train-uid",
          controller: true,
        },
      ],
    ),
  }),
  spec: fc.record({ podSets, queueName: fc.constantFrom("gpu", "cpu"), priority: fc.nat(5) }),
  status: fc.record({
    conditions: fc
      .subarray(["QuotaReserved", "Admitted", "Evicted", "Finished", "PodsReady"])
      .chain((types) => fc.tuple(...types.map(condition))),
    admission: fc.record({
      clusterQueue: fc.constantFrom("cq", "cq.dotted"),
      podSetAssignments: fc.array(
        fc.record({
          name: fc.constantFrom("driver", "workers", "ps"),
          count: fc.nat(4),
          flavors: fc.constantFrom({}, { cpu: "spot" }, { cpu: "spot", gpu: "missing" }),
          topologyAssignment: fc.constantFrom(undefined, {}),
        }),
        { maxLength: 3 },
      ),
    }),
    admissionChecks: fc.constantFrom(
      [],
      [
        {
          name: "check",
          state: "Pending",
          message: "waiting",
          podSetUpdates: [{ name: "driver", labels: { "kueue.x-k8s.io/podset": "other" } }],
        },
      ],
    ),
    reclaimablePods: reclaimable,
  }),
});
const workload = anything(workloads);
const flavors = fc.constant([
  {
    metadata: { name: "spot" },
    spec: { nodeLabels: { pool: "spot" }, tolerations: [{ key: "s" }] },
  },
]);
const clusters = fc.record({
  namespaces: fc.constant([{ metadata: { name: "default", labels: { team: "a" } } }]),
  localQueues: fc.constant([
    { metadata: { namespace: "default", name: "default" }, spec: { clusterQueue: "cq" } },
    { metadata: { namespace: "default", name: "gpu" }, spec: { clusterQueue: "cq" } },
  ]),
  clusterQueues: fc.constant([
    {
      metadata: { name: "cq" },
      spec: { admissionChecksStrategy: { admissionChecks: [{ name: "mk" }] } },
    },
  ]),
  admissionChecks: fc.constant([
    { metadata: { name: "mk" }, spec: { controllerName: "kueue.x-k8s.io/multikueue" } },
  ]),
  resourceFlavors: flavors,
  workloadPriorityClasses: fc.constant([{ metadata: { name: "default" }, value: 5 }]),
  priorityClasses: fc.constant([{ metadata: { name: "all" }, value: 1, globalDefault: true }]),
  owners: fc.constantFrom(
    [],
    [
      {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: {
          name: "top",
          namespace: "default",
          uid: "top-uid",
          labels: { "kueue.x-k8s.io/queue-name": "gpu" },
        },
      },
    ],
  ),
  workloads: fc.array(workloads, { maxLength: 3 }),
});
const cluster = anything(clusters);
const infos = fc.array(
  fc.record({
    name: fc.constantFrom("driver", "workers"),
    count: fc.nat(3),
    labels: fc.constantFrom({}, { a: "1" }, { a: "2" }),
    tolerations: fc.constantFrom([], [{ key: "spot" }]),
  }),
  { maxLength: 3 },
);
const config = trusted(
  {},
  {
    enabledFrameworks: ["jobset.x-k8s.io/jobset", "batch/job"],
    manageJobsWithoutQueueName: true,
    managedJobsNamespaceSelector: { matchLabels: { team: "a" } },
    waitForPodsReady: true,
    labelKeysToCopy: ["kueue.x-k8s.io/queue-name"],
    annotationsToCopy: ["note"],
  },
);
const context = trusted(
  { now: 0, config: {}, features: kueue.resolveKueueFeatureGates() },
  {
    now: 1_770_447_379_000,
    config: { enabledFrameworks: ["batch/job"], waitForPodsReady: true },
    features: allFeatures,
    evictFirst: true,
  },
);
const identifiedObject = { typed: fc.record({ name: text.typed, uid: text.typed }) };
const remote = { typed: fc.record({ name: text.typed, origin: text.typed }) };

const rows = {
  runWithPodSetsInfo: [jobSet, anything(infos), features],
  canDefaultManagedBy: [jobSet, features],
  defaultOnCreate: [jobSet, cluster, config, features],
  evaluateDeleteRemote: [jobSet, text],
  evaluateSyncRemote: [jobSet, jobSet, remote, features],
  hasQuotaReserved: [workload],
  podSetsInfoFromAdmission: [workload, anything(flavors), features],
  isActive: [jobSet],
  isAdmitted: [workload],
  isEvicted: [workload],
  isMultiKueueEligible: [jobSet],
  isWorkloadFinished: [workload],
  jobPodSets: [jobSet, features],
  kueueAncestor: [jobSet, anything(clusters.map(({ owners }) => owners)), config],
  resolveKueueFeatureGates: [trusted(undefined, {}, { MultiKueue: false })],
  newWorkload: [jobSet, cluster, config, features],
  podCount: [anything(anyJobSet.map(({ spec }) => spec.replicatedJobs?.[0]))],
  podSets: [jobSet, features],
  podsPerReplica: [anything(anyJobSet.map(({ spec }) => spec.replicatedJobs?.[0]))],
  podsReady: [jobSet],
  reclaimablePods: [jobSet],
  reconcileKueue: {
    of: [jobSet, cluster, context],
    calls: (argument, around, options) =>
      kueue.reconcileKueue(
        { namespace: "default", name: "train", jobSet: argument },
        around,
        options,
      ),
  },
  restorePodSetsInfo: [jobSet, anything(infos)],
  stopJob: [jobSet, workload, text],
  validateKueueCreate: [jobSet, features],
  validateKueueUpdate: [
    jobSet,
    jobSet,
    anything(clusters.map(({ localQueues }) => localQueues)),
    features,
  ],
  workloadName: [identifiedObject, features],
} satisfies FunctionTable<typeof kueue>;

testTotality("@jobset-ts/kueue", kueue, rows);
