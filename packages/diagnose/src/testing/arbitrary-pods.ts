import type { Job, Pod } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";

/**
 * Pods in every state that countPods distinguishes, each with a unique name, and the Jobs that control some of them.
 */
export interface PodsAndJobs {
  readonly pods: readonly Pod[];
  readonly jobs: readonly Job[];
}

/** The namespaces of {@link podsAndJobs}. The last one is excluded by default. */
export const namespaces = ["default", "ml", "kube-system"] as const;

/** Generates up to a few dozen Pods. */
export function podsAndJobs(): fc.Arbitrary<PodsAndJobs> {
  return fc.array(podFacts, { maxLength: 24 }).map((facts) => ({
    pods: facts.map((one, index) => createPod(one, index)),
    jobs: namespaces.flatMap((namespace) => [
      createJob(namespace, "hook", { "helm.sh/hook": "post-install" }),
      createJob(namespace, "train-w-0", {}),
    ]),
  }));
}

/** Generates the states of a Pod from its creation on. Some Pods end early. */
export const podLives = fc
  .record({
    bornAt: fc.nat(6),
    steps: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom("Succeeded" as const, "Failed" as const),
  })
  .map(({ bornAt, steps, end }) => {
    const states = [
      { phase: "Pending" },
      { phase: "Pending", node: "n1" },
      { phase: "Running", node: "n1" },
    ];
    return { bornAt, steps, states: [...states, { phase: end, node: "n1" }] };
  });

const podFacts = fc.record({
  namespace: fc.constantFrom(...namespaces),
  phase: fc.constantFrom("Pending", "Running", "Succeeded", "Failed", "Unknown", undefined),
  node: fc.constantFrom(undefined, "", "n1", "n2", "\u{1f600}"),
  owner: fc.constantFrom(
    undefined,
    "hook",
    "train-w-0",
    "a-job-that-is-gone",
    "ReplicaSet",
    "RayJob",
  ),
  isHook: fc.boolean(),
  isTerminating: fc.boolean(),
});

type PodFacts = typeof podFacts extends fc.Arbitrary<infer Facts> ? Facts : never;

function createPod(
  { namespace, phase, node, owner, isHook, isTerminating }: PodFacts,
  index: number,
): Pod {
  const kind = owner === "ReplicaSet" || owner === "RayJob" ? owner : "Job";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace,
      name: `pod-${index}`,
      uid: `pod-${index}-uid`,
      ...(owner !== undefined && {
        ownerReferences: [
          {
            apiVersion: "v1",
            kind,
            name: owner,
            uid: `${namespace}-${owner}-uid`,
            controller: true,
          },
        ],
      }),
      ...(isHook && { annotations: { "helm.sh/hook": "test" } }),
      ...(isTerminating && { deletionTimestamp: "2026-02-07T06:56:19Z" }),
    },
    spec: { containers: [], ...(node !== undefined && { nodeName: node }) },
    status: phase === undefined ? {} : { phase },
  };
}

function createJob(namespace: string, name: string, annotations: Record<string, string>): Job {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { namespace, name, uid: `${namespace}-${name}-uid`, annotations },
    spec: { template: {} },
  };
}
