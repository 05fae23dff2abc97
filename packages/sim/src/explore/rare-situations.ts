import { jobName, volumeClaimName } from "@jobset-ts/api";
import {
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { RequestedObject } from "../api-server/api-request.ts";
import { createUid } from "../api-server/request-execution.ts";
import type { Scenario, UserAction } from "../scenario/scenario.ts";
import {
  affinityTermsInTemplate,
  failedLeaders,
  lowPriority,
  useNodeSelectorStrategy,
} from "./placement-situations.ts";
import {
  createCreation,
  createPatch,
  deletesJobSet,
  firstReplicatedJob,
  getJobSet,
  type Situation,
  startEverything,
  withClaim,
  withEach,
  withJobSet,
  withJobSpec,
  withPodSpec,
  withSpec,
} from "./scenario-edits.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { singleRestarts } from "./single-restart-situations.ts";
import { stuckJobSets } from "./stuck-jobsets.ts";

/**
 * Puts a random scenario into a situation in which controllers or webhooks once failed.
 *
 * @param scenario - with a JobSet as the last of its objects
 */
export function inSituation(scenario: Scenario, chance: SeededRandom): Scenario {
  return chance.pick(Object.values(situations), "situation")(scenario, chance);
}

/** A Job fails while the JobSet is suspended, and the controller sees both at once. */
const failureMeetsSuspension: Situation = (scenario, chance) => {
  const failsAt = 8_000 + chance.below(8_000, "failsAt");
  const base = withJobSet(startEverything(scenario), (jobSet) =>
    withSpec(
      withEach(jobSet, (one) => ({ ...one, replicas: 2 })),
      { failurePolicy: { maxRestarts: 3 }, startupPolicy: undefined },
    ),
  );
  return {
    ...base,
    workload: [
      { jobIndex: 0, attempt: 0, endsAtMs: failsAt, exitCode: 1 },
      { runMs: 60_000, stopMs: 1_000 },
    ],
    actions: [createPatch(failsAt - chance.below(2_000, "before"), scenario, { suspend: true })],
    faults: [{ fault: "HoldBack", kind: "JobSet", from: failsAt - 3_000, until: failsAt + 15_000 }],
  };
};

/** The templates lose the additions of a queue before the JobSet is resumed. */
const resumeAfterEdit: Situation = (scenario, { below, happens }) => {
  const added = {
    nodeSelector: { zone: "a" },
    tolerations: [{ key: "spot", operator: "Exists" }],
    ...(happens(0.5, "gated") && { schedulingGates: [{ name: "example.com/gate" }] }),
  };
  // An update gets no defaults, so the spec includes those of the creation.
  const plain = withEach(getJobSet(scenario), (one) =>
    withJobSpec({ ...one, groupName: "default" }, { completionMode: "Indexed" }),
  );
  const { replicatedJobs } = plain.spec;
  const suspended = withJobSet(scenario, () =>
    withSpec(
      withEach(plain, (one) => withPodSpec(one, added)),
      { suspend: true },
    ),
  );
  const at = 2_000 + below(20_000, "resumedAt");
  const isInOne = happens(0.5, "inOne");
  return {
    ...suspended,
    actions: [
      ...scenario.actions,
      createPatch(at, scenario, { replicatedJobs, ...(isInOne && { suspend: false }) }),
      createPatch(at + below(5_000, "later"), scenario, { suspend: false }),
    ],
  };
};

/** A JobSet with startup order is suspended, and resumed before its Jobs have stopped. */
const resumeBeforeTheStop: Situation = (scenario, { below, happens }) => {
  const one = { ...firstReplicatedJob(getJobSet(scenario)), dependsOn: undefined };
  const first = happens(0.4, "podless") ? withJobSpec(one, { parallelism: 0 }) : one;
  const at = 15_000 + below(10_000, "suspendedAt");
  return {
    ...withJobSet(scenario, (jobSet) =>
      withSpec(jobSet, {
        startupPolicy: { startupPolicyOrder: "InOrder" },
        suspend: happens(0.5, "begunSuspended") || undefined,
        replicatedJobs: [first, { ...one, name: "workers" }],
      }),
    ),
    workload: [{ readyMs: 500, runMs: 120_000, stopMs: 10_000 }],
    actions: [
      createPatch(5_000, scenario, { suspend: false }),
      createPatch(at, scenario, { suspend: true }),
      createPatch(at + 5 + below(60, "resumedAfter"), scenario, { suspend: false }),
    ],
    faults: [],
  };
};

/** A user creates a Job that looks like one of the JobSet's, and it fails. */
const addUnclaimedJob: Situation = (scenario, chance) => {
  const base = startEverything(scenario);
  const { apiVersion, kind, metadata, spec } = getJobSet(base);
  const { name, template } = firstReplicatedJob({ spec });
  const labels = {
    [JOBSET_NAME_KEY]: metadata.name,
    [REPLICATED_JOB_NAME_KEY]: name,
    [JOB_INDEX_KEY]: "9",
    [RESTART_ATTEMPT_KEY]: "0",
  };
  // Each object takes one write, and the JobSet is the last of them.
  const uid = createUid(base.objects.length);
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      namespace: metadata.namespace,
      name: jobName(metadata.name, name, 9),
      labels,
      ownerReferences: [{ apiVersion, kind, name: metadata.name, uid, controller: true }],
    },
    spec: {
      ...template.spec,
      completionMode: "Indexed",
      backoffLimit: 0,
      template: { ...template.spec.template, metadata: { labels } },
    },
  };
  return {
    ...base,
    workload: [{ jobIndex: 9, runMs: 3_000, exitCode: 1 }, ...scenario.workload],
    actions: [createCreation(1_000 + chance.below(5_000, "madeAt"), job)],
  };
};

/** The success policy of a JobSet targets ReplicatedJobs without Jobs. */
const targetsWithoutJobs: Situation = (scenario, _chance) =>
  withJobSet(startEverything(scenario), (jobSet) => {
    const { replicatedJobs } = jobSet.spec;
    const spare = { ...firstReplicatedJob(jobSet), name: "spare", replicas: 0 };
    return withSpec(jobSet, {
      replicatedJobs: [...replicatedJobs, spare],
      successPolicy: { operator: "All", targetReplicatedJobs: ["spare"] },
    });
  });

/** A JobSet with retained claims is deleted, sometimes together with its claim, and recreated. */
const retainClaims: Situation = (scenario, { below, happens }) => {
  const retained = withJobSet(scenario, (jobSet) => withClaim(jobSet, "data", "Retain"));
  const at = 5_000 + below(20_000, "deletedAt");
  const object = getJobSet(retained) as unknown as RequestedObject;
  const deletion: UserAction = {
    at,
    request: { verb: "delete", object, propagationPolicy: "Foreground" },
  };
  const { namespace, name } = getJobSet(scenario).metadata;
  const claim = { namespace, name: volumeClaimName("data", name) };
  // The claim is deleted before the JobSet is created again, because the controller gets no event for a deleted claim.
  const alsoDeleted: UserAction = {
    at: below(at + 120_000, "claimDeletedAt"),
    request: { verb: "delete", object: { kind: "PersistentVolumeClaim", metadata: claim } },
  };
  const deletions = happens(0.3, "claimDeleted") ? [deletion, alsoDeleted] : [deletion];
  return { ...retained, actions: [...deletions, createCreation(at + 120_000, object)] };
};

/** A JobSet is deleted and recreated with the same name, while Pods of the first one still terminate. */
const recreateJobSet: Situation = (scenario, { below, happens, pick }) => {
  const stopping = scenario.workload.map((rule) => ({ ...rule, stopMs: 20_000 }));
  const at = 5_000 + below(30_000, "deletedAt");
  const object = getJobSet(scenario) as unknown as RequestedObject;
  const propagationPolicy = happens(0.2, "orphaned")
    ? "Orphan"
    : pick(["Background", "Background", "Foreground"] as const, "deletion");
  const deletion: UserAction = { at, request: { verb: "delete", object, propagationPolicy } };
  const delayMs = below(happens(0.5, "soon") ? 50 : 30_000, "madeAfter");
  return {
    ...scenario,
    workload: stopping,
    actions: [
      deletion,
      createCreation(at + delayMs, object),
      createCreation(at + delayMs + 40_000, object),
    ],
  };
};

/** A user removes a policy, or sets an invalid coordinator. */
const omitDefaultsInUpdate: Situation = (scenario, { below, pick }) => {
  const coordinator = { replicatedJob: "missing", jobIndex: 0, podIndex: 0 };
  const patch = pick([{ failurePolicy: null }, { successPolicy: null }, { coordinator }], "patch");
  return {
    ...withJobSet(scenario, (jobSet) =>
      withSpec(jobSet, {
        failurePolicy: { maxRestarts: 1 },
        successPolicy: { operator: "All" },
      }),
    ),
    actions: [
      ...scenario.actions,
      createPatch(1_000 + below(20_000, "patchedAt"), scenario, patch),
    ],
  };
};

/** Templates do not set the number of Pods, in a cluster with elastic JobSets. */
const unsetPodCounts: Situation = (scenario) => ({
  ...withJobSet(scenario, (jobSet) =>
    withEach(jobSet, (one) => withJobSpec(one, { parallelism: undefined, completions: undefined })),
  ),
  features: { ...scenario.features, ElasticJobSet: true },
});

/** Another object has the name of a Job, and the JobSet is suspended or resumed. */
const nameInUse: Situation = (scenario, { below, happens, pick }) => {
  const isSuspended = happens(0.5, "begunSuspended");
  const base = withJobSet(startEverything(scenario), (jobSet) =>
    withSpec(jobSet, {
      suspend: isSuspended || undefined,
      startupPolicy: happens(0.3, "inOrder") ? { startupPolicyOrder: "InOrder" } : undefined,
    }),
  );
  const { metadata, spec } = getJobSet(base);
  const { name, replicas = 1, template } = pick(spec.replicatedJobs, "replicatedJob");
  const own = jobName(metadata.name, name, below(replicas, "jobIndex"));
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { namespace: metadata.namespace, name: own },
    spec: template.spec,
  } as unknown as RequestedObject;
  const others = base.objects.filter((one) => one.kind !== "Job" || one.metadata?.name !== own);
  const at = 5_000 + below(20_000, "suspendedAt");
  return {
    ...base,
    objects: others.toSpliced(-1, 0, job),
    actions: [createPatch(at, scenario, { suspend: !isSuspended })],
  };
};

/** A second JobSet uses the Service of the first one. */
const shareSubdomain: Situation = (scenario, { below }) => {
  const network = { enableDNSHostnames: true, subdomain: "shared" };
  // When the first JobSet is deleted, its Service is deleted, and nothing recreates it: see docs/findings.
  const first = withJobSet(scenario, (jobSet) =>
    withSpec(jobSet, { network, ttlSecondsAfterFinished: undefined }),
  );
  const jobSet = getJobSet(first);
  const second = { ...jobSet, metadata: { ...jobSet.metadata, name: "eval" } };
  const making = createCreation(1_000 + below(5_000, "madeAt"), second);
  const remaining = scenario.actions.filter((action) => !deletesJobSet(action));
  return { ...first, actions: [...remaining, making] };
};

/** A user creates a second JobSet that cannot work. */
const stuckJobSet: Situation = (scenario, { below, pick }) => {
  const jobSet = getJobSet(scenario);
  const one = { ...firstReplicatedJob(jobSet), replicas: 1, dependsOn: undefined };
  const { namespace } = jobSet.metadata;
  const other = {
    ...jobSet,
    metadata: { namespace, name: "other" },
    spec: { replicatedJobs: [one] },
  };
  const making = createCreation(
    1_000 + below(10_000, "madeAt"),
    pick(stuckJobSets, "hopeless")(other),
  );
  return { ...scenario, actions: [...scenario.actions, making] };
};

/** Sorted by name, because the seed picks by index. */
export const situations = {
  failureMeetsSuspension,
  resumeAfterEdit,
  resumeBeforeTheStop,
  unclaimedJob: addUnclaimedJob,
  targetsWithoutJobs,
  retainedClaims: retainClaims,
  recreatedJobSet: recreateJobSet,
  carelessUpdate: omitDefaultsInUpdate,
  nodeSelectorStrategy: useNodeSelectorStrategy,
  failedLeaders,
  affinityTermsInTemplate,
  unsetPodCounts,
  singleRestarts,
  sharedSubdomain: shareSubdomain,
  stuckJobSet,
  lowPriority,
  nameInUse,
} satisfies Readonly<Record<string, Situation>>;
