import type { JobSet, ReplicatedJob, VolumeClaimPolicy } from "@jobset-ts/api";
import {
  COORDINATOR_KEY,
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type {
  Container,
  Job,
  PersistentVolumeClaimTemplate,
  PodSpec,
} from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { aJob } from "../builders/a-job.ts";
import { aJobSet } from "../builders/a-jobset.ts";

/** The JobSet in most examples. */
const name = "train";

/**
 * Generates small JobSets named `train` with every field that affects Jobs. A cluster without admission can contain
 * them.
 */
export function jobSets({
  populated = false,
  atLeast = 1,
  replicas = [1, 1, 2, 3],
  hasValidKeys = false,
}: {
  /** Whether each JobSet has Jobs. By default, a few have no ReplicatedJob, and some have no Jobs. */
  populated?: boolean;
  /** The usual minimum number of ReplicatedJobs of a populated JobSet, at most 3. Default 1. */
  atLeast?: number;
  /** The replicas of each ReplicatedJob of a populated JobSet. */
  replicas?: readonly number[];
  /**
   * Whether the API server accepts all keys of labels, annotations and node selectors. By default, some keys are
   * `__proto__`.
   */
  hasValidKeys?: boolean;
} = {}): fc.Arbitrary<JobSet> {
  const oddKey = hasValidKeys ? "tier" : "__proto__";
  const replicatedJobs = populated
    ? manyReplicatedJobs(atLeast, fc.constantFrom(...replicas), oddKey)
    : someReplicatedJobs(oddKey);
  return jobSetParts(replicatedJobs).map(assembleJobSet);
}

function jobSetParts(replicatedJobs: fc.Arbitrary<ReplicatedJob[]>) {
  return fc.record({
    annotations: fc.oneof(fc.constant({}), maps(placementKeys)),
    subdomain: fc.constantFrom(undefined, "net", "net", ""),
    enableDNSHostnames: fc.constantFrom(undefined, true, true, true, false),
    suspend: fc.constantFrom(undefined, true, false),
    coordinator: fc.option(
      fc.record(
        { replicatedJob: fc.constantFrom(...replicatedJobNames), jobIndex: small, podIndex: small },
        { requiredKeys: ["replicatedJob"] },
      ),
      { nil: undefined },
    ),
    publishNotReadyAddresses: fc.constantFrom(undefined, true, false),
    hasNetwork: fc.constantFrom(true, true, true, true, false),
    replicatedJobs,
    volumeClaimPolicies: fc.array(volumeClaimPolicies(), { maxLength: 2 }),
    restarts: small,
    jobRestarts: fc.array(fc.constantFrom(1, 0, 2), { maxLength: 4 }),
    jobRestartsCountTowardsMax: fc.array(fc.constantFrom(1, 0, 1), { maxLength: 4 }),
  });
}

type JobSetParts = ReturnType<typeof jobSetParts> extends fc.Arbitrary<infer Parts> ? Parts : never;

function assembleJobSet(one: JobSetParts): JobSet {
  return {
    ...aJobSet(name)
      .withAnnotations(one.annotations)
      .withStatus({
        restarts: one.restarts,
        replicatedJobsStatus: [
          {
            ...noJobs,
            name: one.replicatedJobs[0]?.name ?? replicatedJobNames[0],
            jobRestarts: one.jobRestarts,
            jobRestartsCountTowardsMax: one.jobRestartsCountTowardsMax,
          },
        ],
      }),
    spec: {
      ...(one.hasNetwork && { network: getNetwork(one) }),
      suspend: one.suspend,
      coordinator: one.coordinator,
      replicatedJobs: one.replicatedJobs,
      volumeClaimPolicies: one.volumeClaimPolicies,
    },
  };
}

/** Generates up to three ReplicatedJobs. Rarely none, and none if a counterexample needs none. */
function someReplicatedJobs(oddKey: string): fc.Arbitrary<ReplicatedJob[]> {
  const some = fc.uniqueArray(replicatedJobs(small, oddKey), {
    selector: (one) => one.name,
    minLength: 1,
    maxLength: 3,
  });
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.constant<ReplicatedJob[]>([]), weight: 1 },
    { arbitrary: some, weight: 24 },
  );
}

/** Generates at least `atLeast` ReplicatedJobs. Shrinking can remove some. */
function manyReplicatedJobs(
  atLeast: number,
  replicas: fc.Arbitrary<number>,
  oddKey: string,
): fc.Arbitrary<ReplicatedJob[]> {
  const all = fc.uniqueArray(replicatedJobs(replicas, oddKey), {
    selector: (one) => one.name,
    minLength: 3,
    maxLength: 3,
  });
  const enough = [1, 2, 3].filter((count) => count >= atLeast);
  return fc
    .tuple(all, fc.constantFrom(1, ...enough, ...enough, ...enough))
    .map(([some, count]) => some.slice(0, count));
}

function getNetwork({
  enableDNSHostnames,
  subdomain,
  publishNotReadyAddresses,
}: NonNullable<JobSet["spec"]["network"]>) {
  return {
    enableDNSHostnames,
    subdomain,
    ...(publishNotReadyAddresses !== undefined && { publishNotReadyAddresses }),
  };
}

/** Generates child Jobs of such a JobSet, with any restart attempt and any state. Some have meaningless labels. */
export function childJobs(): fc.Arbitrary<readonly Job[]> {
  const child = fc.record({
    replicatedJob: fc.constantFrom(...replicatedJobNames, "unknown"),
    index: fc.constantFrom("0", "1", "2", "5"),
    labels: fc.record(
      {
        [RESTART_ATTEMPT_KEY]: weightFirst("1", "0", "2"),
        [JOB_RESTART_ATTEMPT_KEY]: weightFirst("1", "0", "-1", "x"),
        [JOB_INDEX_KEY]: weightFirst("0", "1", "-1", "7", ""),
        [REPLICATED_JOB_NAME_KEY]: fc.constantFrom(...replicatedJobNames),
      },
      { requiredKeys: [] },
    ),
    state: fc.constantFrom("active", "failed", "completed"),
  });
  return fc
    .uniqueArray(child, {
      selector: ({ replicatedJob, index }) => `${replicatedJob}-${index}`,
      maxLength: 6,
    })
    .map((children) =>
      children.map(({ replicatedJob, index, labels, state }) => {
        const job = aJob(`${name}-${replicatedJob}-${index}`).withLabels(labels);
        if (state === "active") return job;
        return state === "failed" ? job.failed() : job.completed();
      }),
    );
}

const replicatedJobNames = ["driver", "workers", "b"] as const;
const groupNames = ["default", "g", ""] as const;
const claimNames = ["data", "logs"] as const;
const placementKeys = [EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY];
const small = fc.nat(3);
const numbers = fc.constantFrom(1, 1, 0, 2, 3);
const noJobs = { ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };

function replicatedJobs(
  replicas: fc.Arbitrary<number>,
  oddKey: string,
): fc.Arbitrary<ReplicatedJob> {
  const keys = [RESTART_ATTEMPT_KEY, COORDINATOR_KEY, "app", oddKey];
  const metadata = fc.record({
    labels: maps(keys),
    annotations: fc.oneof(maps(keys), maps([...keys, ...placementKeys])),
  });
  const spec = fc.record(
    {
      parallelism: numbers,
      completions: numbers,
      completionMode: fc.constantFrom("Indexed" as const, "NonIndexed" as const),
      suspend: fc.boolean(),
      template: fc.record({ metadata, spec: podSpecs(oddKey) }, { requiredKeys: ["spec"] }),
    },
    { requiredKeys: ["template"] },
  );
  return fc.record(
    {
      name: fc.constantFrom(...replicatedJobNames),
      groupName: fc.constantFrom(...groupNames),
      replicas,
      template: fc.record({ metadata, spec }, { requiredKeys: ["spec"] }),
    },
    { requiredKeys: ["name", "template"] },
  );
}

function podSpecs(oddKey: string): fc.Arbitrary<PodSpec> {
  const amounts = fc.constantFrom(
    undefined,
    { requests: { cpu: "1" } },
    { requests: { cpu: "1" }, limits: { memory: "1Gi" } },
    { requests: { cpu: "2" }, limits: { memory: "2Gi" } },
  );
  const mounts = fc.tuple(fc.subarray([...claimNames]), amounts).map(([names, resources]) => ({
    name: "main",
    ...(resources !== undefined && { resources }),
    volumeMounts: names.map((claim) => ({ name: claim, mountPath: `/${claim}` })),
  }));
  return fc.record(
    {
      containers: fc.array(mounts, { maxLength: 2 }).map(withName("main")),
      initContainers: fc.array(mounts, { minLength: 1, maxLength: 1 }).map(withName("init")),
      nodeSelector: maps(["disk", oddKey]),
      tolerations: fc.constant([{ key: "gpu", operator: "Exists" as const }]),
      schedulingGates: fc.constantFrom([{ name: "queue" }], [{ name: "quota" }]),
      volumes: fc.constant([{ name: "own" }]),
      subdomain: fc.constant("own"),
    },
    { requiredKeys: ["containers"] },
  );
}

/** Containers of one Pod need different names. */
function withName(name: string): (containers: Container[]) => Container[] {
  return (containers) =>
    containers.map((one, index) => ({ ...one, name: index === 0 ? name : `${name}-${index}` }));
}

function volumeClaimPolicies(): fc.Arbitrary<VolumeClaimPolicy> {
  const template: fc.Arbitrary<PersistentVolumeClaimTemplate> = fc
    .tuple(fc.constantFrom(...claimNames), maps(["app"]))
    .map(([claim, labels]) => ({ metadata: { name: claim, labels }, spec: {} }));
  const retentionPolicies: readonly NonNullable<VolumeClaimPolicy["retentionPolicy"]>[] = [
    {},
    { whenDeleted: "Delete" },
    { whenDeleted: "Retain" },
  ];
  return fc.record(
    {
      templates: fc.array(template, { maxLength: 2 }),
      retentionPolicy: fc.constantFrom(...retentionPolicies),
    },
    { requiredKeys: [] },
  );
}

/** Generates maps of some of these keys. A key `__proto__` is an own property. */
function maps(keys: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const value = fc.constantFrom("", "x", "rack");
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...keys), value), { selector: ([key]) => key })
    .map((entries) => Object.fromEntries(entries));
}

/** Generates the first value most of the time. */
function weightFirst(usual: string, ...others: string[]): fc.Arbitrary<string> {
  return fc.constantFrom(usual, usual, usual, usual, usual, ...others);
}
