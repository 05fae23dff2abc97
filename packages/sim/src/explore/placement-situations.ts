import { jobName, namespacedJobValue } from "@jobset-ts/api";
import {
  JOB_KEY_KEY,
  NAMESPACED_JOB_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  PRIORITY_KEY,
} from "@jobset-ts/api/keys";
import { jobKey } from "@jobset-ts/core/desired";
import type { RequestedObject } from "../api-server/api-request.ts";
import type { Scenario } from "../scenario/scenario.ts";
import {
  EXCLUSIVE,
  firstReplicatedJob,
  getJobSet,
  type Situation,
  startEverything,
  withAnnotations,
  withEach,
  withJobSet,
  withJobSpec,
  withPodSpec,
  withSpec,
} from "./scenario-edits.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Uses the node-selector strategy: nodes have labels for the Pods of each Job. */
export const useNodeSelectorStrategy: Situation = (scenario) => {
  const { metadata, spec } = getJobSet(scenario);
  const names = spec.replicatedJobs.flatMap(({ name, replicas = 1 }) =>
    Array.from({ length: replicas }, (_, index) => jobName(metadata.name, name, index)),
  );
  const nodes = names.map((name, at) => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: `own-${at}`,
      labels: {
        rack: `own-${at}`,
        [NAMESPACED_JOB_KEY]: namespacedJobValue(metadata.namespace, name),
      },
    },
    status: {
      allocatable: { cpu: "64", memory: "64Gi", pods: "110" },
      conditions: [{ type: "Ready", status: "True" }],
    },
  }));
  const placed = withJobSet(scenario, (jobSet) =>
    withAnnotations(
      withEach(jobSet, (one) => withJobSpec(one, { parallelism: 2, completions: 2 })),
      { ...EXCLUSIVE, [NODE_SELECTOR_STRATEGY_KEY]: "true" },
    ),
  );
  return { ...placed, objects: [...(nodes as readonly RequestedObject[]), ...placed.objects] };
};

/**
 * All Pods of an exclusive Job fail once, others replace them, and the controller lists again. Or the Pods run, and the
 * domains of their nodes change before their leader is ready.
 */
export const failedLeaders: Situation = (scenario, chance) => {
  const exclusive = withJobSet(startEverything(scenario), (jobSet) => {
    const one = { ...firstReplicatedJob(jobSet), replicas: 1 };
    const retried = withJobSpec(one, { parallelism: 2, completions: 2, backoffLimit: 6 });
    return withAnnotations(withSpec(jobSet, { replicatedJobs: [retried] }), EXCLUSIVE);
  });
  if (chance.happens(0.4, "moved")) return withMovedDomains(exclusive, chance);
  const failsAt = 5_000 + chance.below(5_000, "failsAt");
  return {
    ...exclusive,
    workload: [
      { endsAtMs: failsAt, exitCode: 1 },
      { runMs: 300_000, stopMs: 500 },
    ],
    actions: [],
    faults: [
      { fault: "Crash", request: 4 + chance.below(8, "diesAt"), when: "After", downMs: 500 },
    ],
  };
};

/**
 * Returns a scenario whose nodes change their domains after the followers were assigned. Later, the leader changes once
 * more.
 */
function withMovedDomains(scenario: Scenario, { below }: SeededRandom): Scenario {
  const nodes = scenario.objects.filter(({ kind }) => kind === "Node");
  const until = 6_000 + below(6_000, "movedAt");
  return {
    ...scenario,
    workload: [{ readyMs: 20_000, stopMs: 500 }],
    actions: [],
    faults: nodes.map(({ metadata }, at) => ({
      fault: "Relabel",
      node: metadata?.name ?? "",
      label: "rack",
      value: `before-${at >> 1}`,
      from: 1,
      until,
    })),
  };
}

/** The template already contains the terms that the webhook adds to a leader. */
export const affinityTermsInTemplate: Situation = (scenario, _chance) =>
  withJobSet(startEverything(scenario), (jobSet) => {
    const { name, namespace } = jobSet.metadata;
    const one = { ...firstReplicatedJob(jobSet), replicas: 1 };
    const values = [jobKey(namespace, jobName(name, one.name, 0))];
    const terms = (...matchExpressions: readonly object[]) => ({
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchExpressions }, topologyKey: "rack", namespaceSelector: {} },
      ],
    });
    const affinity = {
      podAffinity: terms({ key: JOB_KEY_KEY, operator: "In", values }),
      podAntiAffinity: terms(
        { key: JOB_KEY_KEY, operator: "Exists" },
        { key: JOB_KEY_KEY, operator: "NotIn", values },
        { key: PRIORITY_KEY, operator: "In", values: ["0"] },
      ),
    };
    const replicatedJobs = [withPodSpec(one, { affinity })];
    return withAnnotations(withSpec(jobSet, { replicatedJobs }), EXCLUSIVE);
  });

/** Gives Pods a priority below zero. */
export const lowPriority: Situation = (scenario) => {
  const low = {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "low" },
    value: -10,
  };
  const lowly = withJobSet(scenario, (jobSet) =>
    withEach(jobSet, (one) => withPodSpec(one, { priorityClassName: "low" })),
  );
  return { ...lowly, objects: [low as unknown as RequestedObject, ...lowly.objects] };
};
